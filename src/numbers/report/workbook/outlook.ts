import { type Calendar, type Days, FIRST_DATE, LAST_DATE, periodOf } from '../../../base/calendar/index.ts';
import { namePeriod } from '../plan/period-columns.ts';
import type { ListRow } from './list-rows.ts';

/*
 * The months around a window: of the fiscal year before the one in which it ends, of that year, and of the next quarter.
 */

/** The parts of an outlook that a window ends in, comes after or before. */
const PARTS = {
  in_last_year: { period: 'year', count: -1 },
  in_year: { period: 'year', count: 0 },
  in_next_quarter: { period: 'quarter', count: 1 },
} as const;

/** Returns the days of the outlook of a window. */
export function outlookDays(window: Days, calendar: Calendar): Days {
  const parts = Object.values(PARTS).map(({ period, count }) => periodOf(period, window.endDate, calendar, count));
  const days = parts.flatMap(({ startDate, endDate }) => [startDate, endDate].map(nearestAllowed)).sort();
  return { startDate: days[0] ?? FIRST_DATE, endDate: days.at(-1) ?? LAST_DATE };
}

/** Returns a day, or the first or last one that records may have. */
function nearestAllowed(day: string): string {
  return [FIRST_DATE, day, LAST_DATE].sort()[1] ?? day;
}

/** Returns the facts of a month of the outlook: `1` for each of its parts that it is in. */
export function outlookFacts({ endDate }: Days, calendar: Calendar, row: ListRow): ListRow {
  const facts = Object.entries(PARTS).map(([name, { period, count }]) => {
    const { startDate: start } = periodOf(period, endDate, calendar, count);
    const isIn = row.get(period) === namePeriod({ period, start }, calendar.fiscalYearStartsIn);
    return [name, isIn ? '1' : null] as const;
  });
  return new Map(facts);
}
