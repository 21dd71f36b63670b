import { readdirSync, rmSync } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describeFileFailure, fileError, findInCause, isDiskFull, isFailure } from '../../base/database/index.ts';
import { AppError, fileReasonOf, NEXT_MARK } from '../../base/index.ts';

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

/** Returns the path of the folder that a sync keeps beside the database: company.sync beside company.duckdb. */
export function syncFolder(file: string): string {
  return `${splitExtension(file).base}.sync`;
}

/** Returns the path of the file that tells how the last sync ended. */
export function syncStatusFile(file: string): string {
  return join(syncFolder(file), 'status.json');
}

/** Returns the path of the folder of kept states: company.closings beside company.duckdb. */
export function closingsFolder(file: string): string {
  return `${splitExtension(file).base}.closings`;
}

/** Returns the path of the folder of the files that were loaded into live data: company.loads beside company.duckdb. */
export function loadsFolder(file: string): string {
  return `${splitExtension(file).base}.loads`;
}

/** The outbox of a database in a backup: its log, the folder of what is still to be sent, and whose files these are. */
export const OUTBOX = {
  log: 'company.deliveries.ndjson',
  folder: 'company.deliveries',
  owner: 'a delivery',
  endings: 'Deliveries',
} as const;

/** Returns the path of the log of a database's outbox: company.deliveries.ndjson beside company.duckdb. */
export function outboxLog(file: string): string {
  return `${outboxFolder(file)}.ndjson`;
}

export function outboxFolder(file: string): string {
  return `${splitExtension(file).base}.deliveries`;
}

/** Returns the path of the folder of the databases that were published last, with which the next publication is compared. */
export function publishedFolder(file: string): string {
  return `${splitExtension(file).base}.published`;
}

function isNamedWorking(file: string): boolean {
  return file.endsWith(WORK_MARK) || splitExtension(file).base.endsWith(WORK_MARK);
}

function isNamedWithoutRates(file: string): boolean {
  return file.endsWith(COPY_MARK) || splitExtension(file).base.endsWith(COPY_MARK);
}

/**
 * Checks that a database isn't named like a file that is written beside one.
 * @throws AppError usage
 */
export function assertNamedForDatabase(file: string): void {
  if (isNamedWithoutRates(file)) {
    throw new AppError('usage', `${file} is named like a copy without rates, and the rates would be written to it`, {
      hint: 'Name the database itself with --database; its copy without rates is written beside it.',
    });
  }
  if (isNamedWorking(file)) {
    throw new AppError('usage', `${file} is named like the working file of a server, which only a server may write`, {
      hint: 'Name the database itself with --database.',
    });
  }
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
      throw new AppError('storage', `${name} is a link, and must be a file of its own`, {
        hint: `Replace it by the file that it leads to. Only the database itself may be a link.`,
      });
    }
    if (name === work && entry && entry.nlink > 1) {
      throw new AppError('storage', `${name} has ${entry.nlink} names (hard links); only one is allowed`, {
        hint: 'Remove the other names. plumbline backup makes a backup.',
      });
    }
  }
}

function splitExtension(file: string): { base: string; extension: string } {
  const [extension = ''] = /(?<=[^/])\.[^./]*$/.exec(file) ?? [];
  return { base: file.slice(0, file.length - extension.length), extension };
}

export function lockPart(lock: string): string {
  return `${lock}${PART_MARK}${process.pid}`;
}

const PART_MARK = '.part-';

/** Removes the leftovers of killed loads. Requires the lock of the file. */
export function removeLeftovers(file: string): void {
  const prefixes = [`${basename(file)}${NEXT_MARK}`, `${basename(file)}.lock${PART_MARK}`];
  const left = readdirSync(dirname(file)).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
  for (const name of left) rmSync(join(dirname(file), name), { recursive: true, force: true });
}

/** Removes a database file and the files that DuckDB creates beside it. */
export async function removeDatabase(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.wal`, { force: true });
  await rm(`${file}.tmp`, { recursive: true, force: true });
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

/** @throws AppError storage for a file that is no database, or can't be read. */
export async function assertDatabaseFile(file: string): Promise<void> {
  const hint = 'Name the file of a loaded database with --database.';
  const isDatabase = await isDuckdbFile(file).catch((cause: unknown) => {
    throw new AppError('storage', `Can't read ${file}: ${fileReasonOf(cause)}`, { hint, cause });
  });
  if (!isDatabase) throw new AppError('storage', `${file} is not a database`, { hint });
}

/** The ways on from a full disk, by the kind of the file. */
const FREE_SPACE = {
  generation: '(a load needs about twice the size of the database for a while) and load again. Nothing was changed.',
  working:
    '(a sync, like a server that takes changes, needs about twice the size of the database for a while) and start it again. Nothing was changed.',
  publication: '(a publication needs about twice the size of the database for a while).',
  backup: '(a backup is as large as the files that it holds) and back up again. Nothing was changed.',
  restore:
    '(a restore needs room for all files of the backup, beside those that it replaces) and restore again. Nothing was changed.',
  sync: '(a sync needs about twice the size of the database for a while) and sync again. Nothing was changed.',
  preview:
    '(a preview works on a copy in the folder for temporary files, which TMPDIR names) and try again. Nothing was changed.',
  keep: '(where files can have no second name, a kept state is a copy of both files) and keep it again. Nothing was changed.',
  outbox: '(what is sent is kept until its last target has it). What is due is tried again.',
};

/** The way on from a place that can't be written, by the kind of the file. */
const ELSEWHERE: Readonly<Partial<Record<keyof typeof FREE_SPACE, string>>> = {
  generation: 'name another file with --database',
  working: 'name another file with --database',
  restore: 'name another file with --database',
  sync: 'name another file with --database',
  backup: 'name another folder for the backup',
  preview: 'name another folder for temporary files with TMPDIR',
};

/** Converts an error of writing a file into one with a hint; returns any other unchanged. */
export function storageError(file: string, error: unknown, kind: keyof typeof FREE_SPACE = 'generation'): unknown {
  const isStorage = error instanceof AppError && error.code === 'storage';
  // Messages about wrong data may contain anything, so only the system's own words mean a full disk.
  const isFull =
    error instanceof AppError && !isStorage ? findInCause(error, 'noSpace') !== undefined : isDiskFull(error);
  if (isFull) {
    return new AppError('storage', `The disk that holds ${file} is full or can't be written`, {
      hint: `Free some space ${FREE_SPACE[kind]}`,
      // The system's own words, by which a caller tells the same failure and gives its own hint.
      cause: isStorage ? error.cause : error,
    });
  }
  const forbidden = isStorage ? findInCause(error, 'forbidden') : refusalOf(file, error);
  if (!forbidden) return fileError(error);
  const elsewhere = ELSEWHERE[kind];
  return new AppError('storage', `Can't write ${file}: ${forbidden}`, {
    hint: `Check that you may write in its folder${elsewhere ? `, or ${elsewhere}` : ''}.`,
    cause: error,
  });
}

/** Returns why the system refused a file or one that is made beside it; undefined for other files: those are read. */
function refusalOf(file: string, error: unknown): string | undefined {
  const { path = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return path.startsWith(file) && isFailure(error, 'forbidden') ? describeFileFailure(error) : undefined;
}
