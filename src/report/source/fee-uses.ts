import { moveDay } from '../../calendar/day.ts';
import { FIRST_DATE, LAST_DATE } from '../../resource/field.ts';
import { periodStart } from '../catalogue/period.ts';
import { readFact } from './fact-rules.ts';
import { isWithinDays, MONTH_KEYS, splitMonths, wholeMonths } from './month-sums.ts';
import { isInWindow } from './query-sql.ts';
import { list } from './sql-columns.ts';
import type { SummaryPlan } from './summary-plan.ts';

/*
 * The uses of agreed fees by lines (3.3.1), which `agreed-fees` puts in order. Those of the window stand one by one or by period; the rest of the
 * fees' lives is read from sums by month.
 */

/** The rules of the agreed fee of a line, and of what it uses of it. */
const PLACES = readFact('fee_places');
const USES = readFact('fee_uses');

export function feeProjects({ source }: SummaryPlan): string {
  return `SELECT project_id FROM ${source.relation('budgets')} WHERE budget_type = 2`;
}

/** Statements that select the lines of agreed fees, and sums of them that have their fee already. */
interface FeeLives {
  readonly lines: readonly string[];
  readonly months: readonly string[];
}

/**
 * Returns what lines use of agreed fees (`fee_uses`): those of the window, and without a line_id those of the rest of the fees' lives.
 * @param window Selects the lines of the window, or sums of them. Default: whole lives are read alike.
 */
export function useParts(plan: SummaryPlan, window?: string): string[] {
  const { querySql, source } = plan;
  const { lines, months } = plan.hasFixedDays ? livesOf(plan, window) : allLines(plan);
  const ofFees = lines.map((select) => `${select} AND project_id IN (${feeProjects(plan)})`);
  // A whole month has the fee of its lines already.
  const placed = ofFees.length === 0 ? [] : [`SELECT * FROM (${PLACES(source)}) AS lines`];
  return [
    `fee_day AS (SELECT ${querySql.cutoff} AS cutoff_date)`,
    `asked_statuses AS (SELECT status FROM (SELECT UNNEST(CAST(enum_range(NULL::line_status) AS line_status[])) AS status) AS statuses WHERE ${querySql.hasStatus('status')})`,
    ...(ofFees.length === 0 ? [] : [`life_lines AS (${unionByName(ofFees)})`]),
    `places AS (${unionByName([...placed, ...months])})`,
    `fee_uses AS (${USES(source)})`,
  ];
}

/** Returns the lives of a query whose days are known only when the statement runs. */
function allLines({ source }: SummaryPlan): FeeLives {
  return { lines: [`SELECT * FROM ${source.alone.relation('lines')} WHERE TRUE`], months: [] };
}

/** Returns the lives of a query: the window, and before and after it whole months and the lines of other days. */
function livesOf(plan: SummaryPlan, window?: string): FeeLives {
  const { startDate, endDate } = plan.query.selection;
  const { alone } = plan.source;
  const rest = [
    { startDate: FIRST_DATE, endDate: moveDay(startDate, 'day', -1) },
    ...(window === undefined ? [{ startDate, endDate }] : []),
    { startDate: moveDay(endDate, 'day', 1), endDate: LAST_DATE },
  ].map((days) => wholeMonths(days, splitMonths(plan)));
  const columns = list(['date', 'kind', 'hours', 'fee'], MONTH_KEYS);
  const days = rest.flatMap((part) => part.days.map(isWithinDays));
  const months = rest.flatMap(({ isWhole }) => (isWhole === undefined ? [] : [isWhole]));
  return {
    lines: [
      ...(window === undefined ? [] : [window]),
      ...days.map((isOne) => `SELECT ${columns} FROM ${alone.relation('ledger')} WHERE ${isOne}`),
    ],
    months: months.map(
      (isOne) => `SELECT *, month AS date FROM ${alone.relation('fee_months')} AS months WHERE ${isOne}`,
    ),
  };
}

/** Returns what the lines of the window use one by one of an agreed fee, and all before it and all after it (`uses`). */
export function usesOfLines(plan: SummaryPlan): string {
  const rest = usesByPeriod({ ...plan, keys: [] }, 'line_id IS NULL');
  return `uses AS (${unionByName(['SELECT * FROM fee_uses WHERE line_id IS NOT NULL', rest])})`;
}

/** Selects what the lines of each period of the window use together of an agreed fee, all before it, and all after it. */
export function usesByPeriod({ keys, calendar, querySql }: SummaryPlan, condition = 'TRUE'): string {
  const { start, end } = querySql;
  const isShown = isInWindow(querySql, 'date');
  const periods = keys.flatMap(({ period }) =>
    period ? [`CASE WHEN ${isShown} THEN ${periodStart(period, 'date', calendar)} END`] : [],
  );
  const groups = ['kind', 'is_expense', 'is_left', 'is_done', `date < ${start}`, `date > ${end}`, ...periods];
  const fee = ['project_id', 'phase_key', 'task_key', 'agreed_fee', 'minor_units', 'is_over', 'is_canceled'];
  return `SELECT ${list(fee)}, kind, is_expense, is_left, is_counted, MAX(line_id) AS line_id, MAX(date) AS date, MAX(status) AS status,
    BOOL_OR(billable) AS billable, SUM(fee) AS fee, SUM(used_fee) AS used_fee, SUM(used_hours) AS used_hours
  FROM fee_uses WHERE is_counted AND agreed_fee IS NOT NULL AND ${condition}
  GROUP BY ${list(fee, groups)}, is_counted`;
}

function unionByName(selects: readonly string[]): string {
  return selects.join('\n  UNION ALL BY NAME ');
}
