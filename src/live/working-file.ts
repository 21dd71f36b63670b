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

/** How a working file comes to be what this version of the program works on. */
export interface WorkingParts {
  /** Fills a new, empty database where there is no generation to start from. */
  readonly create: (database: Database) => Promise<void>;
  /** Tells what `prepare` makes in one version of the program from what it makes in another. */
  readonly definitions: string;
  /** Makes what is derived from the records. Run on a new working file, and on one of other definitions. */
  readonly prepare: (database: Database) => Promise<void>;
  readonly now: Date;
}

/** The working file of a server that takes changes, owned by this process alone until it is closed. */
export interface Working {
  readonly database: Database;
  close(): Promise<void>;
  /** What the data versions of all that comes out of this file begin with. */
  readonly baseVersion: string;
  /** The published generation that was there at the opening; undefined when there was none. */
  readonly publishedVersion: string | undefined;
}

/** What `loaded_from` says where no dataset was loaded. */
const NO_DATASET = 'no dataset';

/** The lock of the one process that works with a working file. @throws AppError busy when another has it. */
async function openOwnership(work: string, taken: Taken): Promise<Database> {
  // The engine's own lock of the file is gone once this process has copied it, as a publication does.
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
 * Opens the working file of a database. Where there is none it is made: from the published generation, or empty when there is none either.
 * @throws AppError busy when another server owns it, or a load is under way; storage when the published generation comes from elsewhere.
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
 * Writes what is committed into the working file itself, which then stays as it is: what is written later goes to the log beside it. Only
 * while nobody writes. publishWorking ends it.
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

/** Lets the engine write into the working file again. */
function thawWorking(working: Database): Promise<void> {
  return working.run('RESET checkpoint_threshold');
}

/**
 * Publishes what a frozen working file holds, like a load does: the pair of files is built beside and renamed over.
 * @param build Makes of the copy of the working file, in which the schema `service` is no more, what is published.
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

/** Makes what is derived anew. Its numbers may differ from those before, so all versions from here on are others. */
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

/** Makes the working file where there is none. What is killed on the way leaves none. */
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
      // Of a working file that somebody has removed.
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

/** Gives a new working file its records, and says where they come from. */
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
