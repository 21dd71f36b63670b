import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { type Database, type OpenOptions, openDatabase, openError, quoteText } from '../../base/database/index.ts';
import { AppError, copyPrivately, replaceFile } from '../../base/index.ts';
import {
  assertNamedForDatabase,
  assertUnlinked,
  journalFile,
  removeLeftovers,
  storageError,
  workingFile,
} from '../generation/generation-files.ts';
import { type LockConflict, openAlone, openLoadLock, openLock } from '../generation/generation-lock.ts';
import { readDefinitions } from '../generation/model-definitions.ts';
import {
  assertFormatKnown,
  assertWhole,
  isGeneration,
  makeDataVersion,
  openAnyGeneration,
  readDataVersion,
  stampGeneration,
} from '../generation/open-generation.ts';
import { assertOwn, createOrigin, readOrigin, renewOrigin, voidDefinitions } from '../generation/origin.ts';

/** The steps that bring a working file to the state needed by this version of the program. */
export interface WorkingParts {
  /** Fills a new, empty database when there is no generation to start from. */
  readonly create: (database: Database) => Promise<void>;
  /** Digest of what `prepare` makes; differs between versions of the program. */
  readonly definitions: string;
  /**
   * Prepares a copy of a generation whose models have these definitions.
   * @returns false if they must be built nevertheless.
   */
  readonly adopt: (database: Database) => Promise<boolean>;
  /** Builds everything derived from the records, in a new working file or one with other definitions. */
  readonly prepare: (database: Database) => Promise<void>;
  readonly now: Date;
}

/** The working file of a writable server, owned by this process until it is closed. */
export interface Working {
  readonly database: Database;
  close(): Promise<void>;
  /** Common prefix of all data versions made from this file. */
  readonly baseVersion: string;
  /** The published generation at the time of opening; undefined when there was none. */
  readonly publishedVersion: string | undefined;
}

/** The value of `loaded_from` before a dataset is loaded. */
export const NO_DATASET = 'no dataset';

/**
 * Opens the lock of the one process that uses a working file.
 * @throws AppError busy when another process has it.
 */
export async function openOwnership(work: string, conflict: LockConflict): Promise<Database> {
  // DuckDB's own lock on the file is lost when this process copies it, as a publication does.
  return openLock(work, conflict).catch((error: unknown) => {
    throw storageError(work, error, 'working');
  });
}

/**
 * Opens the working file of a database to read it while no server owns it.
 * @throws AppError storage when the file is missing or a file beside it a link, busy when a server owns it.
 */
export async function openIdleWorking(
  file: string,
  options: OpenOptions,
): Promise<Pick<Working, 'database' | 'close'>> {
  const work = workingFile(file);
  if (!existsSync(work)) {
    throw new AppError('storage', `There is no working file ${work}`, {
      hint: 'A server that takes changes (serve --write) makes it. Name its database with --database.',
    });
  }
  await assertUnlinked(file);
  const owned = await openOwnership(work, {
    message: `A server owns ${work} just now`,
    hint: 'Stop the server first.',
  });
  try {
    const database = await openDatabase(work, { ...options, readOnly: true });
    const close = () => database.close().finally(() => owned.close());
    await assertFormatKnown(database, work)
      .then(() => readOrigin(database, work))
      .catch(async (error: unknown) => {
        await database.close();
        throw error;
      });
    return { database, close };
  } catch (error) {
    await owned.close();
    throw error;
  }
}

/**
 * Opens the working file of a database, made first if missing: from the published generation, or empty.
 * @throws AppError busy when another server owns it or a load is running; storage when the published
 * generation has another origin or is a copy without rates; usage for a database named like a file beside one.
 */
export async function openWorking(file: string, options: OpenOptions, parts: WorkingParts): Promise<Working> {
  const work = workingFile(file);
  const conflict = {
    message: `Another server or sync owns ${work}`,
    hint: 'Only one at a time can change a database. Stop the other; a server without --write and --sync may run beside it.',
  };
  assertNamedForDatabase(file);
  await assertUnlinked(file);
  const owned = await openOwnership(work, conflict);
  let database: Database | undefined;
  const close = async () => {
    await database?.close();
    await owned.close();
  };
  try {
    await makeFile(file, work, options, parts).catch((error: unknown) => {
      throw storageError(work, error, 'working');
    });
    database = await openAlone(work, options, conflict);
    await assertFormatKnown(database, work);
    const origin = await readOrigin(database, work);
    const publishedVersion = await readPublishedVersion(file, options);
    await assertOwn(database, { file, work, ...origin, publishedVersion });
    const isReady = origin.definitions === parts.definitions;
    const baseVersion = isReady ? origin.base_version : await prepare(database, parts, publishedVersion);
    return { database, baseVersion, publishedVersion, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rebuilds the derived data under a new base version, because its numbers may differ from before. */
async function prepare(
  database: Database,
  { prepare: make, definitions, now }: WorkingParts,
  publishedVersion = '',
): Promise<string> {
  await voidDefinitions(database);
  await make(database);
  const version = makeDataVersion(now);
  await database.transaction(async () => {
    await database.run(`UPDATE source.generation SET data_version = ${quoteText(version)}`);
    await renewOrigin(database, { base_version: version, made_from: publishedVersion, definitions });
  });
  return version;
}

/** Makes the working file if there is none; a kill leaves no file. */
async function makeFile(file: string, work: string, options: OpenOptions, parts: WorkingParts): Promise<void> {
  const lock = await openLoadLock(file);
  try {
    // Versions before 0.4.0 let others read it; a file of another user stays as it is.
    if (existsSync(work)) return await chmod(work, 0o600).catch(() => undefined);
    removeLeftovers(work);
    await replaceFile(work, async (next) => {
      if (existsSync(file)) await copyPrivately(file, next);
      await fillFile(file, next, options, parts);
      // Leftovers of a working file that somebody removed.
      for (const left of [`${work}.wal`, journalFile(file)]) await rm(left, { force: true });
    });
  } finally {
    await lock.close();
  }
}

/** Fills a new working file with its records and their origin, and prepares it if its models are up to date. */
async function fillFile(
  file: string,
  next: string,
  options: OpenOptions,
  { create, definitions, adopt, now }: WorkingParts,
): Promise<void> {
  const database = await openDatabase(next, options).catch((error: unknown) => {
    // The copy is of a file that is no database, or of another version of the engine.
    throw error instanceof AppError && error.cause !== undefined ? openError(file, error.cause) : error;
  });
  try {
    const isCopy = await isGeneration(database);
    if (isCopy) {
      await assertFormatKnown(database, file);
      await assertWhole(database, file);
    } else {
      await create(database);
      await stampGeneration(database, NO_DATASET, now);
    }
    const isBuilt = isCopy && (await readDefinitions(database))?.digest === definitions;
    await createOrigin(database, {
      made_from: isCopy ? await readDataVersion(database) : '',
      ...(isBuilt ? { base_version: makeDataVersion(now), definitions } : { base_version: '', definitions: '' }),
    });
    if (isBuilt && !(await adopt(database))) await voidDefinitions(database);
    await database.run('CHECKPOINT');
  } finally {
    await database.close();
  }
}

/** Reads the data version of a published file, loaded by any version of the program; undefined if there is none. */
export async function readPublishedVersion(file: string, options: OpenOptions): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const generation = await openAnyGeneration(file, options);
  return readDataVersion(generation).finally(() => generation.close());
}
