import { type Database, quoteText } from '../../../base/database/index.ts';
import type { Items } from '../../resource/field.ts';
import { innerLists, type Resource } from '../../resource/resource.ts';
import { itemShape, recordShape } from './raw-fields.ts';
import { itemsOf } from './record-query.ts';

/** The sample size for finding the usual keys. Unit: records. */
const SAMPLE_RECORDS = 1000;

/** The most key lists taken as usual; each is compared with every record. */
const MAX_USUAL = 8;

/** The longest list of keys taken as usual: each is in the statement several times. */
export const MAX_USUAL_KEYS = 500;

export interface SampledKeys {
  /** The most frequent key lists, most frequent first, without lists that repeat a key or are too long. */
  readonly usual: readonly (readonly string[])[];
  readonly all: readonly string[];
}

export async function readKeys(database: Database, relation: string): Promise<SampledKeys> {
  const lists = await database.rows<{ keys: string[] | null }>(`
    SELECT json_keys(json) AS keys
    FROM (FROM (${relation}) LIMIT ${SAMPLE_RECORDS})
    GROUP BY keys
    ORDER BY count(*) DESC, keys`);
  const found = lists.map(({ keys }) => keys ?? []);
  return {
    usual: found
      .slice(0, MAX_USUAL)
      .filter((keys) => keys.length <= MAX_USUAL_KEYS && new Set(keys).size === keys.length),
    all: [...new Set(found.flat())],
  };
}

/** Returns SQL for the names of all keys of records, each once: with a list of names in each row, a wide file would not fit into memory. */
function distinctKeys(relation: string): string {
  return `SELECT DISTINCT unnest(json_keys(json)) AS name FROM (${relation})`;
}

/** Reads the names of all keys of records into the temporary table record_keys, which is empty otherwise. */
export async function collectKeys(database: Database, relation: string): Promise<void> {
  await database.run(`INSERT INTO record_keys ${distinctKeys(relation)}`);
}

/** Returns the known keys of a resource among the collected ones. */
export async function readKnownKeys(database: Database, resource: Resource): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    `SELECT name FROM record_keys WHERE name IN (${listTexts(recordShape(resource).keys)})`,
  );
  return rows.map(({ name }) => name);
}

/** Stores the unknown fields among the usual key lists and the collected keys, which are then removed. */
export async function noteUnknown(database: Database, resource: Resource, usualKeys: readonly string[]): Promise<void> {
  const usual = `SELECT unnest(CAST([${listTexts(usualKeys)}] AS VARCHAR[])) AS name`;
  await note(database, resource, {
    names: `${usual} UNION SELECT name FROM record_keys`,
    known: [...recordShape(resource).keys, ...resource.counted],
  });
  await database.run('TRUNCATE record_keys');
}

/** Stores the unknown fields of list items, as list.field. */
export async function noteUnknownOfItems(
  database: Database,
  resource: Resource,
  [list, items]: readonly [name: string, items: Items],
): Promise<void> {
  const relation = `WITH ${itemsOf(resource, list, items)} SELECT json FROM item`;
  await note(database, resource, {
    names: distinctKeys(relation),
    known: itemShape(
      items,
      innerLists(resource, list).map(({ field }) => field),
    ).keys,
    prefix: `${list}.`,
  });
}

async function note(
  database: Database,
  resource: Resource,
  { names, known, prefix = '' }: { names: string; known: readonly string[]; prefix?: string },
): Promise<void> {
  await database.run(`
    INSERT INTO source.load_notes
    SELECT 'unknown field', ${quoteText(resource.name)}, ${quoteText(prefix)} || name
    FROM (SELECT DISTINCT name FROM (${names}))
    WHERE name NOT IN (${listTexts(known)})
    ORDER BY name`);
}

function listTexts(texts: readonly string[]): string {
  return texts.map(quoteText).join(', ');
}
