import { type Database, quoteText } from '../database/database.ts';
import type { Resource } from '../resource/resource.ts';
import { recordShape } from './raw-fields.ts';
import { UNKNOWN } from './record-query.ts';

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

export async function readUnknownKeys(database: Database, table: string): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(`SELECT DISTINCT unnest(${UNKNOWN}) AS name FROM ${table}`);
  return rows.map(({ name }) => name);
}

/** Stores the unknown fields of a resource: those of the usual key lists and of each other record. */
export async function noteUnknown(database: Database, resource: Resource, usualKeys: readonly string[]): Promise<void> {
  const known = recordShape(resource).keys;
  const usual = usualKeys.filter((key) => !known.includes(key)).map(quoteText);
  await database.run(`
    INSERT INTO source.load_notes
    SELECT 'unknown field', ${quoteText(resource.name)}, name
    FROM (
      SELECT unnest(CAST([${usual.join(', ')}] AS VARCHAR[])) AS name
      UNION
      SELECT unnest(${UNKNOWN}) FROM source.${resource.name}
    )
    ORDER BY name`);
}

/** Stores the unknown fields of list items, as list.field. */
export async function noteUnknownOfItems(
  database: Database,
  resource: Resource,
  list: string,
  table: string,
): Promise<void> {
  await database.run(`
    INSERT INTO source.load_notes
    SELECT DISTINCT 'unknown field', ${quoteText(resource.name)}, ${quoteText(list)} || '.' || unnest(${UNKNOWN}) AS name
    FROM ${table}
    ORDER BY name`);
}
