import { AppError, listNames } from '../../base/index.ts';
import type { Row } from '../record/node.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import { listSeenRates, nameHolder, type SeenRate } from './list-seen-rates.ts';
import { RATE_LEVELS, type RateLevel } from './rate-levels.ts';

/** A decision about a rate seen: it is the rate without a day, or it doesn't count. */
export type RateAction = 'rewrite' | 'remove';

/**
 * Makes a rate seen the one without a day, or takes it out, in the record that holds it.
 * @returns sentences about what was done.
 * @throws AppError input for an entry that isn't there or is so already.
 */
export async function writeSeenRate(transaction: Transaction, entryId: number, action: RateAction): Promise<string[]> {
  const all = await listSeenRates(transaction);
  const entry = all.find(({ entry_id }) => entry_id === entryId);
  if (!entry) throw unknownEntry(entryId, all);
  assertDated(entry, action);
  const own = all.filter((each) => areOfOneHolder(each, entry));
  const gone = own.filter((each) => each.state === 'dated' && leaves(each, entry, action));
  const level = RATE_LEVELS.find(({ name }) => name === entry.level) as RateLevel;
  const record = await transaction.get(level.resource, String(entry.id)).catch((cause: unknown) => {
    if (!(cause instanceof AppError) || cause.code !== 'unknown') throw cause;
    throw new AppError('input', `Entry ${entryId} is of ${nameHolder(entry)}, which is no longer there`, { cause });
  });
  const values = changeRecord(level, entry, record, gone, action === 'rewrite' ? entry.rate : undefined);
  await transaction.update(level.resource, record, values);
  const others = gone.filter((each) => each !== entry).map(({ entry_id }) => entry_id);
  const removed = action === 'remove' ? [entryId] : others;
  transaction.run([
    ...(action === 'rewrite' ? [setState([entryId], 'always')] : []),
    ...(removed.length > 0 ? [setState(removed, 'removed')] : []),
  ]);
  const done = action === 'rewrite' ? 'is the rate on all days before the next one' : 'is taken out';
  return [
    `Entry ${entryId} of ${nameHolder(entry)} ${done}.`,
    ...(others.length > 0 ? [`Taken out with it, as they were before: ${others.join(', ')}.`] : []),
  ];
}

/** Returns whether a dated rate of a holder goes: the entry itself, and what would hold after one that is made the rate without a day. */
function leaves(each: SeenRate, entry: SeenRate, action: RateAction): boolean {
  if (each === entry || action === 'remove') return each === entry;
  return each.effective_date <= entry.effective_date;
}

/** Returns the fields of a record without some of its dated rates. @param rate The rate without a day; undefined if it stays. */
function changeRecord(
  level: RateLevel,
  entry: SeenRate,
  record: Row,
  gone: readonly SeenRate[],
  rate: string | null | undefined,
): Row {
  const isOf = (item: Row) => level.keys.every((key) => Number(item[key] ?? 0) === entry[key]);
  const isGone = (item: Row) =>
    isOf(item) && gone.some(({ effective_date }) => effective_date === (item['effective_date'] ?? null));
  const dated = listOf(level, level.datedTable);
  const left = ((record[dated] ?? []) as Row[]).filter((item) => !isGone(item));
  if (rate === undefined) return { [dated]: left };
  if (level.keys.length === 0) return { [dated]: left, [level.rate]: rate };
  const isUndated = (item: Row) => isOf(item) && (item['effective_date'] ?? null) === null;
  const rated = (items: readonly Row[]) =>
    items.map((item) => (isUndated(item) ? { ...item, [level.rate]: rate } : item));
  const undated = listOf(level, level.table);
  return undated === dated
    ? { [dated]: rated(left) }
    : { [dated]: left, [undated]: rated((record[undated] ?? []) as Row[]) };
}

/** Returns the name of the list that a table of a resource has. */
function listOf({ resource }: RateLevel, table: string): string {
  return Object.keys(resource.lists).find((name) => resource.lists[name]?.table === table) ?? table;
}

function areOfOneHolder(one: SeenRate, other: SeenRate): boolean {
  const keys = ['level', 'id', 'people_id', 'phase_id', 'role_id'] as const;
  return keys.every((key) => one[key] === other[key]);
}

function setState(entries: readonly number[], state: SeenRate['state']): string {
  return `UPDATE source.seen_rates SET state = '${state}' WHERE entry_id IN (${entries.join(', ')})`;
}

function assertDated({ entry_id, state }: SeenRate, action: RateAction): void {
  if (state === 'dated' || (state === 'removed' && action === 'rewrite')) return;
  const is = state === 'always' ? 'is the rate without a day already' : 'is taken out already';
  throw new AppError('input', `Entry ${entry_id} ${is}`, { hint: 'plumbline rates lists what each entry is.' });
}

function unknownEntry(entryId: number, all: readonly SeenRate[]): AppError {
  const ids = all.map(({ entry_id }) => String(entry_id));
  const found = `There ${ids.length === 1 ? 'is' : 'are'} ${listNames(String(entryId), ids)}: plumbline rates lists what they are.`;
  const none = 'No change of a rate has been dated: load or sync with --rates-change from_today does so.';
  return new AppError('input', `No rate seen has the ID ${entryId}`, { hint: ids.length === 0 ? none : found });
}
