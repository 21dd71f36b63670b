import { existsSync, readdirSync } from 'node:fs';
import { chmod, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../error.ts';
import { closingsFolder } from '../generation/generation-files.ts';
import { type BackupFile, copyDurably } from './backup-files.ts';

/** A file of the kept states in a backup, by its path in their folder. */
export type HistoryFile = Omit<BackupFile, 'name'> & { readonly name: string };

/** The folder of kept states in a backup. */
const HISTORY_FOLDER = 'company.closings';

const LOG = 'events.ndjson';

/** The attempts at copying states and log of one moment. */
const MAX_HISTORY_ATTEMPTS = 3;

/** A path that leads to a file of a state, and nowhere else. */
const SAFE_PATH = /^(?:[\p{L}\p{N}][\p{L}\p{N} ._()+@-]{0,199}\/){0,2}[\p{L}\p{N}][\p{L}\p{N} ._()+@-]{0,199}$/u;

/** Tells whether a path in a manifest may be one of a file of kept states. */
export function isHistoryPath(path: unknown): boolean {
  return typeof path === 'string' && SAFE_PATH.test(path);
}

/**
 * Copies the kept states of a database and their log into the folder of a backup.
 * @throws AppError busy if states are kept or removed all the time.
 */
export async function copyHistory(database: string, folder: string): Promise<HistoryFile[]> {
  const from = closingsFolder(database);
  if (!existsSync(join(from, LOG))) return [];
  const to = join(folder, HISTORY_FOLDER);
  for (let attempt = 1; attempt <= MAX_HISTORY_ATTEMPTS; attempt += 1) {
    await rm(to, { recursive: true, force: true });
    const before = await readFile(join(from, LOG));
    const files = await copyPaths(from, to, [LOG, ...listStates(from)]).catch((error: unknown) => {
      // A state that was removed meanwhile; the log says so.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    });
    if (files && before.equals(await readFile(join(from, LOG)))) return files;
  }
  throw new AppError('busy', `The kept states in ${from} changed during each of ${MAX_HISTORY_ATTEMPTS} copies`, {
    hint: 'Back up again.',
  });
}

/** Returns the paths of all files of states, without what an interrupted keeping has left. */
function listStates(from: string): string[] {
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1))
    .filter((path) => path.includes('/') && !path.startsWith('.'));
}

async function copyPaths(from: string, to: string, paths: readonly string[]): Promise<HistoryFile[]> {
  const files: HistoryFile[] = [];
  for (const name of paths) {
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    files.push({ name, ...(await copyDurably(join(from, name), join(to, name))) });
  }
  return files;
}

/**
 * Copies the kept states of a backup to a path beside their place, and compares each file with the manifest.
 * @throws AppError storage if one is another than the one that was backed up.
 */
export async function copyHistoryBack(backup: string, to: string, files: readonly HistoryFile[]): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const { name, bytes, sha256 } of files) {
    const from = join(backup, HISTORY_FOLDER, name);
    const entry = await lstat(from).catch(() => undefined);
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    const copied = entry?.isFile() ? await copyDurably(from, join(to, name)) : undefined;
    if (copied?.bytes !== bytes || copied.sha256 !== sha256) {
      throw new AppError(
        'storage',
        `${from} is not the file that was backed up: it is missing, or its SHA-256 differs`,
        {
          hint: 'Restore another backup. Nothing was changed.',
        },
      );
    }
    await chmod(join(to, name), 0o600);
  }
}
