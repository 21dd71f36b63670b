/*
 * Arithmetic on days, which are texts as YYYY-MM-DD. It is that of date-fns on dates in UTC, so that the time zone of the machine
 * never matters. No other file of src computes days.
 */
import { UTCDateMini } from '@date-fns/utc/date/mini';
import type { Day as Weekday } from 'date-fns';
import { add } from 'date-fns/add';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { differenceInCalendarMonths } from 'date-fns/differenceInCalendarMonths';
import { formatISO } from 'date-fns/formatISO';
import { lastDayOfMonth } from 'date-fns/lastDayOfMonth';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfWeek } from 'date-fns/startOfWeek';

/** A date whose parts are those in UTC. */
type UtcDate = InstanceType<typeof UTCDateMini>;

export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** The starts of a company's weeks (0 Sunday to 6) and fiscal years (month 1 to 12). */
export interface Calendar {
  readonly weekStartsOn: number;
  readonly fiscalYearStartsIn: number;
}

/** The first and the last day of a span. */
export interface Days {
  readonly startDate: string;
  readonly endDate: string;
}

/** The first and the last day that records may have. */
export const FIRST_DATE = '1970-01-01';
export const LAST_DATE = '2099-12-31';

const LENGTHS = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
} as const;

/** Tests whether a value is a day that records may have. */
export function isAllowedDay(value: unknown): value is string {
  return typeof value === 'string' && isDay(value) && value >= FIRST_DATE && value <= LAST_DATE;
}

/** Tells whether a text is a valid date in the format YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

export function dayIn(timeZone: string, moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    moment,
  );
}

/** Returns the day that many periods later; a day that its month doesn't have becomes the month's last. */
export function moveDay(day: string, period: Period, count: number): string {
  return formatDay(addPeriods(parseDay(day), period, count));
}

/** Returns the days of the period that a day is in. @param count Periods to move on. Default: 0. */
export function periodOf(period: Period, day: string, calendar: Calendar, count = 0): Days {
  const first = addPeriods(startOf(period, parseDay(day), calendar), period, count);
  return { startDate: formatDay(first), endDate: formatDay(add(addPeriods(first, period, 1), { days: -1 })) };
}

export function endOfMonth(day: string): string {
  return formatDay(lastDayOfMonth(parseDay(day)));
}

/** Returns the days from one day to another; 0 for the same. */
export function daysBetween(earlier: string, later: string): number {
  return differenceInCalendarDays(parseDay(later), parseDay(earlier));
}

/** Returns the months from the month of one day to that of another. */
export function monthsBetween(earlier: string, later: string): number {
  return differenceInCalendarMonths(parseDay(later), parseDay(earlier));
}

/** Returns the weekday of a day; 0 is Sunday. */
export function weekdayOf(day: string): number {
  return parseDay(day).getDay();
}

/** Returns the number of days from Monday to Friday in a span. */
export function countWorkDays({ startDate, endDate }: Days): number {
  const days = daysBetween(startDate, endDate) + 1;
  const first = parseDay(startDate).getDay();
  let count = Math.floor(days / 7) * 5;
  for (let left = days % 7; left > 0; left -= 1) if (((first + left - 1) % 7) % 6 !== 0) count += 1;
  return Math.max(0, count);
}

/** Returns the moment at which a day ends in UTC. Unit: ms since 1970. */
export function endOfDayMs(day: string): number {
  return add(parseDay(day), { days: 1 }).getTime();
}

function startOf(period: Period, date: UtcDate, { weekStartsOn, fiscalYearStartsIn }: Calendar): UtcDate {
  if (period === 'day') return date;
  if (period === 'week') return startOfWeek(date, { weekStartsOn: weekStartsOn as Weekday });
  const passed = (date.getMonth() + 13 - fiscalYearStartsIn) % 12;
  const months = { month: 0, quarter: passed % 3, year: passed }[period];
  return add(startOfMonth(date), { months: -months });
}

function addPeriods(date: UtcDate, period: Period, count: number): UtcDate {
  const length = Object.entries(LENGTHS[period]).map(([unit, size]) => [unit, size * count]);
  return add(date, Object.fromEntries(length));
}

function parseDay(day: string): UtcDate {
  return new UTCDateMini(`${day}T00:00:00Z`);
}

function formatDay(date: UtcDate): string {
  return formatISO(date, { representation: 'date' });
}
