import { type Database, quoteName, quoteText } from '../database.ts';
import { AppError } from '../error.ts';
import type { Items, Resource } from '../resource/field.ts';
import { recordShape } from './raw-fields.ts';
import { buildItemQuery, buildRecordQuery } from './record-query.ts';

/** How many records of a resource went where; read = loaded + setAside + duplicates. */
export interface LoadCounts {
  readonly read: number;
  readonly loaded: number;
  readonly setAside: number;
  readonly duplicates: number;
  /** Items inside loaded records. */
  readonly itemsSetAside: number;
  /** Values that were rounded to 4 decimals, in loaded records and items. */
  readonly roundedValues: number;
}

/** The records of one resource, to be loaded. */
export interface RecordSource {
  readonly resource: Resource;
  /** SQL for them. */
  readonly relation: string;
  /** The field that the id of the record around a nested one fills in. */
  readonly containerId?: string | undefined;
  /** The size of their files. Unit: bytes. */
  readonly bytes: number;
}

/** From here on it pays to find out first which keys most records have. Unit: bytes. */
const LARGE_BYTES = 1024 * 1024;

/** How many records are looked at for that. */
const SAMPLE_RECORDS = 1000;

/** Creates the tables that a load fills beside those of the resources. */
export async function createLoadTables(database: Database): Promise<void> {
  await database.run(`
    CREATE SCHEMA source;
    CREATE TABLE source.rejected (resource VARCHAR, file VARCHAR, position BIGINT, record_id VARCHAR, item VARCHAR,
      reasons VARCHAR[], record VARCHAR);
    CREATE TABLE source.load_notes (kind VARCHAR, resource VARCHAR, name VARCHAR);
    CREATE TEMP TABLE input_files (number INTEGER, name VARCHAR, resource VARCHAR, bytes BIGINT, sha256 VARCHAR,
      records BIGINT DEFAULT 0, first_row BIGINT);`);
}

/**
 * Loads the records of a resource and the items inside them into their tables, and what can't be right into source.rejected.
 * The tables keep the column `origin` until finishTables.
 * @throws AppError check when the counts don't add up.
 */
export async function loadRecords(database: Database, source: RecordSource): Promise<LoadCounts> {
  const { resource, relation, containerId, bytes } = source;
  const table = `source.${resource.name}`;
  const usualKeys = bytes > LARGE_BYTES ? await readUsualKeys(database, relation) : undefined;
  await database.run(`CREATE TABLE ${table} AS\n${buildRecordQuery(resource, relation, { containerId, usualKeys })}`);
  const read = await count(database, table);
  await notePositions(database, table);
  await noteUnknown(database, resource, usualKeys ?? []);
  const setAside = await setRecordsAside(database, resource);
  const duplicates = await removeDuplicates(database, resource);
  let itemsSetAside = 0;
  let roundedValues = await countRounded(database, table);
  for (const [list, items] of Object.entries(resource.items ?? {})) {
    itemsSetAside += await loadItems(database, resource, list, items);
    roundedValues += await countRounded(database, `source.${items.table}`);
  }
  const loaded = await count(database, table);
  if (read !== loaded + setAside + duplicates) {
    const sum = `${loaded} loaded, ${setAside} set aside and ${duplicates} duplicates`;
    throw new AppError('check', `${resource.name}: of ${read} records read, ${sum} don't add up`, {
      hint: 'This is a fault of the program: please report it, with the file if you can.',
    });
  }
  return { read, loaded, setAside, duplicates, itemsSetAside, roundedValues };
}

/** Removes from the tables of some resources what was only needed while loading. */
export async function finishTables(database: Database, resources: readonly Resource[]): Promise<void> {
  await database.transaction(async () => {
    for (const { name, id, items } of resources) {
      await database.run(
        `ALTER TABLE source.${name} DROP COLUMN origin; ALTER TABLE source.${name} ALTER COLUMN ${id} SET NOT NULL;`,
      );
      for (const { table } of Object.values(items ?? {})) {
        await database.run(`ALTER TABLE source.${table} DROP COLUMN origin;`);
      }
    }
  });
}

/** Where each file's records begin, so that a row's position in its file is known until rows are removed. */
async function notePositions(database: Database, table: string): Promise<void> {
  await database.run(`
    UPDATE input_files SET records = place.records, first_row = place.first_row
    FROM (
      SELECT origin.file AS file, count(*) AS records, min(rowid) AS first_row
      FROM ${table}
      WHERE origin.container_row IS NULL
      GROUP BY ALL
    ) AS place
    WHERE place.file = input_files.number`);
}

/** The keys of most records, in their order; undefined if one stands twice. */
async function readUsualKeys(database: Database, relation: string): Promise<string[] | undefined> {
  const [usual] = await database.rows<{ keys: string[] }>(`
    SELECT json_keys(json) AS keys
    FROM (FROM (${relation}) LIMIT ${SAMPLE_RECORDS})
    GROUP BY keys
    ORDER BY count(*) DESC, keys
    LIMIT 1`);
  return usual && new Set(usual.keys).size === usual.keys.length ? usual.keys : undefined;
}

/** Notes the keys that mean nothing: of records with the usual keys these, of the others each one's own. */
async function noteUnknown(database: Database, resource: Resource, usualKeys: readonly string[]): Promise<void> {
  const known = recordShape(resource).keys;
  const usual = usualKeys.filter((key) => !known.includes(key)).map(quoteText);
  await database.run(`
    INSERT INTO source.load_notes
    SELECT DISTINCT 'unknown field', ${quoteText(resource.name)}, unnest([${usual.join(', ')}]::VARCHAR[] || unknown) AS name
    FROM (SELECT DISTINCT origin.unknown AS unknown FROM source.${resource.name} UNION ALL SELECT NULL)
    ORDER BY name`);
}

async function noteUnknownOfItems(database: Database, resource: Resource, list: string, table: string): Promise<void> {
  await database.run(`
    INSERT INTO source.load_notes
    SELECT DISTINCT 'unknown field', ${quoteText(resource.name)}, ${quoteText(list)} || '.' || unnest(origin.unknown) AS name
    FROM ${table}
    ORDER BY name`);
}

async function setRecordsAside(database: Database, resource: Resource): Promise<number> {
  const table = `source.${resource.name}`;
  const bad = await count(database, table, 'origin.reasons IS NOT NULL');
  if (bad === 0) return 0;
  const paths = resource.fields[resource.id]?.from ?? [resource.id];
  const ids = paths
    .map((path) => `json_extract_string(origin.record, ${quoteText(`$.${quoteName(path)}`)})`)
    .join(', ');
  await database.run(`
    INSERT INTO source.rejected
    SELECT ${quoteText(resource.name)}, file.name, COALESCE(origin.container_row, bad.rowid) - file.first_row + 1,
      CASE WHEN json_valid(origin.record) THEN COALESCE(${ids}) END, NULL, origin.reasons, origin.record
    FROM ${table} AS bad
    JOIN input_files AS file ON file.number = origin.file
    WHERE origin.reasons IS NOT NULL
    ORDER BY bad.rowid;
    DELETE FROM ${table} WHERE origin.reasons IS NOT NULL;`);
  return bad;
}

/** Of several records with one id the last counts. */
async function removeDuplicates(database: Database, { name, id }: Resource): Promise<number> {
  const table = `source.${name}`;
  // Hashes of ids are grouped faster than the ids; only where two are the same the ids themselves are looked at.
  await database.run(`
    CREATE OR REPLACE TEMP TABLE replaced AS
    WITH suspect AS (SELECT hash(${id}) AS hash FROM ${table} GROUP BY ALL HAVING count(*) > 1)
    SELECT row
    FROM (
      SELECT rowid AS row, max(rowid) OVER (PARTITION BY ${id}) AS last_row
      FROM ${table}
      WHERE hash(${id}) IN (SELECT hash FROM suspect)
    )
    WHERE row < last_row`);
  const duplicates = await count(database, 'replaced');
  if (duplicates > 0) await database.run(`DELETE FROM ${table} WHERE rowid IN (SELECT row FROM replaced)`);
  return duplicates;
}

async function loadItems(database: Database, resource: Resource, list: string, items: Items): Promise<number> {
  const table = `source.${items.table}`;
  await database.run(`CREATE TABLE ${table} AS\n${buildItemQuery(resource, list, items)}`);
  await noteUnknownOfItems(database, resource, list, table);
  const bad = await count(database, table, 'origin.reasons IS NOT NULL');
  if (bad === 0) return 0;
  await database.run(`
    INSERT INTO source.rejected
    SELECT ${quoteText(resource.name)}, file.name, origin.container_row - file.first_row + 1, CAST(${resource.id} AS VARCHAR),
      format('${list}[{}]', position), origin.reasons, origin.record
    FROM ${table} AS bad
    JOIN input_files AS file ON file.number = origin.file
    WHERE origin.reasons IS NOT NULL
    ORDER BY bad.rowid;
    DELETE FROM ${table} WHERE origin.reasons IS NOT NULL;`);
  return bad;
}

async function count(database: Database, table: string, condition = 'TRUE'): Promise<number> {
  const [row] = await database.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE ${condition}`);
  return row?.count ?? 0;
}

async function countRounded(database: Database, table: string): Promise<number> {
  const [row] = await database.rows<{ rounded: number }>(
    `SELECT COALESCE(sum(origin.rounded), 0) AS rounded FROM ${table}`,
  );
  return row?.rounded ?? 0;
}
