import { type Days, endOfMonth, moveDay } from '../../../base/calendar/index.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Selection } from '../request/query.ts';
import { columnOfFilter } from './filter.ts';
import { LINE_AMOUNTS, WITHOUT_AGREED_FEE } from './line-amounts.ts';
import type { StateSource } from './state-source.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The columns of the sums of months that lines are grouped and filtered by, beside their kind. */
export const MONTH_KEYS = ['project_id', 'phase_id', 'task_meta_id', 'status', 'billable'];

/** All columns that tell the sums of a month apart. */
const SUM_KEYS = ['kind', ...MONTH_KEYS];

/** The relations of attributes that a project's id finds. */
const OF_PROJECTS = ['project', 'project_tags'];

/** Periods that whole months make up. */
const LONG_PERIODS: readonly unknown[] = ['month', 'quarter', 'year'];

/**
 * Returns a relation in place of the ledger, whose rows are the sums of whole months and the lines of the window's other days;
 * undefined if a plan asks for something finer than the sums or compares a baseline, or if the window has no whole month.
 * The months of the cutoff and, where lines after today count, of today are read by line. The date of a sum is the first day of its month.
 */
export function monthSums(plan: SummaryPlan): string | undefined {
  if (!isOfMonths(plan)) return undefined;
  return sumsAndLines(plan.source, plan.query.selection, splitMonths(plan), {
    ofMonths: ['month AS date', ...SUM_KEYS, ...summedAmounts(plan)],
    ofLines: monthLineColumns(plan),
  });
}

/** Returns the columns of a line beside the sums of months, with the same names and meanings. */
export function monthLineColumns(plan: SummaryPlan): string[] {
  const amounts = summedAmounts(plan).map((amount) => `${LINE_AMOUNTS[amount].expression} AS ${amount}`);
  return ['date', ...SUM_KEYS, ...amounts];
}

/** Returns the amounts that sums of months have for a plan: the fee, where an agreed fee decides what is earned of it. */
function summedAmounts({ amounts }: SummaryPlan): Amount[] {
  const ofSums = amounts.map((amount) => (WITHOUT_AGREED_FEE[amount] === undefined ? amount : 'fee'));
  return [...new Set(['hours' as const, ...ofSums])];
}

/** Columns to read from months and from lines, with the same names and meanings. */
interface ReadColumns {
  readonly ofMonths: readonly string[];
  readonly ofLines: readonly string[];
}

/**
 * Returns a relation of the sums of the whole months of a window, and of the lines of its other days; undefined if it has no whole month.
 * @param split The first days of months that are read by line.
 */
export function sumsAndLines(
  source: StateSource,
  window: Days,
  split: readonly string[],
  { ofMonths, ofLines }: ReadColumns,
): string | undefined {
  const { isWhole, days } = wholeMonths(window, split);
  if (isWhole === undefined) return undefined;
  return `(
    ${[
      `SELECT ${ofMonths.join(', ')} FROM ${source.relation('ledger_months')} WHERE ${isWhole}`,
      ...days.map(
        (each) => `SELECT ${ofLines.join(', ')} FROM ${source.alone.relation('ledger')} WHERE ${isWithinDays(each)}`,
      ),
    ].join('\n    UNION ALL ')}
  )`;
}

/** The condition that a month is a whole one of a window, undefined if none is, and the other days of the window. */
interface WholeMonths {
  readonly isWhole: string | undefined;
  readonly days: readonly Days[];
}

/** Divides a window into whole months and other days. @param split The first days of months that count as other days. */
export function wholeMonths({ startDate, endDate }: Days, split: readonly string[]): WholeMonths {
  const first = moveDay(monthOf(moveDay(startDate, 'day', -1)), 'month', 1);
  const next = monthOf(moveDay(endDate, 'day', 1));
  if (first >= next) return { isWhole: undefined, days: startDate > endDate ? [] : [{ startDate, endDate }] };
  const inside = split.filter((month) => month >= first && month < next);
  const days = [
    { startDate, endDate: moveDay(first, 'day', -1) },
    ...inside.map((month) => ({ startDate: month, endDate: endOfMonth(month) })),
    { startDate: next, endDate },
  ];
  return {
    isWhole: [`month >= ${dateLiteral(first)} AND month < ${dateLiteral(next)}`, ...inside.map(isOther)].join(' AND '),
    days: days.filter((each) => each.startDate <= each.endDate),
  };
}

export function isWithinDays({ startDate, endDate }: Days): string {
  return `date BETWEEN ${dateLiteral(startDate)} AND ${dateLiteral(endDate)}`;
}

/** Tests whether the sums of months have all columns that filters test. They have no person, so a part by people has none. */
export function canFilterMonths({ filters, report, part }: Pick<Selection, 'filters' | 'report' | 'part'>): boolean {
  return part?.projects !== 'some' && filters.every((filter) => MONTH_KEYS.includes(columnOfFilter(filter, report)));
}

function monthOf(day: string): string {
  return `${day.slice(0, -2)}01`;
}

function isOther(month: string): string {
  return `month <> ${dateLiteral(month)}`;
}

/** The days that decide what counts. */
type DecisiveDay = 'cutoff' | 'today';

/**
 * Returns the months whose lines are partly before, partly after a day that decides what counts.
 * @param days Default: those of the plan's lines.
 * @param edges Further days, before which lines stand apart.
 */
export function splitMonths(
  { query, properties }: SummaryPlan,
  days: readonly DecisiveDay[] = properties.has('is_future') ? ['cutoff', 'today'] : ['cutoff'],
  edges: readonly string[] = [],
): string[] {
  const { cutoffDate, today } = query.selection;
  const inside = days.map((day) => (day === 'cutoff' ? cutoffDate : today)).filter((day) => day !== endOfMonth(day));
  return [...new Set([...inside, ...edges].map(monthOf))];
}

function isOfMonths({ query, source, keys, facts, hasFixedDays }: SummaryPlan): boolean {
  return (
    hasFixedDays &&
    source.baseline === undefined &&
    [...facts].every(({ takesMonths }) => takesMonths) &&
    keys.every(({ dimension, period }) => {
      if (period) return LONG_PERIODS.includes(period);
      const [relation = '', column = ''] = (dimension?.line ?? '').split('.');
      return relation === 'ledger' ? MONTH_KEYS.includes(column) : OF_PROJECTS.includes(relation);
    }) &&
    canFilterMonths(query.selection)
  );
}
