import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { FormattedRow } from '../mapping/row-columns.ts';
import type { RowTally } from '../mapping/row-tally.ts';
import type { Encoding } from './encoding.ts';
import { MAX_RECORD_BYTES } from './relation.ts';

/** The size of the lines of JSON that any load may write: a small file must not fill the disk. Unit: bytes. */
export const SPOOL_ALLOWANCE_BYTES = 268_435_456;

/** The times the size of its files that a load may write in addition. */
export const MAX_SPOOL_RATIO = 100;

/** The reason for setting aside a record that is too long. */
export const TOO_LONG = `has more than ${MAX_RECORD_BYTES / 1024 / 1024} MiB`;

/** The beginning kept of a record that is too long. Unit: characters. */
const MAX_KEPT_CHARACTERS = 65_536;

/** The disk space of a load for files converted from its input. */
export interface SpoolRoom {
  /** The beginning of their paths. */
  readonly prefix: string;
  /** Counts bytes before they are written. @throws AppError limit */
  take(bytes: number, file: string): void;
}

/** A file of lines of JSON, made from an input file. */
export interface SpoolFile {
  append(text: string | Buffer): Promise<void>;
  close(): Promise<void>;
}

export interface SpooledFile {
  readonly encoding: Encoding;
  /** Its rows that are no records. */
  readonly tally: RowTally;
}

/** Opens the room of a load beside its database, where there is space for files of its size, or in the system's folder. */
export async function openSpoolRoom(
  database: Database,
  files: readonly { readonly path: string; readonly bytes: number }[],
): Promise<SpoolRoom> {
  const [row] = await database.rows<{ path: string | null }>(
    'SELECT path FROM duckdb_databases() WHERE database_name = current_database()',
  );
  // The sheets of a workbook are one file.
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const inputBytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const most = SPOOL_ALLOWANCE_BYTES + MAX_SPOOL_RATIO * inputBytes;
  let taken = 0;
  return {
    prefix: row?.path ?? join(tmpdir(), `plumbline-${process.pid}`),
    take(bytes, file) {
      taken += bytes;
      if (taken <= most) return;
      const sizes = `the files of this load have ${inputBytes} bytes, and the records in them more than ${most}`;
      throw new AppError('limit', `${file} holds too much: ${sizes}`, {
        hint: 'Check it for a long text that many rows repeat, or for rows filled down by mistake. Nothing was loaded.',
      });
    },
  };
}

/** Opens a file for writing. @param name The input file, for messages. */
export async function openSpoolFile(path: string, name: string, room: SpoolRoom): Promise<SpoolFile> {
  const file = await open(path, 'w');
  return {
    async append(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      room.take(bytes.length, name);
      // write may store only part of the text; appendFile continues, or throws on a full disk.
      await file.appendFile(bytes);
    },
    close: () => file.close(),
  };
}

/** Formats a row as a line: a record, or one that is set aside. */
export function formatRowLine({ record, reason }: FormattedRow): string {
  return reason === undefined ? formatRecordLine(`{${record}}`) : formatBrokenLine(reason, `{${record}}`);
}

/** Formats a record as a line. A record that is too long is set aside, and only its beginning is kept. */
export function formatRecordLine(record: string): string {
  return record.length < MAX_RECORD_BYTES / 3 || Buffer.byteLength(record) < MAX_RECORD_BYTES
    ? `${record}\n`
    : formatBrokenLine(TOO_LONG, keepBeginning(record));
}

/** Formats an unreadable record as a line: [reason, record]. Only the beginning of a long record is kept. */
export function formatBrokenLine(reason: string, record: string): string {
  const line = `${JSON.stringify([reason, record])}\n`;
  if (line.length < MAX_RECORD_BYTES / 3 || Buffer.byteLength(line) < MAX_RECORD_BYTES) return line;
  return formatBrokenLine(reason, keepBeginning(record));
}

/** Returns the part kept of a record that is too long. */
export function keepBeginning(record: string): string {
  return record.slice(0, MAX_KEPT_CHARACTERS).toWellFormed();
}
