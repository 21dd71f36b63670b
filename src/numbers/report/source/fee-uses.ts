import { FIRST_DATE, LAST_DATE, moveDay } from '../../../base/calendar/index.ts';
import { dateLiteral, periodStart } from '../catalogue/period.ts';
import { readRule } from './fact-rules.ts';
import { isWithinDays, MONTH_KEYS, splitMonths, wholeMonths } from './month-sums.ts';
import { isInWindow, type QuerySql } from './query-sql.ts';
import { list } from './sql-columns.ts';
import { hasRetainers } from './state-source.ts';
import type { SummaryPlan } from './summary-plan.ts';

/*
 * The uses of agreed fees by lines (3.3.1), which `agreed-fees` puts in order. Those of the window stand one by one or by period; the rest of the
 * fees' lives is read from sums by month.
 */

/** The rules of the agreed fee of a line, and of what it uses of it. */
const PLACES = readRule('facts/fee_places');
const USES = readRule('facts/fee_uses');

/** Selects the projects that have places or retainers, whose lines are read one by one. */
export function feeProjects({ source }: Pick<SummaryPlan, 'source'>): string {
  return `SELECT project_id FROM ${source.relation('places')} UNION ALL ${retainedProjects(source)}`;
}

function retainedProjects(source: SummaryPlan['source']): string {
  return `SELECT project_id FROM ${source.relation('retained_places')}`;
}

/** Selects the lines of projects with places or retainers that statements select, each with its place. */
export function selectPlaced({ source }: Pick<SummaryPlan, 'source'>, ...selects: readonly string[]): string {
  return `(WITH life_lines AS (${unionByName(selects)}) SELECT * FROM (${PLACES(source)}) AS placed)`;
}

/** The ways to read the lines of a window: one by one, by period, or by period but those of a condition. */
export type ReadUses = 'by line' | 'by period' | { readonly byLine: string };

/**
 * Returns what lines use of agreed fees (`uses`): those of the window with a line_id, one by one or the sums of periods, and without one those
 * of the rest of the fees' lives.
 */
export function useParts(plan: SummaryPlan, read: ReadUses, asked: LifeOptions): string[] {
  const { querySql, source } = plan;
  const { plan: ofPlan = 'none', columns = ['*'], edges = [] } = asked;
  const days = [
    ...(ofPlan === 'alone'
      ? []
      : [`SELECT FALSE AS is_plan, ${querySql.cutoff} AS cutoff_date, ${querySql.today} AS today`]),
    ...(ofPlan === 'none' ? [] : [`SELECT TRUE AS is_plan, ${BEFORE_ALL} AS cutoff_date, ${querySql.today} AS today`]),
  ];
  const { lines, months } = plan.hasFixedDays
    ? livesOf(plan, read, list(columns), edges)
    : allLines(plan, list(columns));
  const placed =
    lines.length === 0
      ? []
      : [`SELECT *, date AS last_date FROM ${selectPlaced(plan, ...lines)} AS lines WHERE NOT is_retained`];
  return [
    `fee_day AS (${days.join(' UNION ALL ')})`,
    `fee_window AS (SELECT ${querySql.start} AS start_date, ${querySql.end} AS end_date)`,
    askedStatusesPart(querySql),
    `placed_lines AS (${unionByName([...placed, ...months])})`,
    `fee_uses AS (${USES(source)})`,
    ...(hasRetainers(source) ? [`retained_lines AS (${retainedLines(plan, list(columns))})`] : []),
    `uses AS (${read === 'by line' ? usesOfLines(plan) : usesByPeriod(plan, edges)})`,
  ];
}

/** Returns the statuses that a query asks for (`asked_statuses`). */
export function askedStatusesPart({ hasStatus }: QuerySql): string {
  const statuses = 'SELECT UNNEST(CAST(enum_range(NULL::line_status) AS line_status[])) AS status';
  return `asked_statuses AS (SELECT status FROM (${statuses}) AS statuses WHERE ${hasStatus('status')})`;
}

/**
 * Selects the lines with a retainer, as fee_uses has others: those of the window one by one, and the sums of other days, as a balance depends on all
 * days before.
 */
function retainedLines(plan: SummaryPlan, columns: string): string {
  const { querySql, source, hasFixedDays } = plan;
  const isRetained = `project_id IN (${retainedProjects(source)})`;
  const isShown = isInWindow(querySql, 'date');
  const lines = `SELECT ${columns} FROM ${source.alone.relation('lines')} WHERE ${isRetained}${hasFixedDays ? ` AND ${isShown}` : ''}`;
  const days = `SELECT * FROM ${source.alone.relation('retainer_days')} WHERE NOT (${isShown})`;
  const placed = selectPlaced(plan, lines, ...(hasFixedDays ? [days] : []));
  return `WITH placed_lines AS (SELECT *, date AS last_date FROM ${placed} AS lines WHERE is_retained) SELECT * FROM (${USES(source)}) AS uses`;
}

/** The day before all lines: with it as cutoff, places earn as if nothing had been logged (K5). */
const BEFORE_ALL = dateLiteral(moveDay(FIRST_DATE, 'day', -1));

export interface LifeOptions {
  /** The lives of the plan by itself (is_plan): beside the others, or alone. Default: none. */
  readonly plan?: 'none' | 'beside' | 'alone';
  /** The columns of lines that are read, with those that the rules read. */
  readonly columns?: readonly string[];
  /** Days before which uses by period stand apart. */
  readonly edges?: readonly string[];
}

/** Statements that select the lines of agreed fees, and sums of them that have their place already. */
interface FeeLives {
  readonly lines: readonly string[];
  readonly months: readonly string[];
}

/** Returns the lives of a query whose days are known only when the statement runs. */
function allLines({ source }: SummaryPlan, columns: string): FeeLives {
  return { lines: [`SELECT ${columns} FROM ${source.alone.relation('lines')}`], months: [] };
}

/** Returns the lives of a query: the window, and before and after it whole months and the lines of other days. */
function livesOf(plan: SummaryPlan, read: ReadUses, lineColumns: string, edges: readonly string[]): FeeLives {
  const { startDate, endDate } = plan.query.selection;
  const { alone } = plan.source;
  const split = splitMonths(plan, ['cutoff', 'today'], edges);
  const [before, window, after] = [
    { startDate: FIRST_DATE, endDate: moveDay(startDate, 'day', -1) },
    { startDate, endDate },
    { startDate: moveDay(endDate, 'day', 1), endDate: LAST_DATE },
  ].map((days) => wholeMonths(days, split));
  const columns = list(['date', 'kind', 'hours', 'fee'], MONTH_KEYS);
  const ofDays = (isOne: string, id = '') => `SELECT ${columns}${id} FROM ${alone.relation('ledger')} WHERE ${isOne}`;
  const ofMonths = (isOne: string, id = '') =>
    `SELECT *, month AS date${id} FROM ${alone.relation('fee_months')} AS months WHERE ${isOne}`;
  const shown = ", '' AS line_id";
  const isByLine = typeof read === 'object' ? read.byLine : undefined;
  const isSum = isByLine === undefined ? '' : ` AND NOT (${isByLine})`;
  const lines = `SELECT ${lineColumns} FROM ${alone.relation('lines')} WHERE ${isInWindow(plan.querySql, 'date')}`;
  const rest = [before, after];
  return {
    lines: [
      ...rest.flatMap((part) => part?.days.map((days) => ofDays(isWithinDays(days))) ?? []),
      ...(read === 'by line'
        ? [lines]
        : (window?.days ?? []).map((days) => `${ofDays(isWithinDays(days), shown)}${isSum}`)),
      ...(isByLine === undefined ? [] : [`${lines} AND ${isByLine}`]),
    ],
    months: [
      ...rest.flatMap((part) => (part?.isWhole === undefined ? [] : [ofMonths(part.isWhole)])),
      ...(read === 'by line' || window?.isWhole === undefined ? [] : [`${ofMonths(window.isWhole, shown)}${isSum}`]),
    ],
  };
}

/** Selects what the lines of the window use one by one of an agreed fee, and all before it and all after it. */
function usesOfLines(plan: SummaryPlan): string {
  const rest = usesByPeriod({ ...plan, keys: [] }, [], 'line_id IS NULL');
  return unionByName(['SELECT * FROM fee_uses WHERE line_id IS NOT NULL', rest]);
}

/** Selects what the lines of each period of the window use together of an agreed fee, all before it, and all after it; a line with an id by itself. */
function usesByPeriod({ keys, calendar, querySql }: SummaryPlan, edges: readonly string[], condition = 'TRUE'): string {
  const { start, end, cutoff } = querySql;
  const isShown = isInWindow(querySql, 'date');
  const periods = keys.flatMap(({ period }) =>
    period ? [`CASE WHEN ${isShown} THEN ${periodStart(period, 'date', calendar)} END`] : [],
  );
  const groups = [
    'kind',
    'is_expense',
    `date <= ${cutoff}`,
    `date < ${start}`,
    `date > ${end}`,
    ...edges.map((day) => `date < ${dateLiteral(day)}`),
    ...periods,
  ];
  const own = ['is_left', 'is_counted', 'is_by_end', 'is_future', 'line_id'];
  const fee = ['is_plan', 'project_id', 'phase_key', 'task_key', 'agreed_fee', 'minor_units', 'entry_date'];
  return `SELECT ${list(fee, own)}, kind, is_expense, MAX(date) AS date, MAX(last_date) AS last_date, MAX(status) AS status,
    BOOL_OR(billable) AS billable, SUM(fee) AS fee, SUM(used_fee) AS used_fee, SUM(used_hours) AS used_hours
  FROM fee_uses WHERE agreed_fee IS NOT NULL AND (is_counted OR is_left) AND ${condition}
  GROUP BY ${list(fee, own, groups)}`;
}

/** Returns the rows of statements with the same columns, or some of them. */
export function unionByName(selects: readonly string[]): string {
  return selects.join('\n  UNION ALL BY NAME ');
}
