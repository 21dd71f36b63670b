import { quoteText } from '../database.ts';
import type { Period } from './catalogue.ts';

/** How a company's weeks and years run: 0 Sunday to 6; month 1 to 12. */
export interface Calendar {
  readonly weekStartsOn: number;
  readonly fiscalYearStartsIn: number;
}

/** The first day of the period that a date is in, as SQL. Weeks, quarters and years are the company's own. */
export function periodStart(period: Period, date: string, { weekStartsOn, fiscalYearStartsIn }: Calendar): string {
  const monthsInto = (months: number) => `(month(${date}) + ${12 - fiscalYearStartsIn}) % ${months}`;
  const monthsBack = (months: string) =>
    `CAST(date_trunc('month', ${date}) - to_months(CAST(${months} AS INTEGER)) AS DATE)`;
  switch (period) {
    case 'day':
      return date;
    case 'week':
      return `${date} - CAST((dayofweek(${date}) + ${7 - weekStartsOn}) % 7 AS INTEGER)`;
    case 'month':
      return `CAST(date_trunc('month', ${date}) AS DATE)`;
    case 'quarter':
      return monthsBack(monthsInto(3));
    case 'year':
      return monthsBack(monthsInto(12));
  }
}

const LENGTHS: Readonly<Record<Period, string>> = {
  day: 'INTERVAL 1 DAY',
  week: 'INTERVAL 7 DAY',
  month: 'INTERVAL 1 MONTH',
  quarter: 'INTERVAL 3 MONTH',
  year: 'INTERVAL 12 MONTH',
};

/** The last day of the period that begins on `start`, as SQL. */
export function periodEnd(period: Period, start: string): string {
  return `CAST(${start} + ${LENGTHS[period]} - INTERVAL 1 DAY AS DATE)`;
}

/** A date as an SQL literal. */
export function dateLiteral(date: string): string {
  return `DATE ${quoteText(date)}`;
}
