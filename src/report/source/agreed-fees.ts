import type { Days } from '../../calendar/day.ts';
import { moveDay } from '../../calendar/day.ts';
import { FIRST_DATE, LAST_DATE } from '../../resource/field.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { readFact } from './fact-rules.ts';
import { columnOfFilter, filterConditions } from './filter.ts';
import { LINE_AMOUNTS, WITHOUT_AGREED_FEE } from './line-amounts.ts';
import { canFilterMonths, MONTH_KEYS, splitMonths, sumsAndLines } from './month-sums.ts';
import { isInWindow } from './query-sql.ts';
import type { SqlColumn } from './sql-columns.ts';
import { aliased, list } from './sql-columns.ts';
import type { StateSource } from './state-source.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The rule of agreed fees (3.3.1). */
const RULE = readFact('agreed_fees');

/** The kinds of lines that may use an agreed fee. */
const FEE_KINDS = ['scheduled', 'actual', 'expense'];

/** Selects the projects with an agreed fee: their lines are read one by one. */
function feeProjects({ source }: SummaryPlan): string {
  return `SELECT project_id FROM ${source.relation('budgets')} WHERE budget_type = 2`;
}

/** Tests whether a plan reads what lines earn of agreed fees. */
export function readsAgreedFees({ amounts }: Pick<SummaryPlan, 'amounts'>): boolean {
  return amounts.some((amount) => WITHOUT_AGREED_FEE[amount] !== undefined);
}

/**
 * Returns the lines of the window whose project has an agreed fee, with their parts of it (`agreed_fees`).
 * @param window Selects the lines of the window. Default: one by one.
 */
export function agreedFeeParts(plan: SummaryPlan, window = linesOfWindow(plan)): string[] {
  const { cutoff, hasStatus } = plan.querySql;
  return [
    `fee_day AS (SELECT ${cutoff} AS cutoff_date)`,
    `asked_statuses AS (SELECT status FROM (SELECT UNNEST(enum_range(NULL::line_status)) AS status) AS statuses WHERE ${hasStatus('status')})`,
    lifeLinesPart(plan, window),
    `agreed_fees AS (${RULE(plan.source)})`,
  ];
}

/** Selects the lines of a state with their parts of agreed fees. @param budgets The state whose budgets count. Default: the same. */
export function agreedFeesOf(plan: SummaryPlan, source: StateSource, budgets = source): string {
  const fees = `WITH ${agreedFeeParts({ ...plan, source }).join(',\n')} SELECT * FROM agreed_fees`;
  return fees.replaceAll(source.relation('budgets'), budgets.relation('budgets'));
}

/** Selects the lines of the window one by one. */
function linesOfWindow({ querySql, source }: SummaryPlan): string {
  return `SELECT * FROM ${source.alone.relation('lines')} WHERE ${isInWindow(querySql, 'date')}`;
}

/** Returns the lines of a query, each with what it earns (`fee_lines`). @param from The lines, or sums of them by month. */
export function feeLineParts(plan: SummaryPlan, from: string, isOfSums: boolean): string[] {
  const { baseline } = plan.source;
  const without = Object.entries(WITHOUT_AGREED_FEE).map(([name, expression]) => ({ name, expression }));
  const asked = { name: 'is_left', expression: plan.querySql.hasStatus('status') };
  const isOther = `project_id NOT IN (${feeProjects(plan)})`;
  const isWhole = isOfSums && !splitsFees(plan);
  return [
    ...(isWhole
      ? agreedFeeParts(plan, `SELECT *, '' AS line_id FROM ${from} AS sums WHERE TRUE`)
      : agreedFeeParts(plan)),
    `fee_lines AS (
  SELECT *, ${list([...without, asked].map(aliased))} FROM ${from} AS ledger
  WHERE ${baseline ? `is_baseline OR ${isOther}` : isOther}
  UNION ALL BY NAME
  SELECT ${list(isOfSums ? sumColumns(plan, isWhole).map(aliased) : ['*'])}${baseline ? ', FALSE AS is_baseline' : ''} FROM agreed_fees
)`,
  ];
}

/**
 * Tests whether the rows or filters of a plan tell lines of one agreed fee apart, so that each needs its own place among them. Otherwise
 * the lines of a month earn together what they earn one by one: what the fee has earned by its end less what it had earned before it.
 */
function splitsFees({ keys, query: { selection } }: SummaryPlan): boolean {
  const { report, filters } = selection;
  const isOfProject = (line: string) => !line.startsWith('ledger.') || line === 'ledger.project_id';
  return !(
    FEE_KINDS.every((kind) => report.lines?.includes(kind)) &&
    keys.every(({ dimension, period }) => period !== undefined || isOfProject(dimension?.line ?? '')) &&
    filters.every((filter) => columnOfFilter(filter, report) === 'project_id')
  );
}

/** Returns the columns of lines in the place of sums by month. @param areSums True for lines that are sums already. */
function sumColumns({ amounts }: SummaryPlan, areSums: boolean): SqlColumn[] {
  const own: readonly Amount[] = ['hours', 'fee', ...amounts];
  return [
    ...['date', 'kind', 'is_left', ...MONTH_KEYS].map((name) => ({ name, expression: name })),
    ...[...new Set(own)].map((name) => ({ name, expression: areSums ? name : LINE_AMOUNTS[name].expression })),
  ];
}

/** Compiles the count and the sum of the agreed fees of a query that are earned as they are used. */
export function compileUnknownProgress(plan: SummaryPlan): string {
  const { selection } = plan.query;
  const conditions = filterConditions(selection, 'fees').map((condition) => ` AND ${condition}`);
  const isUsed = 'agreed_fee IS NOT NULL AND is_counted AND NOT is_by_progress';
  const sums = `SELECT *, '' AS line_id FROM ${sumsOf(plan, selection)} AS sums WHERE TRUE`;
  const parts = canFilterMonths(selection) ? agreedFeeParts(plan, sums) : agreedFeeParts(plan);
  return `WITH ${parts.join(',\n')}
SELECT COUNT(*) AS count, COALESCE(SUM(agreed_fee), 0) AS total
FROM (SELECT DISTINCT project_id, phase_key, task_key, agreed_fee FROM agreed_fees AS fees WHERE ${isUsed}${conditions.join('')}) AS unknown`;
}

/**
 * Returns the lines of the projects with an agreed fee (`life_lines`): those of the window one by one and, of the rest of their lives, sums by
 * month. All stand one by one where the days are known only when the statement runs.
 */
function lifeLinesPart(plan: SummaryPlan, window: string): string {
  const { startDate, endDate } = plan.query.selection;
  const lines = plan.source.alone.relation('lines');
  const ofFees = `project_id IN (${feeProjects(plan)})`;
  if (!plan.hasFixedDays) return `life_lines AS (SELECT * FROM ${lines} WHERE ${ofFees})`;
  const rest: readonly Days[] = [
    { startDate: FIRST_DATE, endDate: moveDay(startDate, 'day', -1) },
    { startDate: moveDay(endDate, 'day', 1), endDate: LAST_DATE },
  ];
  const keys = ['kind', ...MONTH_KEYS];
  // All before the window, and all after it, is one sum on either side of the cutoff.
  const sumOf = (days: Days) => `SELECT MAX(date) AS date, ${list(keys)}, SUM(hours) AS hours, SUM(fee) AS fee
    FROM ${sumsOf(plan, days)} AS sums WHERE ${ofFees} GROUP BY ${list(keys)}, date <= ${plan.querySql.cutoff}`;
  return `life_lines AS (
  ${window} AND ${ofFees}
  ${rest.map((days) => `UNION ALL BY NAME ${sumOf(days)}`).join('\n  ')}
)`;
}

/** Returns the sums of lines by month, and lines of days that are in no whole month. */
function sumsOf(plan: SummaryPlan, days: Days): string {
  const columns = ['kind', ...MONTH_KEYS, 'hours', 'fee'];
  const sums = sumsAndLines(plan.source, days, splitMonths(plan), {
    ofMonths: ['month AS date', ...columns],
    ofLines: ['date', ...columns],
  });
  const isOfDays = `date BETWEEN ${dateLiteral(days.startDate)} AND ${dateLiteral(days.endDate)}`;
  return sums ?? `(SELECT ${list(['date'], columns)} FROM ${plan.source.alone.relation('ledger')} WHERE ${isOfDays})`;
}
