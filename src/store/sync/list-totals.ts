import { type Database, quoteText } from '../../base/database/index.ts';
import type { PulledResource, PullState } from '../../pull/index.ts';
import { findResource } from '../../records/resource/index.ts';
import { isReplaced } from './merge.ts';
import type { ComparedRecords } from './record-differences.ts';

/*
 * A record whose `modified` is older than the last run, such as one of an import, is in no list of changes, and one that
 * vanished without an entry in the deletion log is in no log. The number that a source counts tells of both.
 */

/** The records that a source counts in its large lists beyond those known, by list. */
type Surplus = NonNullable<PullState['surplus']>;

/** Returns the surplus of the lists that were counted, once the differences of a run are written. */
export async function readSurplus(session: Database, compared: ComparedRecords): Promise<Surplus> {
  const surplus: Record<string, number> = {};
  for (const { resource, total } of compared.pulled.resources) {
    if (total !== undefined) surplus[resource] = total - (await countKnown(session, compared, resource));
  }
  return surplus;
}

/** Counts the records of a list, those set aside included, as they will be once the differences are written. */
async function countKnown(
  session: Database,
  { lists, load, differences }: ComparedRecords,
  name: string,
): Promise<number> {
  const { table } = findResource(name);
  const list = load && lists.find((each) => each.resource.name === name);
  const isSetAside = `resource = ${quoteText(name)} AND item IS NULL`;
  const setAside = list
    ? `(SELECT count(*) FROM source.rejected WHERE ${isSetAside} AND (${isReplaced(list)}) IS NOT TRUE)
      + (SELECT count(*) FROM pulled.source.rejected WHERE ${isSetAside})`
    : `(SELECT count(*) FROM source.rejected WHERE ${isSetAside})`;
  const [row] = await session.rows<{ known: number }>(`SELECT (SELECT count(*) FROM ${table}) + ${setAside} AS known`);
  const own = differences.filter(({ resource }) => resource === name);
  const comeAndGone = own.reduce((sum, { what, count }) => sum + { new: 1, changed: 0, gone: -1 }[what] * count, 0);
  return Number(row?.known ?? 0) + comeAndGone;
}

/** Returns the lists of changes that can't be all that changed: the surplus is another than when the list was read whole. */
export function findIncomplete(
  surplus: Surplus,
  resources: readonly PulledResource[],
  state: PullState | undefined,
): string[] {
  return resources.flatMap(({ resource, isWhole }) => {
    const found = surplus[resource];
    const isComplete = isWhole || found === undefined || found === (state?.surplus?.[resource] ?? 0);
    return isComplete ? [] : [resource];
  });
}

/** Returns the sentences about lists that were read whole for their number of records. */
export function describeIncomplete(lists: readonly string[]): string[] {
  return lists.map(
    (name) => `The source counts other records of ${name} than its changes leave, so the list was read whole.`,
  );
}
