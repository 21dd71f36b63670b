import { quoteText } from '../../../base/database/index.ts';
import { hasOwnAmounts, readLineKinds } from '../../relation/line-kinds.ts';
import { readOwnCauses } from '../catalogue/kind-definition.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { buildCondition } from '../source/filter.ts';
import { kindLiteral, statusLiteral } from '../source/query-sql.ts';
import { list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import {
  BILLABLE,
  changedLineParts,
  type FurtherLines,
  readsBills,
  selectBills,
  sideColumns,
  sidesOf,
} from './change-lines.ts';
import { pairParts } from './change-pairs.ts';
import type { ChangePlan } from './change-plan.ts';
import { feePointsPart, feeStateParts, selectRevenue } from './fee-points.ts';

/** A state of a line on its way from then to now. */
interface Point {
  /** The cause of what the line contributes from here on, and no longer where it was: the step that leads to the point. */
  readonly cause: string | undefined;
  /** SQL of each column that isn't the present line's. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Money of hours as the ledger rounds it (A1). */
const priced = (hours: string, rate: string) => `pl_amount(${hours}, ${rate}, settings.minor_units)`;

/** A rate that comes or goes is a price, and any other change of it a rate; what is no labour has its own cause. */
const rateCause = (thenUnknown: string, nowUnknown: string) =>
  `CASE ${ownCauses(true)
    .map(([kind, cause]) => `WHEN kind = ${kindLiteral(kind)} THEN ${quoteText(cause.name)}`)
    .join(' ')} WHEN (${thenUnknown}) <> (${nowUnknown}) THEN 'priced' ELSE 'rate' END`;

/** Returns the causes that kinds of lines have of their own: those of the ledger, or those beside it. */
function ownCauses(isStored: boolean): ReturnType<typeof readOwnCauses> {
  const stored = new Set(readLineKinds().map(({ name }) => name));
  return readOwnCauses().filter(([kind]) => stored.has(kind) === isStored);
}

/** The columns of a line of a bill. */
const OF_BILLS = ['date', 'project_id', 'phase_id', 'task_meta_id', 'status', 'amount'];

/**
 * Returns the cause of a point: a bill that is another one has the cause of its kind, whatever has become of it. One that is the same
 * may have moved with its project, and the later cutoff is a cause of its own.
 */
function causeOf(plan: SummaryPlan, cause: string): string {
  if (!readsBills(plan) || cause === 'NULL' || cause === `'cutoff'`) return cause;
  const [then, now] = ['then', 'now'].map((side) => `(${list(OF_BILLS.map((name) => `${side}_${name}`))})`);
  const own = ownCauses(false).map(
    ([kind, { name }]) =>
      `WHEN kind = ${kindLiteral(kind)} AND ${then} IS DISTINCT FROM ${now} THEN ${quoteText(name)}`,
  );
  return `CASE ${own.join(' ')} ELSE ${cause} END`;
}

const unknownCost = (side: string) => `COALESCE(${side}_cost_rate_source, 'none') = 'none'`;
const unknownBill = (side: string) => `${side}_bill_rate IS NULL`;

/**
 * Returns the fee after billability has changed. What an expense that isn't billable would bill is not in the ledger, so the step
 * takes all of it.
 */
const feeOfBillable = () => `CASE
      WHEN then_billable = now_billable THEN then_fee
      WHEN ${hasOwnAmounts()} THEN now_fee
      WHEN now_billable THEN ${priced('then_hours', 'then_bill_rate')}
      ELSE 0
    END`;

/** Return the amounts of the present hours at the earlier rates. */
const feeOfHours = () =>
  `CASE WHEN ${hasOwnAmounts()} OR now_hours = then_hours OR NOT now_billable THEN billable_fee ELSE ${priced('now_hours', 'then_bill_rate')} END`;
const costOfHours = () =>
  `CASE WHEN ${hasOwnAmounts()} OR now_hours = then_hours THEN then_cost ELSE ${priced('now_hours', 'then_cost_rate')} END`;

/** Returns the columns of a line by the step that changes them, in the order of X3; the step moved changes all others. */
const listSteps = (): readonly Point[] => [
  { cause: `'moved'`, columns: { status: 'then_status', billable: 'then_billable', fee: 'then_fee' } },
  { cause: `'status'`, columns: { billable: 'then_billable', fee: 'then_fee' } },
  { cause: `'billable'`, columns: { fee: 'billable_fee' } },
  { cause: `'hours'`, columns: { fee: 'hours_fee' } },
  { cause: rateCause(unknownCost('then'), unknownCost('now')), columns: { fee: 'hours_fee' } },
  { cause: rateCause(unknownBill('then'), unknownBill('now')), columns: {} },
];

/** The number of steps before the hours, and before the cost rate, are those of now. */
const [BEFORE_HOURS, BEFORE_COST_RATE] = [3, 4];

/**
 * Returns the points of all lines that may differ (`counted`), each a line as it is there.
 * @param isOfFees True if lines have parts of agreed fees.
 */
export function pointParts(change: ChangePlan, isOfFees = false): string[] {
  const { plan, earlier, thenCalendar, later } = change;
  const { query, querySql } = plan;
  const billable = query.selection.filters
    .filter(({ parameter }) => parameter.filter === BILLABLE)
    .map((filter) => buildCondition(filter, query.selection.report, 'points', plan.source));
  const conditions = ['is_selected', `status <> ${statusLiteral('canceled')}`, ...billable];
  const isLater = later && betweenCutoffs(querySql.cutoff, querySql.today, later);
  const points = pointsOf(change);
  const select = (side: 'then' | 'now', arrival: string, departure: string) =>
    selectPoint(plan, side, {}, arrival, departure);
  return [
    ...(isOfFees ? feeStateParts(change) : []),
    ...changedLineParts(plan, sidesOf(plan, earlier, thenCalendar), isLater, furtherLines(change, isOfFees)),
    ...pairParts(),
    pairedPart(plan),
    ...(isOfFees ? [`plain_points AS (${points})`, feePointsPart(change, select)] : [`points AS (${points})`]),
    `counted AS (
  SELECT *, ${querySql.hasStatus('status')} AS is_asked, billable AS is_billable, ${datedFlags(change)}
  FROM points
  WHERE ${conditions.join(' AND ')}
)`,
  ];
}

/** Returns the lines beside the ledger of both states: what contracts earn without work, and bills. */
function furtherLines(change: ChangePlan, isOfFees: boolean): FurtherLines {
  const { plan, earlier } = change;
  return {
    ...(isOfFees && { records: 'fee_moves' }),
    select: (side) => [
      ...(isOfFees ? [{ from: selectRevenue(side, change), columns: [] }] : []),
      ...(readsBills(plan) ? [selectBills(plan, side === 'then' ? earlier : plan.source)] : []),
    ],
  };
}

/** Joins the lines of each pair, and computes the amounts between the two. */
function pairedPart(plan: SummaryPlan): string {
  const columns = sideColumns(plan);
  const sides = (['then', 'now'] as const).map((side) =>
    columns.map((name) => `${side}_lines.${name} AS ${side}_${name}`),
  );
  return `paired AS (
  SELECT lines.*, ${list([`${feeOfBillable()} AS billable_fee`, `${feeOfHours()} AS hours_fee`], plan.source.costs(`${costOfHours()} AS hours_cost`))}
  FROM (
    SELECT COALESCE(then_lines.kind, now_lines.kind) AS kind, ${list(...sides)}
    FROM pairs
    LEFT JOIN then_lines ON then_lines.line_id = pairs.then_id
    LEFT JOIN now_lines ON now_lines.line_id = pairs.now_id
    WHERE then_lines.is_selected OR now_lines.is_selected
  ) AS lines CROSS JOIN ${plan.source.relation('settings')} AS settings
)`;
}

/** Returns the points of each pair: the line then, the line after each step, and perhaps that with the later cutoff. */
function pointsOf(change: ChangePlan): string {
  const lateOrNew = `CASE WHEN now_date <= ${dateLiteral(change.day)} THEN 'late' ELSE 'new' END`;
  const isNew = 'then_line_id IS NULL';
  const first = selectPoint(
    change.plan,
    'then',
    {},
    'NULL',
    `CASE WHEN now_line_id IS NULL THEN 'removed' ELSE 'moved' END`,
  );
  const all = listSteps();
  const steps = all.map(({ cause = 'NULL', columns }, index) => {
    const isLast = index === all.length - 1;
    const next = isLast ? (change.later ? `'cutoff'` : 'NULL') : (all[index + 1]?.cause ?? 'NULL');
    const arrival = isLast ? `CASE WHEN ${isNew} THEN ${lateOrNew} ELSE ${cause} END` : cause;
    const select = selectPoint(change.plan, 'now', ownColumns(change.plan, columns, index), arrival, next);
    return `${select} WHERE now_line_id IS NOT NULL${isLast ? '' : ` AND NOT ${isNew}`}`;
  });
  const cutoff = change.later
    ? [`${selectPoint(change.plan, 'now', {}, `'cutoff'`, 'NULL')} WHERE now_line_id IS NOT NULL`]
    : [];
  return [`${first} WHERE NOT (${isNew})`, ...steps, ...cutoff].join('\n  UNION ALL\n  ');
}

/** Returns the columns of a step with those of hours and cost, which the later steps change. */
function ownColumns(plan: SummaryPlan, columns: Point['columns'], index: number): Point['columns'] {
  const cost = plan.source.reader.seesRates;
  return {
    ...columns,
    ...(index < BEFORE_HOURS && { hours: 'then_hours', ...(cost && { cost: 'then_cost' }) }),
    ...(index === BEFORE_HOURS && cost && { cost: 'hours_cost' }),
    ...(index < BEFORE_COST_RATE && { cost_rate_source: 'then_cost_rate_source' }),
  };
}

function selectPoint(
  plan: SummaryPlan,
  side: 'then' | 'now',
  columns: Point['columns'],
  arrival: string,
  departure: string,
): string {
  const own = sideColumns(plan)
    .filter((name) => name !== 'line_id' && name !== 'kind')
    .map((name) => `${columns[name] ?? `${side}_${name}`} AS ${name}`);
  const billable = plan.keys
    .filter(({ dimension }) => dimension?.line === BILLABLE)
    .map(({ name }) => `${columns['billable'] ?? `${side}_billable`} AS ${name}`);
  return `SELECT then_line_id, now_line_id, kind, ${list(own, billable)}, '${side}' AS side, ${causeOf(plan, arrival)} AS arrival, ${causeOf(plan, departure)} AS departure FROM paired`;
}

/** Tells the lines of the present state that a later cutoff or a later today moves from the plan to what was done. */
function betweenCutoffs(cutoff: string, today: string, later: NonNullable<ChangePlan['later']>): string {
  const isBetween = (from: string, to: string) =>
    `now_window.date > LEAST(${from}, ${dateLiteral(to)}) AND now_window.date <= GREATEST(${from}, ${dateLiteral(to)})`;
  return `${isBetween(cutoff, later.cutoffDate)} OR ${isBetween(today, later.today)}`;
}

/** Returns the flags of a line by its date: the last step takes the later cutoff. */
function datedFlags({ plan: { querySql }, later }: ChangePlan): string {
  const day = (own: string, other: string | undefined) =>
    other === undefined ? own : `CASE WHEN arrival = 'cutoff' THEN ${dateLiteral(other)} ELSE ${own} END`;
  return `date <= ${day(querySql.cutoff, later?.cutoffDate)} AS is_to_date, date > ${day(querySql.today, later?.today)} AS is_future`;
}
