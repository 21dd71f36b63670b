import { endOfMonth, moveDay } from '../../calendar/day.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { LINE_AMOUNTS } from './cell-sums.ts';
import { columnOfFilter } from './filter.ts';
import type { SummaryPlan } from './plan-summary.ts';

/** The columns of core.ledger_months that lines are grouped and filtered by. */
const KEYS = ['project_id', 'phase_id', 'task_meta_id', 'status', 'billable'];

/** The relations of attributes that a project's id finds. */
const OF_PROJECTS = ['project', 'project_tags'];

/** Periods that whole months make up. */
const LONG_PERIODS: readonly unknown[] = ['month', 'quarter', 'year'];

/**
 * Returns a relation in place of core.ledger, whose rows are the sums of whole months and the lines of the window's other days;
 * undefined if a plan asks for something finer than the sums or compares a baseline, or if the window has no whole month.
 * The months of the cutoff and, where lines after today count, of today are read by line. The date of a sum is the first day of its month.
 */
export function monthSums(plan: SummaryPlan): string | undefined {
  if (!isOfMonths(plan)) return undefined;
  const { startDate, endDate } = plan.query.selection;
  const first = moveDay(monthOf(moveDay(startDate, 'day', -1)), 'month', 1);
  const next = monthOf(moveDay(endDate, 'day', 1));
  const split = splitMonths(plan).filter((month) => month >= first && month < next);
  const months = [`month >= ${dateLiteral(first)} AND month < ${dateLiteral(next)}`, ...split.map(isOther)];
  const days = [
    { from: startDate, to: moveDay(first, 'day', -1) },
    ...split.map((month) => ({ from: month, to: endOfMonth(month) })),
    { from: next, to: endDate },
  ].filter(({ from, to }) => from <= to);
  if (first >= next) return undefined;
  const shared = ['kind', ...KEYS];
  const amounts = [...new Set(['hours' as const, ...plan.amounts])];
  const read = (date: string, amounts: readonly string[], from: string) =>
    `SELECT ${[`${date} AS date`, ...shared, ...amounts].join(', ')} FROM ${from}`;
  const ofLines = amounts.map((amount) => `${LINE_AMOUNTS[amount].expression} AS ${amount}`);
  return `(
    ${[
      read('month', amounts, `core.ledger_months WHERE ${months.join(' AND ')}`),
      ...days.map(({ from, to }) =>
        read('date', ofLines, `core.ledger WHERE date BETWEEN ${dateLiteral(from)} AND ${dateLiteral(to)}`),
      ),
    ].join('\n    UNION ALL ')}
  )`;
}

function monthOf(day: string): string {
  return `${day.slice(0, -2)}01`;
}

function isOther(month: string): string {
  return `month <> ${dateLiteral(month)}`;
}

/** Returns the months whose lines are partly before, partly after a day that decides what counts. */
function splitMonths({ query, hasFuture }: SummaryPlan): string[] {
  const { cutoffDate, today } = query.selection;
  const decisive = hasFuture ? [cutoffDate, today] : [cutoffDate];
  const inside = decisive.filter((day) => day !== endOfMonth(day));
  return [...new Set(inside.map(monthOf))];
}

function isOfMonths({ query, keys, families, hasFixedDays }: SummaryPlan): boolean {
  const isKey = (column: string) => KEYS.includes(column);
  return (
    hasFixedDays &&
    query.selection.baseline === undefined &&
    [...families].every((family) => family === 'budget') &&
    keys.every(({ dimension, period }) => {
      if (period) return LONG_PERIODS.includes(period);
      const [relation = '', column = ''] = (dimension?.line ?? '').split('.');
      return relation === 'ledger' ? isKey(column) : OF_PROJECTS.includes(relation);
    }) &&
    query.selection.filters.every((filter) => isKey(columnOfFilter(filter, query.selection.report)))
  );
}
