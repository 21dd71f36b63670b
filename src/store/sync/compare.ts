import type { RatesChange } from '../../base/config/index.ts';
import { type Database, formatTime, quoteText } from '../../base/database/index.ts';
import type { Pulled } from '../../pull/index.ts';
import type { Resource } from '../../records/resource/index.ts';
import { followPulledRates, isNotSeen, NO_RATES } from '../rates/pulled-rates.ts';
import { fieldsBeside } from './files-beside.ts';
import { assertSameCompany } from './guard.ts';
import { selectDifferences } from './merge.ts';
import type { Puller } from './puller.ts';
import {
  type ComparedList,
  type ComparedRecords,
  type DifferenceCount,
  findDifferences,
  keepPresent,
  keepUsedTypes,
  type LoadedRecords,
  readDifferences,
} from './record-differences.ts';
import { countLoaded } from './scratch.ts';

/** Finds what differs, after a check that the source is the same company. @param change Says what becomes of changed rates. */
export async function comparePulled(
  session: Database,
  puller: Puller,
  loaded: LoadedRecords,
  { startedAt, change }: { readonly startedAt: Date; readonly change: RatesChange },
): Promise<ComparedRecords> {
  const { pulled, lists, hasFields } = loaded;
  const at = formatTime(startedAt);
  if (!loaded.load) return { ...loaded, differences: [], rates: NO_RATES, incomplete: new Set() };
  await assertSameCompany(session, loaded, puller.url);
  await confirmDeletions(session, puller, lists, pulled);
  if (!hasFields) await keepFields(session, lists, pulled);
  await completeDays(session, lists, pulled, at);
  await keepSetDays(session, lists, pulled);
  const whole = lists.flatMap(({ resource, isWhole }) => (isWhole ? [resource.name] : []));
  const rates = await followPulledRates(session, whole, startedAt, { change, source: puller.url });
  await findDifferences(session, lists, at);
  return { ...loaded, rates, ...(await confirmDifferences(session, puller, lists, pulled)) };
}

/**
 * Removes records that the source no longer has although they are newer than their deletion, because its clock was set
 * back. Must run before findDifferences.
 */
async function confirmDeletions(
  session: Database,
  puller: Puller,
  lists: readonly ComparedList[],
  { resources }: Pulled,
): Promise<void> {
  for (const { resource, deleted } of resources) {
    const list = lists.find((each) => each.resource.name === resource);
    if (!list || deleted.length === 0) continue;
    const { table, id } = list.resource;
    const doubtful = await session.rows<{ id: string }>(`
      SELECT CAST(${id} AS VARCHAR) AS id FROM pulled.${table}
      WHERE CAST(${id} AS VARCHAR) IN (SELECT record_id FROM pulled.source.deleted WHERE resource = ${quoteText(resource)})
      ORDER BY ${id}`);
    if (doubtful.length === 0) continue;
    const gone = await puller.confirmGone(
      resource,
      doubtful.map((each) => each.id),
    );
    if (gone.length > 0) await session.run(removePulled(list.resource, gone).join(';'));
  }
}

/** Keeps the fields that the source doesn't send, and that files beside it gave in another run. completeDays decides days of completion. */
async function keepFields(session: Database, lists: readonly ComparedList[], { resources }: Pulled): Promise<void> {
  for (const { resource, types } of resources) {
    const compared = lists.find((list) => list.resource.name === resource)?.resource;
    if (!compared) continue;
    const { table, id } = compared;
    const names = (fieldsBeside[resource] ?? []).filter((field) => !types[field] && field !== 'completed_on');
    const values = names.filter((name) => compared.fields[name]).map((field) => `${field} = stored.${field}`);
    if (values.length > 0)
      await session.run(
        `UPDATE pulled.${table} AS come SET ${values.join(', ')} FROM ${table} AS stored WHERE stored.${id} = come.${id}`,
      );
    for (const name of names) {
      const items = compared.lists[name];
      if (!items) continue;
      await session.run(`
        INSERT INTO pulled.source.${items.table} BY NAME
        SELECT * FROM source.${items.table}
        WHERE ${id} IN (SELECT ${id} FROM pulled.${table}) AND ${isNotSeen(items.table, id)}`);
    }
  }
}

/** The code of the status of completed projects and phases. */
const COMPLETED = 3;

/**
 * Sets the day on which projects and phases were completed, if the source doesn't send it: the company's day of the run that sees
 * them completed and knew them otherwise, and in later runs the day that they have. One that comes completed has none.
 */
async function completeDays(
  session: Database,
  lists: readonly ComparedList[],
  { resources }: Pulled,
  at: string,
): Promise<void> {
  for (const { resource, types } of resources) {
    const { table, id, fields } = lists.find((list) => list.resource.name === resource)?.resource ?? {};
    if (!fields?.['completed_on'] || types['completed_on']) continue;
    await session.run(`
      UPDATE pulled.${table} AS come
      SET completed_on = COALESCE(
        come.completed_on,
        CASE WHEN stored.status = ${COMPLETED} THEN stored.completed_on ELSE pl_day_in(settings.time_zone, TIMESTAMP ${quoteText(at)}) END
      )
      FROM ${table} AS stored CROSS JOIN core.settings
      WHERE stored.${id} = come.${id} AND come.status = ${COMPLETED}`);
  }
}

/**
 * Empties the days that the source has computed (K3). Of a source that doesn't tell, it isn't known who set them: the models look at the
 * lines of a project.
 */
async function keepSetDays(session: Database, lists: readonly ComparedList[], { resources }: Pulled): Promise<void> {
  for (const { resource, types } of resources) {
    const { table, fields } = lists.find((list) => list.resource.name === resource)?.resource ?? {};
    if (!fields?.['dates_from']) continue;
    const tells = types['dates_from'] !== undefined;
    await session.run(`
      UPDATE pulled.${table}
      SET start_date = CASE WHEN dates_from IN ('computed', 'end_set') THEN NULL ELSE start_date END,
        end_date = CASE WHEN dates_from IN ('computed', 'start_set') THEN NULL ELSE end_date END,
        dates_from = CASE WHEN ${tells ? "dates_from = 'unknown'" : 'TRUE'} THEN 'unknown' END`);
  }
}

/** Builds SQL that removes records of a run. */
function removePulled(resource: Resource, ids: readonly string[]): string[] {
  const { table, id, lists } = resource;
  const tables = [...Object.values(lists).map((items) => `source.${items.table}`), table];
  return [
    ...tables.map(
      (name) => `DELETE FROM pulled.${name} WHERE CAST(${id} AS VARCHAR) IN (${ids.map(quoteText).join(', ')})`,
    ),
    countLoaded(resource, 'pulled.'),
  ];
}

/**
 * Restores records that a list lacked and the source still has: pages may shift while they are read.
 * @returns the differences that remain, and the lists that lacked such records.
 */
async function confirmDifferences(
  session: Database,
  puller: Puller,
  lists: readonly ComparedList[],
  pulled: Pulled,
): Promise<{ readonly differences: DifferenceCount[]; readonly incomplete: ReadonlySet<string> }> {
  const incomplete = new Set<string>();
  for (const { resource, isWhole } of pulled.resources) {
    const list = lists.find((each) => each.resource.name === resource);
    if (!list || !isWhole) continue;
    const missing = await session.rows<{ id: string }>(
      `${selectDifferences(`what = 'gone' AND resource = ${quoteText(resource)}`, 'record_id AS id')}
        AND record_id NOT IN (SELECT record_id FROM pulled.source.rejected WHERE resource = ${quoteText(resource)} AND record_id IS NOT NULL)`,
    );
    if (missing.length === 0) continue;
    const ids = missing.map(({ id }) => id);
    const gone = new Set(await puller.confirmGone(resource, ids));
    const present = ids.filter((id) => !gone.has(id));
    if (present.length > 0) incomplete.add(resource);
    await keepPresent(session, list.resource, present);
  }
  await keepUsedTypes(session);
  return { differences: await readDifferences(session), incomplete };
}
