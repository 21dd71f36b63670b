/** Days are ISO strings (`2024-02-29`), which sort by date. Everything here is whole days in UTC. */
export const FIRST_DAY = '1970-01-01';
export const LAST_DAY = '2099-12-31';

const DAY = 86_400_000;

export interface Window {
  start: string;
  end: string;
}

export type Interval = 'none' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

export function iso(year: number, month: number, day: number): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

export function daysBetween(start: string, end: string): number {
  return (Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / DAY;
}

export function daysOf(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = addDays(day, 1)) days.push(day);
  return days;
}

export function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

export function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}

export function dayOf(date: string): number {
  return Number(date.slice(8, 10));
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const month = monthOf(text);
  return month >= 1 && month <= 12 && dayOf(text) >= 1 && dayOf(text) <= daysInMonth(yearOf(text), month);
}

/** Returns the same day some years later; 29 February becomes the 28th in a common year. */
export function addYears(date: string, years: number): string {
  const year = yearOf(date) + years;
  return iso(year, monthOf(date), Math.min(dayOf(date), daysInMonth(year, monthOf(date))));
}

/** D2: keeps the weekday and its number within the month, `months` after the month of `first`. */
export function sameWeekdayAfterMonths(first: string, months: number): string {
  const nth = Math.ceil(dayOf(first) / 7);
  const index = yearOf(first) * 12 + (monthOf(first) - 1) + months;
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  const days: string[] = [];
  for (let day = 1; day <= daysInMonth(year, month); day += 1) {
    const date = iso(year, month, day);
    if (weekday(date) === weekday(first)) days.push(date);
  }
  const found = days[nth - 1] ?? days[days.length - 1];
  if (found === undefined) throw new Error(`no such weekday in ${year}-${month}`);
  return found;
}

/** 3.1: returns the first day of the period of a day, not clipped to a window. */
export function periodStart(
  date: string,
  interval: Exclude<Interval, 'none'>,
  weekStartsOn: number,
  fiscalYearStartsIn: number,
): string {
  if (interval === 'day') return date;
  if (interval === 'week') return addDays(date, -((weekday(date) - weekStartsOn + 7) % 7));
  const monthsIntoYear = (monthOf(date) - fiscalYearStartsIn + 12) % 12;
  const monthsIntoPeriod = interval === 'month' ? 0 : interval === 'quarter' ? monthsIntoYear % 3 : monthsIntoYear;
  const index = yearOf(date) * 12 + (monthOf(date) - 1) - monthsIntoPeriod;
  return iso(Math.floor(index / 12), (index % 12) + 1, 1);
}
