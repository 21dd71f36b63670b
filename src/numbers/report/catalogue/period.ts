import type { Calendar, Period } from '../../../base/calendar/index.ts';
import { quoteText } from '../../../base/database/index.ts';

const LENGTHS: Readonly<Record<Period, string>> = {
  day: 'INTERVAL 1 DAY',
  week: 'INTERVAL 7 DAY',
  month: 'INTERVAL 1 MONTH',
  quarter: 'INTERVAL 3 MONTH',
  year: 'INTERVAL 12 MONTH',
};

/** The least number of days in a period. */
export const PERIOD_DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 28, quarter: 90, year: 365 };

/** A period, or SQL of a period's name; any other name means none. */
export type Interval = Period | { readonly expression: string };

/** Returns SQL for the first day of a date's period in the company's calendar; null for none. */
export function periodStart(interval: Interval, date: string, calendar: Calendar): string {
  return chooseByName(interval, (period) => startOf(period, date, calendar));
}

/** Returns SQL for the last day of the period that begins on `start`. */
export function periodEnd(interval: Interval, start: string): string {
  return chooseByName(interval, (period) => `CAST(${start} + ${LENGTHS[period]} - INTERVAL 1 DAY AS DATE)`);
}

function chooseByName(interval: Interval, choose: (period: Period) => string): string {
  if (typeof interval === 'string') return choose(interval);
  const cases = (Object.keys(LENGTHS) as Period[]).map((period) => `WHEN ${quoteText(period)} THEN ${choose(period)}`);
  return `CASE ${interval.expression} ${cases.join(' ')} END`;
}

function startOf(period: Period, date: string, { weekStartsOn, fiscalYearStartsIn }: Calendar): string {
  switch (period) {
    case 'day':
      return date;
    case 'week':
      return `pl_week_start(${date}, ${weekStartsOn})`;
    case 'month':
      return `pl_first_of_month(${date})`;
    case 'quarter':
      return `pl_fiscal_start(${date}, 3, ${fiscalYearStartsIn})`;
    case 'year':
      return `pl_fiscal_start(${date}, 12, ${fiscalYearStartsIn})`;
  }
}

export function dateLiteral(date: string): string {
  return `DATE ${quoteText(date)}`;
}

/**
 * Returns the name of a fiscal quarter: 2026-Q1, of the calendar year in which its fiscal year ends.
 * @param start Its first day, or one of the window in it, as YYYY-MM-DD.
 */
export function nameQuarter(start: string, fiscalYearStartsIn: number): string {
  const [year = 0, month = 1] = start.split('-').map(Number);
  const passed = (month - fiscalYearStartsIn + 12) % 12;
  const ends = year + (fiscalYearStartsIn > 1 && month >= fiscalYearStartsIn ? 1 : 0);
  return `${ends}-Q${Math.floor(passed / 3) + 1}`;
}
