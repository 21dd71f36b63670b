import { type Database, quoteText } from '../../../base/database/index.ts';
import type { Apart } from '../../resource/field.ts';
import { type Resource, sharedDaysReason } from '../../resource/resource.ts';
import { faultText } from './record-query.ts';
import { setRecordsAside } from './set-aside.ts';

/**
 * Sets loaded records aside, with the items of their lists, that break a constraint over these, or share days with an earlier one of the same keys.
 * @returns The number of records.
 */
export async function setWholeAside(database: Database, resource: Resource): Promise<number> {
  const { whole, apart } = resource;
  const broken = whole.length === 0 ? 0 : await setFaultyAside(database, resource, selectBroken(resource));
  if (!apart) return broken;
  const sharing = await selectSharing(database, resource, apart);
  return broken + (sharing === undefined ? 0 : await setFaultyAside(database, resource, sharing));
}

/** Selects the rows (place) of records that break a constraint over their lists, with the reasons. */
function selectBroken({ table, whole, lists }: Resource): string {
  const tables = Object.values(lists).map((items) => `${items.table} AS (SELECT * FROM source.${items.table})`);
  const reasons = whole.map(({ broken, reason }) => `CASE WHEN ${broken} THEN ${quoteText(reason)} END`);
  return `SELECT place, reasons
  FROM (
    WITH ${tables.join(', ')}
    SELECT record.rowid AS place, list_filter([${reasons.join(', ')}], lambda reason: reason IS NOT NULL) AS reasons
    FROM ${table} AS record
  )
  WHERE len(reasons) > 0`;
}

interface SpanRow {
  readonly place: number;
  readonly keys: string;
  readonly first: string;
  readonly last: string | null;
}

/**
 * Selects the rows (place) of records with days of an earlier one of the same keys, by the first day and the id, with the reason; undefined if there are
 * none. A record that is set aside takes no days.
 */
async function selectSharing(database: Database, resource: Resource, apart: Apart): Promise<string | undefined> {
  const { id, table } = resource;
  const { keys, start, end } = apart;
  const records = await database.rows<SpanRow>(`
    SELECT rowid AS place, CAST([${keys.join(', ')}] AS VARCHAR) AS keys, CAST(${start} AS VARCHAR) AS first, CAST(${end} AS VARCHAR) AS last
    FROM ${table}
    ORDER BY ${[...keys, start, id].join(', ')}`);
  const pairs: string[] = [];
  let kept: SpanRow | undefined;
  for (const record of records) {
    const isFree = record.keys !== kept?.keys || (kept.last !== null && kept.last < record.first);
    if (isFree) kept = record;
    else pairs.push(`(${record.place}, ${kept?.place})`);
  }
  if (pairs.length === 0) return undefined;
  return `SELECT pairs.place, [${sharedDaysReason({ id, ...apart })}] AS reasons
  FROM (VALUES ${pairs.join(', ')}) AS pairs (place, kept)
  JOIN ${table} AS earlier ON earlier.rowid = pairs.kept`;
}

/** Sets records aside, and the items of their lists. @param faulty Selects their rows (place) with the reasons. */
async function setFaultyAside(database: Database, resource: Resource, faulty: string): Promise<number> {
  const { table, id, fields, lists } = resource;
  const own = Object.keys(fields).filter((name) => !fields[name]?.isMoment);
  const sent = Object.keys(lists).map((name) => {
    const text = `origin.lists.${name}`;
    return `'${name}': CASE WHEN json_valid(${text}) THEN CAST(${text} AS JSON) ELSE to_json(${text}) END`;
  });
  const record = `json_merge_patch('{}', to_json({${[...own.map((name) => `'${name}': ${name}`), ...sent].join(', ')}}))`;
  const [updated] = await database.rows<{ Count: number }>(`
    UPDATE ${table} SET origin = struct_update(origin, fault := faulty.fault)
    FROM (
      SELECT place, ${faultText(`CAST(${record} AS VARCHAR)`)} AS fault
      FROM (SELECT *, FALSE AS unknown, NULL AS left_out FROM (${faulty})) AS found
      JOIN ${table} AS records ON records.rowid = found.place
    ) AS faulty
    WHERE faulty.place = ${resource.name}.rowid`);
  const count = updated?.Count ?? 0;
  if (count === 0) return 0;
  await setRecordsAside(database, resource);
  for (const items of Object.values(lists))
    await database.run(`DELETE FROM source.${items.table} WHERE ${id} NOT IN (SELECT ${id} FROM ${table})`);
  return count;
}
