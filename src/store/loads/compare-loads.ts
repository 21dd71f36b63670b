import { type Database, quoteText } from '../../base/database/index.ts';
import { type Resource, resources } from '../../records/resource/index.ts';
import { differ } from '../generation/record-versions.ts';
import {
  type ComparedList,
  type DifferenceCount,
  findDifferences,
  readDifferences,
} from '../sync/record-differences.ts';
import { keepFields, type Preferred, readConflicts } from './kept-fields.ts';
import type { FieldConflict } from './load-json.ts';

/*
 * The records of files become differences from the live data. `loaded` has the records of the loads before, and `pulled` those of
 * all loads now, both attached. What the files no longer have is gone, unless somebody has changed it or refers to it.
 */

/** The most conflicts that are told. Unit: conflicts. */
export const MAX_TOLD_CONFLICTS = 100;

/** The records of files beside the live data. */
export interface ComparedLoads {
  readonly lists: readonly ComparedList[];
  readonly differences: readonly DifferenceCount[];
  readonly conflicts: readonly FieldConflict[];
  /** Records that the files have, and somebody has deleted. They stay deleted. Unit: records. */
  readonly deletedHere: number;
  /** Records that the files no longer have, and others refer to. They stay. Unit: records. */
  readonly referred: number;
}

/** The lists of files: what they don't have is not gone for that. */
const LISTS: readonly ComparedList[] = resources.map((resource) => ({ resource, isWhole: false }));

/**
 * Finds what the files change, after those of the loads before and what others have written since.
 * @param preferred Decides conflicts.
 * @param at The moment of the load, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export async function compareLoads(session: Database, preferred: Preferred, at: string): Promise<ComparedLoads> {
  await session.run(`
    CREATE TABLE IF NOT EXISTS pulled.source.deleted (resource VARCHAR, record_id VARCHAR, deleted_at TIMESTAMP);
    DELETE FROM pulled.source.deleted`);
  const conflicts: FieldConflict[] = [];
  let deletedHere = 0;
  for (const resource of resources) {
    await session.run(keepForeign(resource));
    const gone = await findGone(session, resource, preferred, MAX_TOLD_CONFLICTS - conflicts.length);
    conflicts.push(...gone);
    deletedHere += await leaveDeleted(session, resource);
    conflicts.push(...(await readConflicts(session, resource, MAX_TOLD_CONFLICTS - conflicts.length)));
    await session.run(keepFields(resource, preferred).join(';\n'));
  }
  await findDifferences(session, LISTS, at);
  // A record that is set aside is no reason to remove another with its id.
  await session.run(`DELETE FROM pulled.source.difference WHERE what = 'gone' AND NOT EXISTS (
    SELECT 1 FROM pulled.source.deleted WHERE deleted.resource = difference.resource AND deleted.record_id = difference.record_id)`);
  const referred = await keepReferred(session);
  return { lists: LISTS, differences: await readDifferences(session), conflicts, deletedHere, referred };
}

/**
 * Builds the statement that keeps the records which files only described, once they no longer do: their rates and lists are gone,
 * and they themselves aren't.
 */
function keepForeign({ name, table, id, fields }: Resource): string {
  const rates = Object.keys(fields).filter((field) => ['rate', 'amount'].includes(fields[field]?.type ?? ''));
  const blank = rates.length === 0 ? '' : `REPLACE (${rates.map((field) => `NULL AS ${field}`).join(', ')})`;
  return `INSERT INTO pulled.${table} SELECT * ${blank} FROM loaded.${table}
    WHERE CAST(${id} AS VARCHAR) IN (SELECT record_id FROM loaded.source.foreign_records WHERE resource = ${quoteText(name)})
      AND ${id} NOT IN (SELECT ${id} FROM pulled.${table})`;
}

/**
 * Notes the records of a resource that the loads before had and the files no longer have.
 * @returns those that somebody has changed since, up to a limit: they stay if the live data are preferred.
 */
async function findGone(
  session: Database,
  resource: Resource,
  preferred: Preferred,
  limit: number,
): Promise<FieldConflict[]> {
  const { name, table, id } = resource;
  const missing = `FROM loaded.${table} AS come JOIN ${table} AS stored USING (${id})
    WHERE come.${id} NOT IN (SELECT ${id} FROM pulled.${table})`;
  const isChanged = `(${differ(resource, { come: 'loaded.', stored: '' }) || 'FALSE'})`;
  await session.run(`INSERT INTO pulled.source.deleted
    SELECT ${quoteText(name)}, CAST(come.${id} AS VARCHAR), NULL ${missing} ${preferred === 'here' ? `AND NOT ${isChanged}` : ''}`);
  return session.rows<FieldConflict>(`
    SELECT ${quoteText(name)} AS resource, CAST(come.${id} AS VARCHAR) AS record_id,
      ${'name' in resource.fields ? 'stored.name' : 'NULL'} AS name, NULL AS field, NULL AS here, NULL AS files
    ${missing} AND ${isChanged} ORDER BY come.${id} LIMIT ${limit}`);
}

/** Leaves out the records that the loads before had and the live data no longer have. @returns their number. */
async function leaveDeleted(session: Database, { table, id, lists }: Resource): Promise<number> {
  const deleted = `SELECT ${id} FROM loaded.${table} WHERE ${id} NOT IN (SELECT ${id} FROM ${table})`;
  const tables = [...Object.values(lists).map((items) => `source.${items.table}`), table];
  const [row] = await session.rows<{ count: number }>(
    `SELECT count(*) AS count FROM pulled.${table} WHERE ${id} IN (${deleted})`,
  );
  if (!row?.count) return 0;
  await session.run(tables.map((each) => `DELETE FROM pulled.${each} WHERE ${id} IN (${deleted})`).join(';\n'));
  return row.count;
}

/** Keeps records that would be gone and that records which stay refer to. @returns their number. */
async function keepReferred(session: Database): Promise<number> {
  let kept = 0;
  // A record refers to those before it in this order, so one pass from the last finds all.
  for (const resource of [...resources].reverse()) {
    const isGone = `record_id IN (${referencesTo(resource).join('\nUNION ALL\n') || 'SELECT NULL'})`;
    const isOurs = `what = 'gone' AND resource = ${quoteText(resource.name)}`;
    const [row] = await session.rows<{ count: number }>(
      `SELECT count(*) AS count FROM pulled.source.difference WHERE ${isOurs} AND ${isGone}`,
    );
    if (!row?.count) continue;
    await session.run(`DELETE FROM pulled.source.difference WHERE ${isOurs} AND ${isGone}`);
    kept += row.count;
  }
  return kept;
}

/** Selects the ids of a resource that records refer to which stay as they are, or come. */
function referencesTo({ name: referred }: Resource): string[] {
  return resources.flatMap((resource) => {
    const { table, id, fields, lists, name } = resource;
    const tables = [
      { table, fields },
      ...Object.values(lists).map((items) => ({ ...items, table: `source.${items.table}` })),
    ];
    return tables.flatMap((each) =>
      Object.entries(each.fields)
        .filter(([, field]) => field.refers === referred)
        .flatMap(([field, { type }]) => {
          const ids = type === 'ids' ? `unnest(${field})` : field;
          const differing = `SELECT record_id FROM pulled.source.difference WHERE resource = ${quoteText(name)}`;
          return [
            `SELECT CAST(${ids} AS VARCHAR) FROM ${each.table} WHERE CAST(${id} AS VARCHAR) NOT IN (${differing})`,
            `SELECT CAST(${ids} AS VARCHAR) FROM pulled.${each.table}`,
          ];
        }),
    );
  });
}
