import type { Days } from '../../calendar/day.ts';
import { moveDay } from '../../calendar/day.ts';
import { FIRST_DATE, LAST_DATE } from '../../resource/field.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import { dateLiteral, periodStart } from '../catalogue/period.ts';
import { readFact } from './fact-rules.ts';
import { columnOfFilter, filterConditions } from './filter.ts';
import { LINE_AMOUNTS, WITHOUT_AGREED_FEE } from './line-amounts.ts';
import { canFilterMonths, MONTH_KEYS, splitMonths, sumsAndLines } from './month-sums.ts';
import { isInWindow } from './query-sql.ts';
import type { SqlColumn } from './sql-columns.ts';
import { aliased, list } from './sql-columns.ts';
import type { StateSource } from './state-source.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The rules of agreed fees (3.3.1), in the order in which they read each other. */
const USES = readFact('fee_uses');
const LIVES = readFact('fee_lives');
const FEES = readFact('agreed_fees');

/** The kinds of lines that may use an agreed fee. */
const FEE_KINDS = ['scheduled', 'actual', 'expense'];

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

/** Selects the projects with an agreed fee: their lines are read one by one. */
function feeProjects({ source }: SummaryPlan): string {
  return `SELECT project_id FROM ${source.relation('budgets')} WHERE budget_type = 2`;
}

/** Tests whether a plan reads what lines earn of agreed fees. */
export function readsAgreedFees({ amounts }: Pick<SummaryPlan, 'amounts'>): boolean {
  return amounts.some((amount) => WITHOUT_AGREED_FEE[amount] !== undefined);
}

/** Returns the lines of the window whose project has an agreed fee, one by one, with their parts of it (`agreed_fees`). */
export function agreedFeeParts(plan: SummaryPlan): string[] {
  const window = `SELECT * FROM ${plan.source.alone.relation('lines')} WHERE ${isInWindow(plan.querySql, 'date')}`;
  return [...useParts(plan, lifeLinesPart(plan, window)), 'uses AS (SELECT * FROM fee_uses)', ...feeParts(plan)];
}

/** Returns what lines use of agreed fees (`fee_uses`). @param life The clause of all lines of the fees. */
function useParts({ querySql: { cutoff, hasStatus }, source }: SummaryPlan, life: string): string[] {
  return [
    `fee_day AS (SELECT ${cutoff} AS cutoff_date)`,
    `asked_statuses AS (SELECT status FROM (SELECT UNNEST(CAST(enum_range(NULL::line_status) AS line_status[])) AS status) AS statuses WHERE ${hasStatus('status')})`,
    life,
    `fee_uses AS (${USES(source)})`,
  ];
}

/** Returns the parts that `uses` have of agreed fees. */
function feeParts({ source }: SummaryPlan): string[] {
  return [`fee_lives AS (${LIVES(source)})`, `agreed_fees AS (${FEES(source)})`];
}

/** Selects the lines of a state with their parts of agreed fees. @param budgets The state whose budgets count. Default: the same. */
export function agreedFeesOf(plan: SummaryPlan, source: StateSource, budgets = source): string {
  const fees = `WITH ${agreedFeeParts({ ...plan, source }).join(',\n')} SELECT * FROM agreed_fees`;
  return fees.replaceAll(source.relation('budgets'), budgets.relation('budgets'));
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
    ...useParts(plan, lifeSumsPart(plan, `SELECT *, '' AS line_id FROM ${from} AS sums WHERE TRUE`)),
    usesByPeriod(plan),
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

/** Returns what the lines of each period of the window use together of an agreed fee, all lines before it, and all after it (`uses`). */
function usesByPeriod({ keys, calendar, querySql }: SummaryPlan): string {
  const { start, end } = querySql;
  const isShown = isInWindow(querySql, 'date');
  const periods = keys.flatMap(({ period }) =>
    period ? [`CASE WHEN ${isShown} THEN ${periodStart(period, 'date', calendar)} END`] : [],
  );
  const groups = ['kind', 'is_expense', 'is_left', 'is_done', `date < ${start}`, `date > ${end}`, ...periods];
  const fee = ['project_id', 'phase_key', 'task_key', 'agreed_fee', 'minor_units', 'is_over', 'is_canceled'];
  return `uses AS (
  SELECT ${list(fee)}, kind, is_expense, is_left, MAX(line_id) AS line_id, MAX(date) AS date, MAX(status) AS status, BOOL_OR(billable) AS billable,
    SUM(fee) AS fee, SUM(used_fee) AS used_fee, SUM(used_hours) AS used_hours
  FROM fee_uses WHERE is_counted AND agreed_fee IS NOT NULL
  GROUP BY ${list(fee, groups)}
)`;
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
  const conditions = filterConditions(selection, 'fees').map((condition) => ` AND ${condition}`);
  const sums = `SELECT *, '' AS line_id FROM ${sumsOf(plan, selection)} AS sums WHERE TRUE`;
  const parts = canFilterMonths(selection)
    ? [...useParts(plan, lifeSumsPart(plan, sums)), 'uses AS (SELECT * FROM fee_uses)', ...feeParts(plan)]
    : agreedFeeParts(plan);
  return `WITH ${parts.join(',\n')}
SELECT COUNT(*) AS count, COALESCE(SUM(lives.agreed_fee), 0) AS total
FROM (SELECT DISTINCT project_id, phase_key, task_key FROM uses AS fees WHERE line_id IS NOT NULL AND is_counted${conditions.join('')}) AS used
JOIN fee_lives AS lives ON lives.project_id = used.project_id AND lives.phase_key = used.phase_key AND lives.task_key = used.task_key
WHERE NOT lives.is_by_progress`;
}

/**
 * Returns the lines of the projects with an agreed fee (`life_lines`): those of the window one by one and, of the rest of their lives, one sum
 * before the window and one after it, on either side of the cutoff. All stand one by one where the days are known only when the statement runs.
 */
function lifeLinesPart(plan: SummaryPlan, window: string): string {
  const ofFees = `project_id IN (${feeProjects(plan)})`;
  if (!plan.hasFixedDays) {
    return `life_lines AS (SELECT * FROM ${plan.source.alone.relation('lines')} WHERE ${ofFees})`;
  }
  const keys = ['kind', ...MONTH_KEYS];
  return lifeParts(
    plan,
    window,
    (sums) => `SELECT MAX(date) AS date, ${list(keys)}, SUM(hours) AS hours, SUM(fee) AS fee
    FROM ${sums} AS sums WHERE ${ofFees} GROUP BY ${list(keys)}, date <= ${plan.querySql.cutoff}`,
  );
}

/** Returns the same with sums by month for the window, and for the rest of the lives. */
function lifeSumsPart(plan: SummaryPlan, window: string): string {
  return lifeParts(plan, window, (sums) => `SELECT * FROM ${sums} AS sums WHERE project_id IN (${feeProjects(plan)})`);
}

function lifeParts(plan: SummaryPlan, window: string, select: (sums: string) => string): string {
  const { startDate, endDate } = plan.query.selection;
  const rest: readonly Days[] = [
    { startDate: FIRST_DATE, endDate: moveDay(startDate, 'day', -1) },
    { startDate: moveDay(endDate, 'day', 1), endDate: LAST_DATE },
  ];
  return `life_lines AS (
  ${window} AND project_id IN (${feeProjects(plan)})
  ${rest.map((days) => `UNION ALL BY NAME ${select(sumsOf(plan, days))}`).join('\n  ')}
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
