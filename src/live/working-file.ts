import { constants, existsSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Database, type OpenOptions, openDatabase, quoteText } from '../database/database.ts';
import { steps } from '../database/steps.ts';
import { AppError } from '../error.ts';
import {
  assertUnlinked,
  journalFile,
  nextFile,
  removeDatabase,
  removeLeftovers,
  storageError,
  syncPath,
  workingFile,
} from './generation-files.ts';
import { openAlone, openLoadLock, openLock, type Taken } from './generation-lock.ts';
import { isGeneration, makeDataVersion, openGeneration, readDataVersion, stampGeneration } from './open-generation.ts';
import { assertOwn, createOrigin, readOrigin, renewOrigin, voidDefinitions } from './origin.ts';
import { type Build, publishGeneration } from './publish.ts';

/** The steps that bring a working file to the state needed by this version of the program. */
export interface WorkingParts {
  /** Fills a new, empty database when there is no generation to start from. */
  readonly create: (database: Database) => Promise<void>;
  /** Digest of what `prepare` makes; differs between versions of the program. */
  readonly definitions: string;
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

/** Value of `loaded_from` when no dataset was loaded. */
const NO_DATASET = 'no dataset';

/**
 * Opens the lock of the one process that uses a working file.
 * @throws AppError busy when another process has it.
 */
async function openOwnership(work: string, taken: Taken): Promise<Database> {
  // DuckDB's own lock on the file is lost when this process copies it, as a publication does.
  return openLock(work, taken).catch((error: unknown) => {
    throw storageError(work, error);
  });
}

/**
 * Opens the working file of a database to read it while no server owns it.
 * @throws AppError storage when there is none, busy when a server owns it.
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
  const owned = await openOwnership(work, {
    message: `A server owns ${work} just now`,
    hint: 'Stop the server first.',
  });
  try {
    const database = await openDatabase(work, { ...options, readOnly: true });
    const close = () => database.close().finally(() => owned.close());
    await readOrigin(database, work).catch(async (error: unknown) => {
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
 * generation has another origin.
 */
export async function openWorking(file: string, options: OpenOptions, parts: WorkingParts): Promise<Working> {
  const work = workingFile(file);
  const taken = {
    message: `Another server owns ${work}`,
    hint: 'One server at a time takes changes of a database. Stop the other, or serve without --write.',
  };
  await assertUnlinked(file);
  const owned = await openOwnership(work, taken);
  let database: Database | undefined;
  const close = async () => {
    await database?.close();
    await owned.close();
  };
  try {
    await makeFile(file, work, options, parts).catch((error: unknown) => {
      throw storageError(work, error);
    });
    database = await openAlone(work, options, taken);
    const origin = await readOrigin(database, work);
    const publishedVersion = await readPublished(file, options);
    await assertOwn(database, { file, work, ...origin, publishedVersion });
    const isReady = origin.definitions === parts.definitions;
    const baseVersion = isReady ? origin.base_version : await prepare(database, parts, publishedVersion);
    return { database, baseVersion, publishedVersion, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Checkpoints into the working file, which then stays unchanged: later writes go to the log beside it.
 * Requires that nobody writes; publishWorking ends the freeze.
 */
export async function freezeWorking(working: Database): Promise<void> {
  await working.run("SET checkpoint_threshold = '1TB'");
  try {
    await steps.take('checkpoint', () => working.run('CHECKPOINT'));
  } catch (error) {
    await thawWorking(working);
    throw error;
  }
}

/** Allows checkpoints into the working file again. */
function thawWorking(working: Database): Promise<void> {
  return working.run('RESET checkpoint_threshold');
}

/**
 * Publishes a frozen working file as a load does: builds both files beside the old ones and renames them.
 * @param build Turns the copy of the working file, without its schema `service`, into the published files.
 */
export async function publishWorking(
  working: Database,
  file: string,
  options: OpenOptions,
  build: Pick<Build<void>, 'generation' | 'withoutRates'>,
): Promise<void> {
  const copy = (next: string) => copyFile(workingFile(file), next, constants.COPYFILE_FICLONE);
  try {
    await publishGeneration(file, options, {
      ...build,
      place: (next) => steps.take('copy the working file', () => copy(next)),
      async generation(database) {
        await database.run('DROP SCHEMA service CASCADE');
        await build.generation(database);
      },
    });
  } finally {
    await thawWorking(working);
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
async function makeFile(
  file: string,
  work: string,
  options: OpenOptions,
  { create, now }: WorkingParts,
): Promise<void> {
  const lock = await openLoadLock(file);
  try {
    if (existsSync(work)) return;
    await removeLeftovers(work);
    const next = nextFile(work);
    try {
      if (existsSync(file)) await copyFile(file, next, constants.COPYFILE_FICLONE);
      await fillFile(next, options, create, now);
      await syncPath(next);
      // Leftovers of a working file that somebody removed.
      for (const left of [`${work}.wal`, journalFile(file)]) await rm(left, { force: true });
      await rename(next, work);
      await syncPath(dirname(work));
    } catch (error) {
      await removeDatabase(next);
      throw error;
    }
  } finally {
    await lock.close();
  }
}

/** Fills a new working file with its records and their origin. */
async function fillFile(
  next: string,
  options: OpenOptions,
  create: (database: Database) => Promise<void>,
  now: Date,
): Promise<void> {
  const database = await openDatabase(next, options);
  try {
    const isCopy = await isGeneration(database);
    if (!isCopy) {
      await create(database);
      await stampGeneration(database, NO_DATASET, now);
    }
    const madeFrom = isCopy ? await readDataVersion(database) : '';
    await createOrigin(database, madeFrom);
    await database.run('CHECKPOINT');
  } finally {
    await database.close();
  }
}

async function readPublished(file: string, options: OpenOptions): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const generation = await openGeneration(file, options);
  return readDataVersion(generation).finally(() => generation.close());
}
