import { STATUSES } from '../../../records/resource/index.ts';
import { countsAs } from '../../relation/line-kinds.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import { EARNING_KEYS, feeParts, hasWholeFees, NOT_EARNED, readsPlannedFees } from './agreed-fees.ts';
import { feeProjects, type ReadUses, selectPlaced } from './fee-uses.ts';
import { LINE_AMOUNTS, WITHOUT_AGREED_FEE } from './line-amounts.ts';
import { MONTH_KEYS } from './month-sums.ts';
import { aliased, list, type SqlColumn } from './sql-columns.ts';
import { plannedSource } from './state-source.ts';
import type { RowKey, SummaryPlan } from './summary-plan.ts';

/*
 * The lines of a summary with what they earn of agreed fees (`agreed-fees`), one by one or by period.
 */

/** The statuses of lines that count if they are asked. */
const PLAN_STATUSES = Object.values(STATUSES).filter((status) => status !== 'canceled');

/**
 * Returns the lines of a query, each with what it earns (`fee_lines`). What the plan earns stands on rows beside them, as its lines may be those of
 * a baseline.
 * @param from The lines, or sums of them by month.
 */
export function feeLineParts(plan: SummaryPlan, from: string, isOfSums: boolean): string[] {
  const { baseline, contracts } = plan.source;
  const all = `SELECT *, ${list(otherAmounts(plan).map(aliased))} FROM ${from} AS ledger`;
  if (contracts === 'none') return [`fee_lines AS (${all})`];
  const isOther = `project_id NOT IN (${feeProjects(plan)})`;
  const others = `${all}
  WHERE ${baseline ? `is_baseline OR ${isOther}` : isOther}`;
  const own = isOfSums && !splitsFees(plan) ? earnedByPeriod(plan, from) : earnedByLine(plan, isOfSums);
  const none = 'CAST(0 AS DECIMAL(18, 4))';
  const ofPlan = readsPlannedFees(plan) ? [`${none} AS planned_fee`] : [];
  const beside = `SELECT ${list(EARNING_KEYS, ['earned_fee', `${none} AS fee_beyond`], ofPlan)} FROM revenue_lines`;
  const planned = own.planned.map((select) =>
    baseline ? `SELECT * REPLACE (COALESCE(is_baseline, FALSE) AS is_baseline) FROM (${select}) AS own` : select,
  );
  return [
    ...own.parts,
    `fee_lines AS (
  ${[
    others,
    ...[...own.selects, beside].map((select) =>
      baseline ? `SELECT *, FALSE AS is_baseline FROM (${select}) AS own` : select,
    ),
    ...planned,
  ].join('\n  UNION ALL BY NAME\n  ')}
)`,
  ];
}

/** Returns the amounts of lines without an agreed fee. Those of projects with a plan of agreed fees have what it earns beside them. */
export function otherAmounts(plan: SummaryPlan): SqlColumn[] {
  return Object.entries(WITHOUT_AGREED_FEE).flatMap(([name, expression]) => {
    if (name !== 'planned_fee') return [{ name, expression }];
    return readsPlannedFees(plan) ? [{ name, expression: unlessPlanned(plan, expression) }] : [];
  });
}

/** Returns the SQL of an amount of a line, null in projects whose plan has agreed fees. */
function unlessPlanned({ source }: SummaryPlan, expression: string): string {
  if (source.contracts === 'none') return expression;
  return `CASE WHEN project_id NOT IN (${feeProjects({ source: plannedSource(source) })}) THEN ${expression} END`;
}

/** Statements that select lines with what they earn, or sums of lines, what the plan earns beside them, and the clauses that these read. */
interface Earned {
  readonly parts: readonly string[];
  readonly selects: readonly string[];
  readonly planned: readonly string[];
}

function earnedByLine(plan: SummaryPlan, isOfSums: boolean): Earned {
  const columns = isOfSums ? list(sumColumns(plan, (amount) => LINE_AMOUNTS[amount].expression).map(aliased)) : '*';
  const hasPlan = readsPlannedFees(plan);
  const fees = hasPlan
    ? `(SELECT *, ${unlessPlanned(plan, 'fee')} AS planned_fee FROM agreed_fees) AS agreed_fees`
    : 'agreed_fees';
  const counted = list(['hours', 'fee', 'fee_beyond'], plan.amounts.includes('cost') ? ['cost'] : []);
  return {
    parts: feeParts(plan, 'by line'),
    selects: [`SELECT ${columns} FROM ${fees}`],
    planned: hasPlan ? [`SELECT * EXCLUDE (${counted}), ${NOT_EARNED} FROM planned_fees`] : [],
  };
}

/**
 * Returns the sums of lines by month, with rows beside them for what the lines of a period earn together: what the fee has earned by the end
 * of the period less what it had earned before it.
 */
function earnedByPeriod(plan: SummaryPlan, sums: string): Earned {
  const own = sumColumns(plan, (amount) => (WITHOUT_AGREED_FEE[amount] === undefined ? amount : ownAmount(amount)));
  const keys = ['date', 'kind', 'project_id', 'status', 'billable'];
  const read = readOf(plan);
  return {
    parts: feeParts(plan, read),
    selects: [
      `SELECT ${list(own.map(aliased))} FROM ${selectPlaced(plan, `SELECT * FROM ${sums} AS sums`)} AS sums`,
      `SELECT ${list(keys, ['earned_fee', 'fee_beyond'])} FROM agreed_fees`,
    ],
    planned: readsPlannedFees(plan) ? [`SELECT ${list(keys, ['planned_fee', NOT_EARNED])} FROM planned_fees`] : [],
  };
}

/**
 * Says how the lines of a window are read: by period, but the plan of projects whose forecast leaves out some of the work that is left to do, as
 * what the rest of it earns depends on which lines stand between its own.
 */
function readOf(plan: SummaryPlan): ReadUses {
  const { query, querySql, source } = plan;
  const { endDate, cutoffDate, statuses } = query.selection;
  const isOver = endDate <= cutoffDate && !readsPlannedFees(plan);
  if (isOver || PLAN_STATUSES.every((status) => statuses.includes(status))) return 'by period';
  const isScheduled = countsAs('plan');
  return {
    byLine: `${isScheduled} AND project_id IN (
      SELECT project_id FROM ${source.alone.relation('fee_months')} AS firm
      WHERE ${isScheduled} AND is_firm AND NOT ${querySql.hasStatus('status')}
    )`,
  };
}

/**
 * Tests whether the rows or filters of a plan tell lines of one agreed fee apart, so that each needs its own place among them. Otherwise
 * the lines of a month earn together what they earn one by one: what the fee has earned by its end less what it had earned before it.
 */
function splitsFees(plan: SummaryPlan): boolean {
  const isOfProject = (line: string) => !line.startsWith('ledger.') || line === 'ledger.project_id';
  const isWhole = ({ dimension, period }: RowKey) => period !== undefined || isOfProject(dimension?.line ?? '');
  return !(hasWholeFees(plan) && plan.keys.every(isWhole));
}

/** Returns the columns of lines of agreed fees in the place of sums by month. @param sqlOf Returns the SQL of an amount. */
function sumColumns({ amounts }: SummaryPlan, sqlOf: (amount: Amount) => string): SqlColumn[] {
  const own: readonly Amount[] = ['hours', 'fee', ...amounts];
  return [
    ...['date', 'kind', ...MONTH_KEYS].map((name) => ({ name, expression: name })),
    ...[...new Set(own)].map((name) => ({ name, expression: sqlOf(name) })),
  ];
}

/** Returns the SQL of an amount that a contract decides on a sum of lines, beside which another row has what they earn of an agreed fee or a retainer. */
function ownAmount(amount: Amount): string {
  return `CASE WHEN agreed_fee IS NULL AND NOT is_retained THEN ${WITHOUT_AGREED_FEE[amount]} ELSE 0 END`;
}
