import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Database, type OpenOptions, openDatabase, quoteText } from './database.ts';
import { AppError, messageOf } from './error.ts';

/** Where a DuckDB file says that it is one: these bytes, after the checksum. */
const MAGIC = { offset: 8, text: 'DUCK' };

/**
 * Builds the next generation of a database beside it and, when it is whole and on disk, renames it over. Whatever fails on the way, or is
 * killed, leaves the file as it was, and those who read it keep the one that they opened.
 * @param build Fills the new, empty database. Its answer is the function's.
 * @throws AppError busy when another load of the same file is under way, storage when the file is not a database or can't be written.
 */
export async function publishGeneration<T>(
  file: string,
  options: OpenOptions,
  build: (database: Database) => Promise<T>,
): Promise<T> {
  await assertReplaceable(file);
  const lock = await openLock(file).catch((error) => {
    throw storageError(file, error);
  });
  try {
    await removeLeftovers(file);
    const next = `${file}.next-${process.pid}`;
    try {
      const answer = await buildFile(next, options, build);
      await syncPath(next);
      await rename(next, file);
      await syncPath(dirname(file));
      return answer;
    } catch (error) {
      await removeDatabase(next);
      throw storageError(file, error);
    }
  } finally {
    await lock.close();
  }
}

/**
 * Opens a loaded database to read it.
 * @throws AppError storage when there is none, or it holds no dataset.
 */
export async function openGeneration(file: string, options: OpenOptions): Promise<Database> {
  const database = await openDatabase(file, { ...options, readOnly: true });
  if (await isGeneration(database)) return database;
  await database.close();
  throw new AppError('storage', `${file} holds no loaded dataset`, {
    hint: 'Load a dataset first: plumbline load DIR, or name another file with --database.',
  });
}

/** Marks the database as a generation of its own: a data_version that no other has, and the time. */
export async function stampGeneration(database: Database, directory: string, now: Date): Promise<string> {
  const time = now.toISOString();
  const version = `${time.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${randomBytes(4).toString('hex')}`;
  await database.run(`CREATE OR REPLACE TABLE source.generation AS
    SELECT ${quoteText(version)} AS data_version, TIMESTAMP ${quoteText(time.slice(0, 19))} AS loaded_at, ${quoteText(directory)} AS loaded_from`);
  return version;
}

async function buildFile<T>(file: string, options: OpenOptions, build: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(file, options);
  try {
    const answer = await build(database);
    await database.run('CHECKPOINT');
    return answer;
  } finally {
    await database.close();
  }
}

/** A load must not overwrite what it hasn't made: a text file named by mistake, say. */
async function assertReplaceable(file: string): Promise<void> {
  if (!existsSync(dirname(file))) {
    throw new AppError('storage', `There is no folder ${dirname(file)} for the database ${basename(file)}`, {
      hint: 'Make the folder first, or name another file with --database.',
    });
  }
  if (!existsSync(file)) return;
  const { isFile, size } = await stat(file).then((entry) => ({ isFile: entry.isFile(), size: entry.size }));
  if (isFile && size === 0) return;
  if (isFile && (await readMagic(file)) === MAGIC.text) return assertOurs(file);
  throw new AppError('storage', `${file} is not a database, so it is not replaced`, {
    hint: 'Name another file with --database, or remove this one first.',
  });
}

/** DuckDB wrote it: whether a load did, only the inside tells. Readers may have it open, too. */
async function assertOurs(file: string): Promise<void> {
  const database = await openDatabase(file, { readOnly: true });
  try {
    // No load makes anything in the schema main: what stands there, somebody else has added.
    const added = await database.rows(
      `SELECT 1 FROM duckdb_tables() WHERE schema_name = 'main' AND NOT internal
      UNION ALL SELECT 1 FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal`,
    );
    if (added.length === 0 && (await isGeneration(database))) return;
  } finally {
    await database.close();
  }
  throw new AppError('storage', `${file} holds something else than a dataset, so it is not replaced`, {
    hint: 'Name another file with --database, or remove this one first.',
  });
}

/** Whether a load made the database, whichever version of the program it was. */
async function isGeneration(database: Database): Promise<boolean> {
  const tables = await database.rows(
    "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'source' AND table_name = 'generation'",
  );
  return tables.length > 0;
}

async function readMagic(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(MAGIC.text.length),
      0,
      MAGIC.text.length,
      MAGIC.offset,
    );
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * Node has no file locks, but DuckDB has: an empty database beside the file is held open for as long as a load runs. The operating
 * system frees it when the process ends, however it ends.
 */
async function openLock(file: string): Promise<Database> {
  try {
    return await openDatabase(`${file}.lock`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'busy') throw error;
    throw new AppError('busy', `Another load of ${file} is under way`, {
      hint: 'Wait until it has finished, then load again.',
      cause: error,
    });
  }
}

async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${basename(file)}.next-`;
  const left = readdirSync(dirname(file)).filter((name) => name.startsWith(prefix));
  for (const name of left) await rm(join(dirname(file), name), { recursive: true, force: true });
}

async function removeDatabase(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.wal`, { force: true });
  await rm(`${file}.tmp`, { recursive: true, force: true });
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What systems and DuckDB say of a disk, or a file, that takes no more. */
const FULL = /No space left|ENOSPC|File too large|EFBIG|EDQUOT|Could not write|write file/i;

/** What they say of a place that nobody may write to. */
const FORBIDDEN = /Read-only file system|Permission denied/;

function storageError(file: string, error: unknown): unknown {
  const cause = messageOf(error instanceof Error ? error.cause : '');
  const isStorage = error instanceof AppError && error.code === 'storage';
  // Wrong data and the like may be told in any words, so of those only the system's own for a full disk count.
  const isFull =
    error instanceof AppError && !isStorage
      ? /No space left|ENOSPC/.test(cause)
      : FULL.test(`${messageOf(error)} ${cause}`);
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
