import type { Days } from '../../base/calendar/index.ts';
import { type Database, dateParameter } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { lineIdSql, readLineKinds } from '../../numbers/relation/index.ts';
import type { Row } from '../record/node.ts';
import type { Change } from '../record/storage/changes.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import { BILLS, readBillDays } from './bill-days.ts';
import { type DatedWay, differingFields, sayDatedWay } from './dated-ways.ts';
import { firstMovedDay } from './retainer-days.ts';

/*
 * Days that are closed hard keep their lines of kinds with the mark closes. A write is judged by its effect on them:
 *
 *   dated records of such lines, and progress      by their days before and after, without a trial
 *   invoices, their lines, and write-offs          by the days of their lines before and after, without a trial
 *   retainers                                      by the first day on which the change moves what they earn
 *   records that other lines may depend on         by a trial: the write and its refresh in one transaction, whose
 *                                                  changed lines are looked at before it is committed
 *   all others, such as plans and time off         free
 */

/** Days whose kept lines stay as they are. */
export interface ClosedDays extends Days {
  readonly closing: string;
  readonly closedBy: string;
}

/** Fields of logged time that may leave its line as it is: deleting an allocation writes its project into such records (D8). */
const PLACE_FIELDS = ['project_id', 'phase_id', 'task_meta_id', 'billable'];

/** Dated records of no line of their own, which say what closed days have earned: the fields that count, and what messages call them. */
const ENTRIES: Readonly<Record<string, { readonly fields: readonly string[]; readonly words: string }>> = {
  progress: {
    fields: ['date', 'percent', 'remaining_hours', 'project_id', 'phase_id', 'task_meta_id'],
    words: 'the progress',
  },
};

/** Records that no kept line depends on. Time that names an allocation, and no project, has the allocation's. */
const FREE = [
  'accounts',
  'departments',
  'holidays',
  'milestones',
  'project_stages',
  'status',
  'tasks',
  'timeoff_types',
  'timeoffs',
];

/** Thrown when only a trial tells what a write changes. */
export const NEEDS_TRIAL = new Error('The effect of the write on closed days is unknown');

/**
 * Checks the changes of a write by their days.
 * @throws AppError input for those of closed days, NEEDS_TRIAL.
 */
export async function judgeChanges(
  closed: readonly ClosedDays[],
  changes: readonly Change[],
  transaction: Transaction,
): Promise<void> {
  const refusal = findRefusedDay(closed, changes) ?? (await findRefusedBill(closed, changes, transaction));
  if (refusal) throw refusal;
  if (await needsTrial(closed, changes, transaction)) throw NEEDS_TRIAL;
}

/** Returns the error for changes of dated records that change lines of closed days, if some do. */
export function findRefusedDay(closed: readonly ClosedDays[], changes: readonly Change[]): AppError | undefined {
  for (const change of changes) {
    for (const day of changedDays(closed, change)) {
      const found = findClosed(closed, day);
      if (found) return refuseDay(found, day, change.resource.name);
    }
  }
  return undefined;
}

/** Returns the error for changes of bills that change lines of closed days, if some do. */
export async function findRefusedBill(
  closed: readonly ClosedDays[],
  changes: readonly Change[],
  transaction: Transaction,
): Promise<AppError | undefined> {
  for (const { resource, day } of await readBillDays(changes, transaction)) {
    const found = findClosed(closed, day);
    if (found) return refuseDay(found, day, resource);
  }
  return undefined;
}

/** Returns whether only a trial tells what changes do to the lines of closed days. */
export async function needsTrial(
  closed: readonly ClosedDays[],
  changes: readonly Change[],
  transaction: Transaction,
): Promise<boolean> {
  const isUnsure = changes.some((change) => isUndated(change) || isPlacedAnew(closed, change));
  return isUnsure || transaction.isReplaced() || areLogged(changes, transaction);
}

export function findClosed(closed: readonly ClosedDays[], day: string): ClosedDays | undefined {
  return closed.find(({ startDate, endDate }) => startDate <= day && day <= endDate);
}

/** The kinds of lines that a hard closing keeps, in the fields that change a line, whatever others are. Notes and the like are free. */
const keptKinds = () => readLineKinds().filter(({ closes }) => closes.length > 0);

/** Finds the kind whose lines have the days of a resource's records. */
const findKind = (resource: string) =>
  keptKinds().find((kind) => kind.resource === resource && kind.closes.includes('date'));

/** Returns the days of the lines that a change of a dated record makes, changes or removes; of a retainer those of the closed days that earn by it. */
function changedDays(closed: readonly ClosedDays[], change: Change): string[] {
  const { resource, before, after } = change;
  const first = resource.name === 'retainers' ? firstMovedDay(change) : undefined;
  if (first !== undefined)
    return closed
      .filter(({ endDate }) => endDate >= first)
      .map(({ startDate }) => [startDate, first].toSorted()[1] ?? first);
  const fields = findKind(resource.name)?.closes ?? ENTRIES[resource.name]?.fields;
  if (!fields || (before && after && !differ(fields, before, after))) return [];
  return [before, after].flatMap((row) => (row ? [String(row['date'])] : []));
}

/** Returns whether a change is of a record without a day that lines of other days may depend on. */
function isUndated({ resource, before, after }: Change): boolean {
  // A client prices work by its rate cards alone.
  if (resource.name === 'clients')
    return differingFields(before ?? {}, after ?? { rate_cards: null }).includes('rate_cards');
  const isDated = findKind(resource.name) ?? ENTRIES[resource.name];
  return !isDated && resource.name !== 'retainers' && !(resource.name in BILLS) && !FREE.includes(resource.name);
}

/** Returns whether a change may move logged time of closed days to another project, or change whether it is billed. */
function isPlacedAnew(closed: readonly ClosedDays[], { resource, before, after }: Change): boolean {
  if (resource.name !== 'logged_time' || !before || !after || !findClosed(closed, String(after['date']))) return false;
  const fields = (after['project_id'] ?? null) === null ? [...PLACE_FIELDS, 'task_id'] : PLACE_FIELDS;
  return differ(fields, before, after);
}

function differ(fields: readonly string[], before: Row, after: Row): boolean {
  return fields.some((name) => (before[name] ?? null) !== (after[name] ?? null));
}

/** Returns whether logged time without a project names one of the changed allocations. */
async function areLogged(changes: readonly Change[], transaction: Transaction): Promise<boolean> {
  const rows = changes.filter(({ resource }) => resource.name === 'tasks').map(({ before, after }) => after ?? before);
  if (rows.length === 0) return false;
  const ids = rows.map((row) => Number(row?.['task_id'])).join(', ');
  const found = await transaction.rows(
    `SELECT 1 FROM source.logged_time WHERE project_id IS NULL AND task_id IN (${ids}) LIMIT 1`,
  );
  return found.length > 0;
}

function refuseDay({ closing, closedBy }: ClosedDays, day: string, resource: string): AppError {
  const what = findKind(resource)?.words ?? ENTRIES[resource]?.words ?? BILLS[resource] ?? 'what the retainer earns';
  const message = `would change ${what} of ${day}: ${closing} is closed hard by ${closedBy}; reopen ${closing}`;
  return new AppError('input', message, { fields: [{ field: 'date', message }] });
}

/** Columns of a line that stay as they are, and what a message calls them. */
const KEPT = {
  cost: 'cost',
  fee: 'fee',
  hours: 'hours',
  billable: 'billable flag',
  role_id: 'role',
  people_id: 'person',
  project_id: 'project',
  phase_id: 'phase',
  task_meta_id: 'project task',
} as const;

/**
 * Finds the kept lines of closed days that a trial changes.
 * @param session Holds the changed rows of the refresh.
 * @param way The way to write the records from a day on, if there is one.
 * @returns the error that counts the lines of the first closing with some, if any.
 * @throws AppError input if all numbers are built again, which doesn't tell what has changed.
 */
export async function findRefusedLines(
  closed: readonly ClosedDays[],
  session: Database,
  isRebuilt: boolean,
  way: DatedWay | undefined,
): Promise<AppError | undefined> {
  const [first] = closed;
  if (!first) return undefined;
  if (isRebuilt) {
    const message = `would build all numbers again, so its effect on ${first.closing}, closed hard, is unknown; reopen ${first.closing}`;
    throw new AppError('input', message, { fields: [{ field: 'body', message }] });
  }
  const columns = Object.keys(KEPT) as (keyof typeof KEPT)[];
  const differences = columns.map((name) => `bool_or(was.${name} IS DISTINCT FROM became.${name}) AS ${name}`);
  const kept = keptKinds();
  const ids = kept.map((kind) => `WHEN pl_line_kind('${kind.name}') THEN ${lineIdSql(kind)}`);
  const kinds = kept.map(({ name }) => `pl_line_kind('${name}')`);
  const lines = (side: string) => `(
    SELECT kind, date, CASE kind ${ids.join(' ')} END AS id, ${columns.join(', ')}
    FROM changed_core_ledger WHERE kind IN (${kinds.join(', ')}) AND stored_row IS ${side})`;
  for (const days of closed) {
    const [found] = await session.rows<{ count: number; lost: number } & Record<string, boolean>>(
      `SELECT count(*) AS count, count_if(was.id IS NULL OR became.id IS NULL) AS lost, ${differences.join(', ')}
      FROM ${lines('NOT NULL')} AS was FULL JOIN ${lines('NULL')} AS became USING (kind, date, id)
      WHERE date BETWEEN $first AND $last
        AND (was.id IS NULL OR became.id IS NULL OR ${columns.map((name) => `was.${name} IS DISTINCT FROM became.${name}`).join(' OR ')})`,
      { first: dateParameter(days.startDate), last: dateParameter(days.endDate) },
    );
    if (!found || found.count === 0) continue;
    const names = found.lost > 0 ? ['existence'] : columns.filter((name) => found[name]).map((name) => KEPT[name]);
    return refuseLines(closed, days, names, found.count, way);
  }
  return undefined;
}

function refuseLines(
  closed: readonly ClosedDays[],
  { closing, closedBy }: ClosedDays,
  names: readonly string[],
  count: number,
  way: DatedWay | undefined,
): AppError {
  const lines = count === 1 ? '1 line' : `${count} lines`;
  const message = `would change the ${names.join(', ')} of ${lines} of ${closing}, closed hard by ${closedBy}; ${sayDatedWay(way, closed)}reopen ${closing}`;
  return new AppError('input', message, { fields: [{ field: way ?? 'body', message }] });
}
