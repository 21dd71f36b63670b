import { type Database, quoteText } from '../database/database.ts';
import type { Resource } from '../resource/field.ts';
import { recordShape } from './raw-fields.ts';
import { faultMember } from './record-query.ts';

const UNKNOWN = faultMember('unknown');

/** How many records are looked at to find the usual keys. */
const SAMPLE_RECORDS = 1000;

/** How many different lists of keys are taken for usual; each is compared with each record. */
const MAX_USUAL = 8;

/** Keys of the first records of a resource. */
export interface SampledKeys {
  /** The most frequent lists of keys, most frequent first, but none in which a key stands twice. */
  readonly usual: readonly (readonly string[])[];
  /** Every key, once. */
  readonly all: readonly string[];
}

/** Reads the keys of the first records. */
export async function readKeys(database: Database, relation: string): Promise<SampledKeys> {
  const lists = await database.rows<{ keys: string[] | null }>(`
    SELECT json_keys(json) AS keys
    FROM (FROM (${relation}) LIMIT ${SAMPLE_RECORDS})
    GROUP BY keys
    ORDER BY count(*) DESC, keys`);
  const found = lists.map(({ keys }) => keys ?? []);
  return {
    usual: found.slice(0, MAX_USUAL).filter((keys) => new Set(keys).size === keys.length),
    all: [...new Set(found.flat())],
  };
}

/** Reads the keys that were taken to mean nothing in a table that is being loaded. */
export async function readUnknownKeys(database: Database, table: string): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(`SELECT DISTINCT unnest(${UNKNOWN}) AS name FROM ${table}`);
  return rows.map(({ name }) => name);
}

/** Notes the keys that mean nothing: of records with the usual keys these, of the others each one's own. */
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

/** Notes the keys of a list's items that mean nothing, under the list's name. */
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
