import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Items } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';
import { CREATE_SEEN_RATES } from '../../resource/seen-rates.ts';
import { collectKeys, noteUnknown, noteUnknownOfItems, readKeys, readKnownKeys } from './keys.ts';
import { absentFields, type RecordOptions } from './raw-fields.ts';
import { buildItemQuery, buildRecordQuery, LEFT_OUT, REASONS, UNKNOWN } from './record-query.ts';
import { notePositions, setItemsAside, setRecordsAside, setValuesAside } from './set-aside.ts';
import { setWholeAside } from './whole-records.ts';

/** The record counts of a resource: read = loaded + setAside + duplicates. */
export interface LoadCounts {
  readonly read: number;
  readonly loaded: number;
  readonly setAside: number;
  readonly duplicates: number;
  /** Items and values set aside inside loaded records. */
  readonly itemsSetAside: number;
  /** Values rounded to 4 decimals, in loaded records and items. */
  readonly roundedValues: number;
}

export interface LoadSource {
  readonly resource: Resource;
  readonly relation: string;
  /** The field of a nested record filled from the id of the record around it. */
  readonly containerId?: string | undefined;
  /** The size of the files. Unit: bytes. */
  readonly bytes: number;
  /** Times of records without any, as YYYY-MM-DD HH:MM:SS in UTC; undefined leaves them empty. */
  readonly at: string | undefined;
}

/** The size from which finding the usual keys first saves time. Unit: bytes. */
const LARGE_BYTES = 1024 * 1024;

export async function createLoadTables(database: Database): Promise<void> {
  await database.run(`
    CREATE SCHEMA source;
    CREATE TABLE source.rejected (resource VARCHAR, file VARCHAR, position BIGINT, record_id VARCHAR, item VARCHAR,
      reasons VARCHAR[], record VARCHAR);
    CREATE TABLE source.load_notes (kind VARCHAR, resource VARCHAR, name VARCHAR);
    ${CREATE_SEEN_RATES};
    CREATE TEMP TABLE record_keys (name VARCHAR);
    CREATE TEMP TABLE input_files (number INTEGER, name VARCHAR, resource VARCHAR, bytes BIGINT,
      records BIGINT DEFAULT 0, first_row BIGINT);
    CREATE TEMP TABLE line_origins (number INTEGER, line BIGINT, field VARCHAR, list VARCHAR, item BIGINT,
      own_number INTEGER, own_row BIGINT);`);
}

export const NO_COUNTS: LoadCounts = {
  read: 0,
  loaded: 0,
  setAside: 0,
  duplicates: 0,
  itemsSetAside: 0,
  roundedValues: 0,
};

/**
 * Loads the records and nested items of a resource; bad ones go into source.rejected.
 * The tables keep the column `origin` until finishTables.
 * @throws AppError check if the counts don't add up.
 */
export async function loadRecords(database: Database, source: LoadSource): Promise<LoadCounts> {
  const { resource } = source;
  const table = `source.${resource.name}`;
  const { usualKeys, statistics } = await createTable(database, table, source);
  const { rows: read, bad: badRecords, odd, rounded } = statistics;
  await notePositions(database, table);
  if (odd > 0 || usualKeys.length > 0) await noteUnknown(database, resource, usualKeys.flat());
  if (badRecords > 0) await setRecordsAside(database, resource);
  const duplicates = await removeDuplicates(database, resource);
  const leftOut = statistics.leftOut > 0 ? await setValuesAside(database, resource) : 0;
  const items = await loadLists(database, resource);
  const setAside = badRecords + (await setWholeAside(database, resource));
  const left = setAside + duplicates > 0 ? await readStatistics(database, table) : { rows: read, rounded };
  if (read !== left.rows + setAside + duplicates) {
    const sum = `${left.rows} loaded, ${setAside} set aside and ${duplicates} duplicates`;
    throw new AppError('check', `${resource.name}: of ${read} records read, ${sum} don't add up`, {
      hint: 'This is a fault of the program: please report it, with the file if you can.',
    });
  }
  const roundedValues = left.rounded + items.rounded;
  return { read, loaded: left.rows, setAside, duplicates, itemsSetAside: items.bad + leftOut, roundedValues };
}

/**
 * Creates the table of a resource.
 * Fields missing from the sampled records are assumed missing from all, so they cost nothing;
 * if a later record has one, the table is created again.
 * @returns The usual keys, if there are many records, and the statistics of the table.
 */
async function createTable(
  database: Database,
  table: string,
  { resource, relation, containerId, bytes, at }: LoadSource,
): Promise<{ readonly usualKeys: readonly (readonly string[])[]; readonly statistics: Statistics }> {
  const keys = await readKeys(database, relation);
  const usualKeys = bytes > LARGE_BYTES ? keys.usual : [];
  const create = async (absent: readonly string[]) => {
    const options: RecordOptions = { containerId, usualKeys, absent };
    await database.run(`CREATE TABLE ${table} AS\n${buildRecordQuery(resource, relation, { ...options, at })}`);
  };
  const absent = absentFields(resource, keys.all);
  await create(absent);
  const statistics = await readStatistics(database, table);
  if (statistics.odd === 0) return { usualKeys, statistics };
  await collectKeys(database, relation);
  const left = absentFields(resource, await readKnownKeys(database, resource));
  if (left.length === absent.length) return { usualKeys, statistics };
  await database.run(`DROP TABLE ${table}`);
  await create(left);
  return { usualKeys, statistics: await readStatistics(database, table) };
}

/** Removes the columns needed only during the load. */
export async function finishTables(database: Database, resources: readonly Resource[]): Promise<void> {
  const statements = resources.flatMap(({ name, id, lists }) => [
    `ALTER TABLE source.${name} DROP COLUMN origin;`,
    `ALTER TABLE source.${name} ALTER COLUMN ${id} SET NOT NULL;`,
    ...Object.values(lists).map(({ table }) => `ALTER TABLE source.${table} DROP COLUMN origin;`),
  ]);
  await database.transaction(() => database.run(statements.join('\n')));
}

interface Statistics {
  readonly rows: number;
  readonly bad: number;
  /** Rows with unknown keys. */
  readonly odd: number;
  readonly leftOut: number;
  readonly rounded: number;
}

async function readStatistics(database: Database, table: string): Promise<Statistics> {
  const [row] = await database.rows<Statistics>(`
    SELECT count(*) AS rows, count(${REASONS}) AS bad, count(${UNKNOWN}) AS odd, count(${LEFT_OUT}) AS "leftOut",
      COALESCE(sum(origin.rounded), 0) AS rounded
    FROM ${table}`);
  return row ?? { rows: 0, bad: 0, odd: 0, leftOut: 0, rounded: 0 };
}

/** Deletes all but the last of several records with one id. Returns the number deleted. */
async function removeDuplicates(database: Database, { name, id }: Resource): Promise<number> {
  // Hashes of texts are grouped faster than texts; ids are compared only where hashes collide.
  const [deleted] = await database.rows<{ Count: number }>(`
    DELETE FROM source.${name} WHERE rowid IN (
      WITH suspect AS (SELECT hash(${id}) AS hash FROM source.${name} GROUP BY ALL HAVING count(*) > 1)
      SELECT row
      FROM (
        SELECT rowid AS row, max(rowid) OVER (PARTITION BY ${id}) AS last_row
        FROM source.${name}
        WHERE hash(${id}) IN (SELECT hash FROM suspect)
      )
      WHERE row < last_row)`);
  return deleted?.Count ?? 0;
}

async function loadLists(database: Database, resource: Resource): Promise<{ bad: number; rounded: number }> {
  let bad = 0;
  let rounded = 0;
  for (const [list, items] of Object.entries(resource.lists)) {
    const statistics = await loadItems(database, resource, list, items);
    bad += statistics.bad;
    rounded += statistics.rounded;
  }
  return { bad, rounded };
}

async function loadItems(database: Database, resource: Resource, list: string, items: Items): Promise<Statistics> {
  const table = `source.${items.table}`;
  await database.run(`CREATE TABLE ${table} AS\n${buildItemQuery(resource, list, items)}`);
  const statistics = await readStatistics(database, table);
  if (statistics.odd > 0) await noteUnknownOfItems(database, resource, [list, items]);
  if (statistics.bad === 0) return statistics;
  await setItemsAside(database, resource, list, table);
  const { rounded } = await readStatistics(database, table);
  return { ...statistics, rounded };
}
