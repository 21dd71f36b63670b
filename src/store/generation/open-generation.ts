import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readVersion } from '../../base/config/index.ts';
import {
  type Database,
  formatCompactTime,
  formatTime,
  type OpenOptions,
  openDatabase,
  quoteText,
} from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { assertDatabaseFile, fileWithoutRates } from './generation-files.ts';
import { FORMAT, readDefinitions } from './model-definitions.ts';
import { createSyncTables } from './sync-tables.ts';

/** A published generation and its copy without rates, of the same data version, open to read. */
export interface Published {
  readonly dataVersion: string;
  readonly generation: Database;
  readonly withoutRates: Database;
  /** Must be called. */
  close(): Promise<void>;
}

/** The longest wait for two files that differ while a load renames them. Unit: ms. */
const PAIR_WAIT_MS = 2_000;

const PAIR_RETRY_MS = 50;

/**
 * Opens a loaded database to read its records and reports.
 * @throws AppError storage as openReadable, and for a copy without rates.
 */
export async function openGeneration(file: string, options: OpenOptions): Promise<Database> {
  const database = await openReadable(file, options);
  await assertWhole(database, file).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return database;
}

/**
 * Opens a loaded database, or a copy without rates, to read it.
 * @throws AppError storage when there is none, it holds no dataset, or another version loaded it in another format.
 */
export async function openReadable(file: string, options: OpenOptions): Promise<Database> {
  const database = await openAnyGeneration(file, options);
  const definitions = await readDefinitions(database);
  if (definitions?.format === FORMAT) return database;
  await database.close();
  throw new AppError('storage', `${file} was loaded by an earlier version of Plumbline, with other tables`, {
    hint: 'Load the dataset again with this version: plumbline load DIR. A server with --write does so by itself when it starts.',
  });
}

/**
 * Opens a database loaded by this version or an earlier one.
 * @throws AppError storage when there is none, it holds no dataset, or a later version gave it other tables.
 */
export async function openAnyGeneration(file: string, options: OpenOptions): Promise<Database> {
  const database = await openDatabase(file, { ...options, readOnly: true });
  try {
    if (await isGeneration(database)) {
      await assertFormatKnown(database, file);
      return database;
    }
  } catch (error) {
    await database.close();
    throw error;
  }
  await database.close();
  throw new AppError('storage', `${file} holds no loaded dataset`, {
    hint: 'Load a dataset first: plumbline load DIR, or name another file with --database.',
  });
}

/** @throws AppError storage for a database of a later format, which this version neither reads nor replaces. */
export async function assertFormatKnown(database: Database, file: string): Promise<void> {
  const { format = 0 } = (await readDefinitions(database)) ?? {};
  if (format > FORMAT) throw laterFormatError(file, format);
}

/**
 * Checks a file under the name of a database before a server waits for one, or a sync makes one: no load replaces another file.
 * @throws AppError storage for a file that is no database, or one of a later format.
 */
export async function assertServable(file: string): Promise<void> {
  const entry = await stat(file).catch(() => undefined);
  if (!entry || (entry.isFile() && entry.size === 0)) return;
  await assertDatabaseFile(file);
  // A file that another program holds, or that is damaged, is told of by the server, which reads the next one.
  const database = await openDatabase(file, { readOnly: true }).catch(() => undefined);
  if (database) await assertFormatKnown(database, file).finally(() => database.close());
}

/** Returns the error about something of a later format. @param name The thing: a file, a kept state, a backup. */
export function laterFormatError(name: string, format: number): AppError {
  const problem = `${name} has the format ${format} of a later version of Plumbline: version ${readVersion()} reads those up to ${FORMAT}`;
  return new AppError('storage', problem, {
    hint: 'Use the later version, or name another file. With a backup of this version, plumbline restore brings its data back. Nothing was changed.',
  });
}

/**
 * Opens a loaded database and its copy without rates, waiting for a load that is publishing them.
 * @throws AppError storage when one of them is missing, or they stay of different loads.
 */
export async function openPublished(file: string, options: OpenOptions): Promise<Published> {
  const deadline = performance.now() + PAIR_WAIT_MS;
  for (;;) {
    const generation = await openGeneration(file, options);
    const dataVersion = await readDataVersion(generation);
    const withoutRates = await openCopy(file, options, dataVersion).catch(async (error: unknown) => {
      await generation.close();
      if (performance.now() > deadline) throw error;
    });
    if (withoutRates) {
      const close = async () => {
        await generation.close();
        await withoutRates.close();
      };
      return { dataVersion, generation, withoutRates, close };
    }
    await sleep(PAIR_RETRY_MS);
  }
}

/**
 * Opens the copy without rates of a loaded database.
 * @param dataVersion The data version that the copy must have.
 * @throws AppError storage when there is none, or it is of another load.
 */
export async function openCopy(file: string, options: OpenOptions, dataVersion: string): Promise<Database> {
  const copy = fileWithoutRates(file);
  const hint = 'plumbline serve makes it anew when it starts, and a load writes both files together.';
  if (!existsSync(copy)) throw new AppError('storage', `There is no copy without rates ${copy}`, { hint });
  const database = await openReadable(copy, options);
  const found = await readDataVersion(database);
  if (found === dataVersion) return database;
  await database.close();
  throw new AppError('storage', `${copy} has the data version ${found}, and ${file} has ${dataVersion}`, { hint });
}

/** Tests whether a generation has records, which a copy without rates doesn't have. */
export async function hasRecords(database: Database): Promise<boolean> {
  const people = await database.rows(
    "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'source' AND table_name = 'people'",
  );
  return people.length > 0;
}

/** Checks that a generation is no copy without rates, which has no records. @throws AppError storage */
export async function assertWhole(database: Database, file: string): Promise<void> {
  if (await hasRecords(database)) return;
  throw new AppError('storage', `${file} is a copy without rates, which only status and sql read`, {
    hint: 'Name the database that it is a copy of with --database, or read this file with plumbline sql.',
  });
}

export async function readDataVersion(database: Database): Promise<string> {
  const [row] = await database.rows<{ data_version: string }>('SELECT data_version FROM source.generation');
  return row?.data_version ?? '';
}

/** Marks the database as a generation of its own, with a unique data_version and the time. */
export async function stampGeneration(database: Database, directory: string, now: Date): Promise<string> {
  const version = makeDataVersion(now);
  await database.run(`CREATE OR REPLACE TABLE source.generation AS
    SELECT ${quoteText(version)} AS data_version, TIMESTAMP ${quoteText(formatTime(now))} AS loaded_at, ${quoteText(directory)} AS loaded_from`);
  await createSyncTables(database);
  return version;
}

export function makeDataVersion(now: Date): string {
  return `${formatCompactTime(now)}-${randomBytes(4).toString('hex')}`;
}

/** Returns whether a load made the database, with any version of the program. */
export async function isGeneration(database: Database): Promise<boolean> {
  const tables = await database.rows(
    "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'source' AND table_name = 'generation'",
  );
  return tables.length > 0;
}
