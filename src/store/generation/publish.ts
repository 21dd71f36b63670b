import { existsSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Database, type OpenOptions, openDatabase, quoteText, steps } from '../../base/database/index.ts';
import { AppError, makeBeside, nextFile, replaceFile, shareWithOthers, syncPath } from '../../base/index.ts';
import {
  assertNamedForDatabase,
  assertUnlinked,
  fileWithoutRates,
  isDuckdbFile,
  removeLeftovers,
  storageError,
  workingFile,
} from './generation-files.ts';
import { openLoadLock } from './generation-lock.ts';
import { assertFormatKnown, isGeneration } from './open-generation.ts';

/** The content of a generation's files; each database is new and empty unless `place` fills it. */
export interface Build<T> {
  /** Places a copy of the server's own data at the path of the build. Absent for loads. */
  readonly place?: (next: string) => Promise<void>;
  /** Fills the generation, and returns the result of the publication. */
  readonly generation: (database: Database) => Promise<T>;
  /** Fills the copy without rates; `generation` is attached. Absent: no copy is published. */
  readonly withoutRates?: (database: Database) => Promise<void>;
  /** Throws if the built files must not replace the old ones. */
  readonly assertPublishable?: () => void;
  /** Keeps what the file at this path is about to replace. A failure of it is one of the publication. */
  readonly keepReplaced?: ((next: string) => Promise<void>) | undefined;
}

/**
 * Builds the next generation and its copy without rates, then renames both over the old files.
 * A failure or a kill leaves the files unchanged, and open readers keep theirs.
 * The copy is renamed just before the generation, so a new generation always has its copy.
 * After a kill in between, the copy is a generation ahead: `data_version` shows it, and republishCopy repairs it.
 * @throws AppError busy when another load is running or a server owns the data, storage when a file
 * is not a database or can't be written.
 */
export async function publishGeneration<T>(file: string, options: OpenOptions, build: Build<T>): Promise<T> {
  const copy = fileWithoutRates(file);
  await assertPairReplaceable(file);
  if (!build.place) assertUnowned(file);
  const lock = await openLoadLock(file);
  try {
    // A server may have become the owner just before the lock was free.
    if (!build.place) assertUnowned(file);
    removeLeftovers(file);
    removeLeftovers(copy);
    const [next, nextCopy] = [nextFile(file), nextFile(copy)];
    return await makeBeside(next, () =>
      makeBeside(nextCopy, () => buildAndRename({ file, next }, { file: copy, next: nextCopy }, options, build)),
    );
  } catch (error) {
    throw storageError(file, error);
  } finally {
    await lock.close();
  }
}

/**
 * Checks that a load may replace a database, without doing so.
 * @throws AppError as publishGeneration does before it builds anything.
 */
export async function assertLoadable(file: string): Promise<void> {
  await assertPairReplaceable(file);
  assertUnowned(file);
}

async function assertPairReplaceable(file: string): Promise<void> {
  assertNamedForDatabase(file);
  await assertUnlinked(file);
  await assertReplaceable(file);
  await assertReplaceable(fileWithoutRates(file));
}

/**
 * Makes the copy without rates of a published generation anew, and renames it into place.
 * @param fill Fills the copy; `generation` is attached.
 * @throws AppError busy during a load, which makes one itself; storage when it can't be written.
 */
export async function republishCopy(
  file: string,
  options: OpenOptions,
  fill: (database: Database) => Promise<void>,
): Promise<void> {
  const copy = fileWithoutRates(file);
  await assertUnlinked(file);
  await assertReplaceable(copy);
  const lock = await openLoadLock(file);
  try {
    removeLeftovers(copy);
    await replaceFile(copy, (next) => buildCopy(next, options, file, fill));
  } catch (error) {
    throw storageError(copy, error);
  } finally {
    await lock.close();
  }
}

interface Built {
  readonly file: string;
  readonly next: string;
}

async function buildAndRename<T>(
  { file, next }: Built,
  copy: Built,
  options: OpenOptions,
  build: Build<T>,
): Promise<T> {
  const { place, withoutRates } = build;
  await place?.(next);
  const answer = await steps.take('build the generation', () => buildFile(next, options, build.generation));
  if (withoutRates) {
    await steps.take('build the copy without rates', () => buildCopy(copy.next, options, next, withoutRates));
  }
  await steps.take('sync the generation', () => syncPath(next));
  if (withoutRates) await steps.take('sync the copy without rates', () => syncPath(copy.next));
  build.assertPublishable?.();
  if (existsSync(file)) await build.keepReplaced?.(next);
  if (withoutRates) await steps.take('rename the copy without rates', () => rename(copy.next, copy.file));
  await steps.take('rename the generation', () => rename(next, file));
  await steps.take('sync the folder', () => syncPath(dirname(file)));
  return answer;
}

/** Builds a copy without rates, which others may read. @param fill Fills it; `generation` is attached. */
async function buildCopy(
  file: string,
  options: OpenOptions,
  generation: string,
  fill: (database: Database) => Promise<void>,
): Promise<void> {
  await buildFile(file, options, async (database) => {
    await database.run(`ATTACH ${quoteText(generation)} AS generation (READ_ONLY)`);
    await fill(database);
    await database.run('DETACH generation');
  });
  await shareWithOthers(file);
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

/** Keeps a load from overwriting a file that no load made, such as a text file named by mistake. */
async function assertReplaceable(file: string): Promise<void> {
  if (!existsSync(dirname(file))) {
    throw new AppError('storage', `There is no folder ${dirname(file)} for the database ${basename(file)}`, {
      hint: 'Make the folder first, or name another file with --database.',
    });
  }
  if (!existsSync(file)) return;
  const entry = await stat(file);
  if (entry.isFile() && entry.size === 0) return;
  if (entry.isFile() && (await isDuckdbFile(file))) return assertOurs(file);
  throw new AppError('storage', `${file} is not a database, so it is not replaced`, {
    hint: 'Name another file with --database, or remove this one first.',
  });
}

/** Keeps a load from overwriting a DuckDB file of another origin; readers may have the file open. */
async function assertOurs(file: string): Promise<void> {
  const database = await openDatabase(file, { readOnly: true });
  try {
    // No load creates tables or views in the schema main.
    const added = await database.rows(
      `SELECT 1 FROM duckdb_tables() WHERE schema_name = 'main' AND NOT internal
      UNION ALL SELECT 1 FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal`,
    );
    if (added.length === 0 && (await isGeneration(database))) return await assertFormatKnown(database, file);
  } finally {
    await database.close();
  }
  throw new AppError('storage', `${file} contains something other than a dataset, so it is not replaced`, {
    hint: 'Name another file with --database, or remove this one first.',
  });
}

/** Refuses a load while a working file exists: the load would discard the changes in it. */
function assertUnowned(file: string): void {
  const work = workingFile(file);
  if (!existsSync(work)) return;
  throw new AppError('busy', `A server owns the data of ${file}: ${work} contains the changes made through it`, {
    hint: `A server with --write or --sync and plumbline sync take changes themselves. To discard these changes, stop the server or the sync, move ${basename(work)} and what begins with its name away, and load again.`,
  });
}
