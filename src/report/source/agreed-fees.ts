import type { Amount } from '../catalogue/catalogue.ts';
import { readFact, readModel } from './fact-rules.ts';
import { feeProjects, useParts, usesByPeriod, usesOfLines } from './fee-uses.ts';
import { columnOfFilter, filterConditions } from './filter.ts';
import { LINE_AMOUNTS, WITHOUT_AGREED_FEE } from './line-amounts.ts';
import { canFilterMonths, MONTH_KEYS } from './month-sums.ts';
import { isInWindow, kindConditions } from './query-sql.ts';
import type { SqlColumn } from './sql-columns.ts';
import { aliased, list } from './sql-columns.ts';
import type { StateSource } from './state-source.ts';
import type { RowKey, SummaryPlan } from './summary-plan.ts';

/** The rules of what agreed fees are earned by, and of their parts (3.3.1). */
const LIVES = readFact('fee_lives');
const FEES = readFact('agreed_fees');

/** The sums of lines by agreed fee and month. */
const MONTHS = readModel('core', 'fee_months');

/** The amounts that an agreed fee decides, on a line without one. */
const WITHOUT_FEE = Object.entries(WITHOUT_AGREED_FEE).map(([name, expression]): SqlColumn => ({ name, expression }));

/** Returns the SQL of such an amount on a sum of lines, beside which another row has what they earn of their agreed fee. */
function ownAmount(amount: Amount): string {
  return `CASE WHEN agreed_fee IS NULL THEN ${WITHOUT_AGREED_FEE[amount]} ELSE 0 END`;
}

/** Returns the column that tells scheduled lines that are left to do, on a line without an agreed fee. */
function asked({ querySql }: SummaryPlan): SqlColumn {
  return { name: 'is_left', expression: querySql.hasStatus('status') };
}

/** Tests whether a plan reads what lines earn of agreed fees. */
export function readsAgreedFees({ amounts }: Pick<SummaryPlan, 'amounts'>): boolean {
  return amounts.some((amount) => WITHOUT_AGREED_FEE[amount] !== undefined);
}

/** Returns the lines of the window whose project has an agreed fee, one by one, with their parts of it (`agreed_fees`). */
export function agreedFeeParts(plan: SummaryPlan): string[] {
  const { source, querySql } = plan;
  const window = `SELECT * FROM ${source.alone.relation('lines')} WHERE ${isInWindow(querySql, 'date')}`;
  return [...useParts(plan, window), usesOfLines(plan), ...feeParts(plan)];
}

/** Returns the parts that `uses` have of agreed fees. */
function feeParts(plan: SummaryPlan): string[] {
  return [livesPart(plan), `agreed_fees AS (${FEES(plan.source)})`];
}

/** Returns the lives of the agreed fees that `uses` are of (`fee_lives`). */
function livesPart({ source }: SummaryPlan): string {
  return `fee_lives AS (${LIVES(source)})`;
}

/** Selects the lines of a state with their parts of agreed fees. @param budgets The state whose budgets count. Default: the same. */
export function agreedFeesOf(plan: SummaryPlan, source: StateSource, budgets = source): string {
  const fees = `WITH ${agreedFeeParts({ ...plan, source }).join(',\n')} SELECT * FROM agreed_fees`;
  if (budgets === source) return fees;
  // Sums that are kept are of the budgets of their own state.
  const computed = fees.replaceAll(source.relation('fee_months'), `(${MONTHS(source)})`);
  return computed.replaceAll(source.relation('budgets'), budgets.relation('budgets'));
}

/** Returns the lines of a query, each with what it earns (`fee_lines`). @param from The lines, or sums of them by month. */
export function feeLineParts(plan: SummaryPlan, from: string, isOfSums: boolean): string[] {
  const { baseline } = plan.source;
  const isOther = `project_id NOT IN (${feeProjects(plan)})`;
  const others = `SELECT *, ${list([...WITHOUT_FEE, asked(plan)].map(aliased))} FROM ${from} AS ledger
  WHERE ${baseline ? `is_baseline OR ${isOther}` : isOther}`;
  if (isOfSums && !splitsFees(plan)) return feeSumParts(plan, from, others);
  const own = isOfSums ? list(sumColumns(plan, (amount) => LINE_AMOUNTS[amount].expression).map(aliased)) : '*';
  return [
    ...agreedFeeParts(plan),
    `fee_lines AS (
  ${others}
  UNION ALL BY NAME
  SELECT ${own}${baseline ? ', FALSE AS is_baseline' : ''} FROM agreed_fees
)`,
  ];
}

/**
 * Returns the sums of lines by month, with rows beside them for what the lines of a period earn together: what the fee has earned by the end
 * of the period less what it had earned before it.
 */
function feeSumParts(plan: SummaryPlan, from: string, others: string): string[] {
  const own = sumColumns(plan, (amount) => (WITHOUT_AGREED_FEE[amount] === undefined ? amount : ownAmount(amount)));
  return [
    ...useParts(plan, sumsAsLines(from)),
    `uses AS (${usesByPeriod(plan)})`,
    ...feeParts(plan),
    `fee_lines AS (
  ${others}
  UNION ALL BY NAME
  SELECT ${list(own.map(aliased))} FROM fee_uses WHERE line_id IS NOT NULL
  UNION ALL BY NAME
  SELECT date, kind, is_left, project_id, status, billable, ${list(Object.keys(WITHOUT_AGREED_FEE))} FROM agreed_fees
)`,
  ];
}

/** Selects sums of the lines of a window in the place of these. */
function sumsAsLines(sums: string): string {
  return `SELECT *, '' AS line_id FROM ${sums} AS sums WHERE TRUE`;
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

/** Tests whether a query has all lines of its window that use an agreed fee, or none. */
function hasWholeFees({ query: { selection }, hasFixedDays }: SummaryPlan): boolean {
  const { report, filters } = selection;
  return (
    hasFixedDays &&
    canFilterMonths(selection) &&
    kindConditions(report, 'lines').length === 0 &&
    filters.every((filter) => columnOfFilter(filter, report) === 'project_id')
  );
}

/** Returns the columns of lines of agreed fees in the place of sums by month. @param sqlOf Returns the SQL of an amount. */
function sumColumns({ amounts }: SummaryPlan, sqlOf: (amount: Amount) => string): SqlColumn[] {
  const own: readonly Amount[] = ['hours', 'fee', ...amounts];
  return [
    ...['date', 'kind', 'is_left', ...MONTH_KEYS].map((name) => ({ name, expression: name })),
    ...[...new Set(own)].map((name) => ({ name, expression: sqlOf(name) })),
  ];
}

/** Compiles the count and the sum of the agreed fees of a query that are earned as they are used. */
export function compileUnknownProgress(plan: SummaryPlan): string {
  const { selection } = plan.query;
  const conditions = [isInWindow(plan.querySql, 'date'), 'is_counted', ...filterConditions(selection, 'fees')];
  const parts = hasWholeFees(plan)
    ? [...useParts(plan), 'uses AS (SELECT * FROM fee_uses)', livesPart(plan)]
    : agreedFeeParts(plan);
  return `WITH ${parts.join(',\n')}
SELECT COUNT(*) AS count, COALESCE(SUM(lives.agreed_fee), 0) AS total
FROM (SELECT DISTINCT project_id, phase_key, task_key FROM uses AS fees WHERE ${conditions.join(' AND ')}) AS used
JOIN fee_lives AS lives ON lives.project_id = used.project_id AND lives.phase_key = used.phase_key AND lives.task_key = used.task_key
WHERE NOT lives.is_by_progress`;
}
