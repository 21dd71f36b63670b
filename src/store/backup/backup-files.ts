import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, lstat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  fileWithoutRates,
  journalFile,
  OUTBOX,
  outboxLog,
  syncStatusFile,
  workingFile,
} from '../generation/generation-files.ts';

/** The place of data: in use, or in a backup. */
export interface DataPlace {
  readonly database: string;
  readonly tokens: string;
}

/** Every file that a backup may hold, by its name there, and the path of the same file beside a database. */
const PATHS = {
  'sync-status.json': ({ database }) => syncStatusFile(database),
  'tokens.json': ({ tokens }) => tokens,
  [OUTBOX.log]: ({ database }) => outboxLog(database),
  'company.no-rates.duckdb': ({ database }) => fileWithoutRates(database),
  'company.work.duckdb.wal': ({ database }) => `${workingFile(database)}.wal`,
  'company.work.duckdb.journal': ({ database }) => journalFile(database),
  'company.work.duckdb': ({ database }) => workingFile(database),
  'company.duckdb': ({ database }) => database,
} as const satisfies Record<string, (place: DataPlace) => string>;

export type BackupFileName = keyof typeof PATHS;

/** The names in the order in which a restore renames the files: a database is complete when it appears. */
export const BACKUP_FILE_NAMES = Object.keys(PATHS) as BackupFileName[];

export function pathInUse(name: BackupFileName, place: DataPlace): string {
  return PATHS[name](place);
}

export interface BackupFile {
  readonly name: BackupFileName;
  readonly bytes: number;
  /** Its permissions, in octal: "600". */
  readonly mode: string;
  /** Its SHA-256, in hexadecimal. */
  readonly sha256: string;
}

/**
 * Copies a file to a path where nothing is, durably, with its permissions.
 * Nobody but this user can read an unfinished copy.
 */
export async function copyDurably(from: string, to: string): Promise<Omit<BackupFile, 'name'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    createReadStream(from),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  );
  const mode = (await lstat(from)).mode & 0o777;
  await chmod(to, mode);
  return { bytes, mode: mode.toString(8).padStart(3, '0'), sha256: hash.digest('hex') };
}
