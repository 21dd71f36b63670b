import { keptPart } from '../../../base/database/index.ts';
import { STATUSES } from '../../../records/resource/index.ts';
import { countsAs } from '../../relation/line-kinds.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import { EARNING_KEYS, feeParts, hasWholeFees, NOT_EARNED, readsPlannedFees } from './agreed-fees.ts';
import { feeProjects, type ReadUses, selectPlaced, unionByName } from './fee-uses.ts';
import { LINE_AMOUNTS, WITHOUT_AGREED_FEE } from './line-amounts.ts';
import { MONTH_KEYS } from './month-sums.ts';
import { aliased, groupBy, list, type SqlColumn } from './sql-columns.ts';
import { plannedSource } from './state-source.ts';
import type { RowKey, SummaryPlan } from './summary-plan.ts';
import { allMonths, edgesOf, wholeLife } from './whole-life.ts';

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
  const own = isOfSums && !splitsFees(plan) ? earnedByMonth(plan, from) : earnedByLine(plan, isOfSums);
  const planned = own.planned.map((select) =>
    baseline ? `SELECT * REPLACE (COALESCE(is_baseline, FALSE) AS is_baseline) FROM (${select}) AS own` : select,
  );
  return [
    ...own.parts,
    `fee_lines AS (
  ${unionByName([
    others,
    ...own.selects.map((select) => (baseline ? `SELECT *, FALSE AS is_baseline FROM (${select}) AS own` : select)),
    ...planned,
  ])}
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
  const columns = isOfSums ? list(sumColumns(plan).map(aliased)) : '*';
  const hasPlan = readsPlannedFees(plan);
  const fees = hasPlan
    ? `(SELECT *, ${unlessPlanned(plan, 'fee')} AS planned_fee FROM agreed_fees) AS agreed_fees`
    : 'agreed_fees';
  const counted = list(['hours', 'fee', 'fee_beyond'], plan.amounts.includes('cost') ? ['cost'] : []);
  return {
    parts: feeParts(plan, 'by line'),
    selects: [`SELECT ${columns} FROM ${fees}`, `SELECT ${besideLines(plan, EARNING_KEYS)} FROM revenue_lines`],
    planned: hasPlan ? [`SELECT * EXCLUDE (${counted}), ${NOT_EARNED} FROM planned_fees`] : [],
  };
}

/** Returns the columns of what earns beside lines: it is in no plan, which is known, and nothing of it is beyond a fee. */
function besideLines(plan: SummaryPlan, keys: readonly string[]): string {
  const known = readsPlannedFees(plan) ? ['fee_beyond', 'planned_fee'] : ['fee_beyond'];
  return list(
    keys,
    ['earned_fee'],
    known.map((name) => `CAST(0 AS DECIMAL(18, 4)) AS ${name}`),
  );
}

/** Returns the sums of lines by month without what they earn, and beside them all that their projects earn by month. */
function earnedByMonth(plan: SummaryPlan, sums: string): Earned {
  const own = list(['date', 'kind'], MONTH_KEYS, ownAmounts(plan));
  return {
    parts: [`earned_months AS (${selectShared(plan)})`],
    selects: [
      `SELECT ${own} FROM ${sums} AS sums WHERE project_id IN (${feeProjects(plan)})`,
      'SELECT * FROM earned_months',
    ],
    planned: [],
  };
}

/** Selects what projects earn by month: of their whole lives where statements share it, else of the window alone. */
function selectShared(plan: SummaryPlan): string {
  const whole = selectEarnedMonths(plan, wholeLife(plan), edgesOf(plan.query.selection));
  return keptPart(whole, selectEarnedMonths(plan, plan, []));
}

/** The columns that tell apart what projects earn in a month. */
const EARNED_KEYS = ['date', 'kind', 'project_id', 'status', 'billable'];

/**
 * Selects what projects with contracts earn on the days of a life, by month. Lines of a month earn together what they earn one by one: what the
 * fee has earned by its end less what it had earned before it.
 * @param life The days: of whole lives, it is the same for all windows of whole months, filters and rows by project.
 * @param edges Days before which rows stand apart.
 */
function selectEarnedMonths(plan: SummaryPlan, life: SummaryPlan, edges: readonly string[]): string {
  const amounts = (['earned_fee', 'fee_beyond', 'planned_fee'] as const).filter(
    (amount) => amount !== 'planned_fee' || readsPlannedFees(plan),
  );
  const own = amounts.map(
    (name) => `CASE WHEN agreed_fee IS NULL AND NOT is_retained THEN ${WITHOUT_AGREED_FEE[name]} ELSE 0 END AS ${name}`,
  );
  const keys = list(EARNED_KEYS);
  const rows = [
    `SELECT ${keys}, ${list(own)} FROM ${selectPlaced(plan, `SELECT * FROM ${allMonths(life, edges)} AS sums`)} AS sums`,
    `SELECT ${keys}, earned_fee, fee_beyond FROM agreed_fees`,
    `SELECT ${besideLines(plan, EARNED_KEYS)} FROM revenue_lines`,
    ...(readsPlannedFees(plan) ? [`SELECT ${keys}, planned_fee, ${NOT_EARNED} FROM planned_fees`] : []),
  ];
  return `WITH ${feeParts(life, readOf(plan), { edges }).join(',\n')}
SELECT ${keys}, ${list(amounts.map((name) => `SUM(${name}) AS ${name}`))}
FROM (${unionByName(rows)}) AS earned ${groupBy(EARNED_KEYS)}`;
}

/**
 * Says how the lines of whole lives are read: by month, but the plan of projects whose forecast leaves out some of the work that is left to do, as
 * what the rest of it earns depends on which lines stand between its own. A window that is over has no forecast.
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

/** Returns the columns of lines of agreed fees in the place of sums by month. */
function sumColumns(plan: SummaryPlan): SqlColumn[] {
  const own: readonly Amount[] = ['hours', 'fee', ...plan.amounts];
  return [
    ...['date', 'kind', ...MONTH_KEYS].map((name) => ({ name, expression: name })),
    ...[...new Set(own)].map((name) => ({ name, expression: LINE_AMOUNTS[name].expression })),
  ];
}

/** Returns the amounts of sums of lines that no contract decides. */
function ownAmounts({ amounts }: SummaryPlan): Amount[] {
  const own = amounts.filter((amount) => WITHOUT_AGREED_FEE[amount] === undefined);
  return [...new Set<Amount>(['hours', 'fee', ...own])];
}
