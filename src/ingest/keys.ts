import { type Database, quoteText } from '../database.ts';
import type { Resource } from '../resource/field.ts';
import { recordShape } from './raw-fields.ts';
import { faultMember } from './record-query.ts';

const UNKNOWN = faultMember('unknown');

/** How many records are looked at to find the usual keys. */
const SAMPLE_RECORDS = 1000;

/** How many different lists of keys are taken for usual; each is compared with each record. */
const MAX_USUAL = 8;

/** The lists of keys that the first records have, most frequent first, but none in which a key stands twice. */
export async function readUsualKeys(database: Database, relation: string): Promise<string[][]> {
  const usual = await database.rows<{ keys: string[] }>(`
    SELECT json_keys(json) AS keys
    FROM (FROM (${relation}) LIMIT ${SAMPLE_RECORDS})
    GROUP BY keys
    ORDER BY count(*) DESC, keys
    LIMIT ${MAX_USUAL}`);
  return usual.map(({ keys }) => keys).filter((keys) => new Set(keys).size === keys.length);
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
