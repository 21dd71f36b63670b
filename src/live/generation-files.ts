import { readdirSync } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError, isDiskFull, messageOf } from '../error.ts';

/** Mark before the extension in the name of a copy without rates. */
const COPY_MARK = '.no-rates';

/** Mark before the extension in the name of a working file. */
const WORK_MARK = '.work';

/** Returns the path of the copy without rates: company.no-rates.duckdb beside company.duckdb. */
export function fileWithoutRates(file: string): string {
  const { base, extension } = splitExtension(file);
  return `${base}${COPY_MARK}${extension}`;
}

/** Returns the path of the working file: company.work.duckdb beside company.duckdb. */
export function workingFile(file: string): string {
  const { base, extension } = splitExtension(file);
  return `${base}${WORK_MARK}${extension}`;
}

/** Returns the path of the working file's journal, which holds writes not in it yet. */
export function journalFile(file: string): string {
  return `${workingFile(file)}.journal`;
}

export function isNamedWorking(file: string): boolean {
  return file.endsWith(WORK_MARK) || splitExtension(file).base.endsWith(WORK_MARK);
}

export function isNamedWithoutRates(file: string): boolean {
  return file.endsWith(COPY_MARK) || splitExtension(file).base.endsWith(COPY_MARK);
}

/**
 * Checks that no file beside a database is a link.
 * Two databases could share a linked file, and a rename would replace the link.
 * A working file must have a single name, because two servers would not see each other's locks.
 * @throws AppError storage
 */
export async function assertUnlinked(file: string): Promise<void> {
  const work = workingFile(file);
  const beside = [fileWithoutRates(file), work, `${work}.wal`, journalFile(file), `${file}.lock`, `${work}.lock`];
  for (const name of beside) {
    const entry = await lstat(name).catch(() => undefined);
    if (entry?.isSymbolicLink()) {
      throw new AppError('storage', `${name} is a link, and is to be a file of its own`, {
        hint: `Move what it leads to in its place. A link may name the database alone: --database is then followed to it.`,
      });
    }
    if (name === work && entry && entry.nlink > 1) {
      throw new AppError('storage', `${name} has ${entry.nlink} names (hard links), and may have one`, {
        hint: 'Remove the other names. To keep a backup, stop the server and copy the file.',
      });
    }
  }
}

function splitExtension(file: string): { base: string; extension: string } {
  const [extension = ''] = /(?<=[^/])\.[^./]*$/.exec(file) ?? [];
  return { base: file.slice(0, file.length - extension.length), extension };
}

/** Returns the path at which a file is built before publication. */
export function nextFile(file: string): string {
  return `${file}${NEXT_MARK}${process.pid}`;
}

const NEXT_MARK = '.next-';

/** Removes the leftovers of killed loads. */
export async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${basename(file)}${NEXT_MARK}`;
  const left = readdirSync(dirname(file)).filter((name) => name.startsWith(prefix));
  for (const name of left) await rm(join(dirname(file), name), { recursive: true, force: true });
}

/** Removes a database file and the files that DuckDB creates beside it. */
export async function removeDatabase(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.wal`, { force: true });
  await rm(`${file}.tmp`, { recursive: true, force: true });
}

/** Syncs a file, or the names in a folder, to disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Magic bytes of a DuckDB file, after its checksum. */
const MAGIC = { offset: 8, text: 'DUCK' };

export async function isDuckdbFile(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const bytes = Buffer.alloc(MAGIC.text.length);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, MAGIC.offset);
    return bytes.toString('latin1', 0, bytesRead) === MAGIC.text;
  } finally {
    await handle.close();
  }
}

/** Messages of the system about a path that is not writable. */
const FORBIDDEN = /Read-only file system|Permission denied/;

/** Converts an error of writing a file into one with a hint; returns any other unchanged. */
export function storageError(file: string, error: unknown): unknown {
  const cause = messageOf(error instanceof Error ? error.cause : '');
  const isStorage = error instanceof AppError && error.code === 'storage';
  // Messages about wrong data may contain anything, so only the system's own words mean a full disk.
  const isFull = error instanceof AppError && !isStorage ? /No space left|ENOSPC/.test(cause) : isDiskFull(error);
  if (isFull) {
    return new AppError('storage', `The disk that holds ${file} is full or can't be written`, {
      hint: 'Free some space (a load needs about twice the size of the database for a while) and load again. Nothing was changed.',
      cause: error,
    });
  }
  const [forbidden] = (isStorage && FORBIDDEN.exec(cause)) || [];
  if (!forbidden) return error;
  return new AppError('storage', `Can't write ${file}: ${forbidden}`, {
    hint: 'Check that you may write in its folder, or name another file with --database.',
    cause: error,
  });
}
