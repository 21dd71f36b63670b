/*
 * Arithmetic of days for the window's arrows. What a named period means is the server's to say: it knows the company's
 * calendar, and tells the days in each answer.
 */

/** A first and a last day, as YYYY-MM-DD. */
export interface Days {
  readonly start_date: string;
  readonly end_date: string;
}

/** Days that contain the whole life of any project. */
export const WHOLE_LIFE: Days = { start_date: '1970-01-01', end_date: '2099-12-31' };

/** Returns whether a text is a day, which the address of the page may not be. */
export function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = readDay(text);
  return !Number.isNaN(date.getTime()) && write(date) === text;
}

/** Returns whether both days are there, in their order. */
export function isDays(days: Partial<Days>): days is Days {
  const { start_date: start, end_date: end } = days;
  return isDay(start) && isDay(end) && start <= end;
}

/** Returns whether days are the whole life of everything. */
export function isWholeLife({ start_date: start, end_date: end }: Days): boolean {
  return start === WHOLE_LIFE.start_date && end === WHOLE_LIFE.end_date;
}

/** Returns the days as long as these before (-1) or after them (1): whole months if they are whole months. */
export function shiftDays({ start_date: start, end_date: end }: Days, steps: -1 | 1): Days {
  const [from, to] = [readDay(start), readDay(end)];
  const after = addDays(to, 1);
  if (from.getUTCDate() === 1 && after.getUTCDate() === 1) {
    const months = (after.getUTCFullYear() - from.getUTCFullYear()) * 12 + after.getUTCMonth() - from.getUTCMonth();
    return {
      start_date: write(addMonths(from, steps * months)),
      end_date: write(addDays(addMonths(after, steps * months), -1)),
    };
  }
  const length = Math.round((after.getTime() - from.getTime()) / DAY_MS);
  return { start_date: write(addDays(from, steps * length)), end_date: write(addDays(to, steps * length)) };
}

/** Returns the day in other days that is as far from their start as a day is from the start of its own. */
export function moveWith(day: string, { start_date: start }: Days, { start_date: other }: Days): string {
  const passed = Math.round((readDay(day).getTime() - readDay(start).getTime()) / DAY_MS);
  return write(addDays(readDay(other), passed));
}

/** Returns the same days a year before; 29 February becomes 28 February. */
export function yearBefore({ start_date: start, end_date: end }: Days): Days {
  const earlier = (day: string) => {
    const date = readDay(day);
    const isMonthEnd = addDays(date, 1).getUTCDate() === 1;
    const first = addMonths(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)), -12);
    const last = addDays(addMonths(first, 1), -1);
    return isMonthEnd ? last : addDays(first, date.getUTCDate() - 1);
  };
  return { start_date: write(earlier(start)), end_date: write(earlier(end)) };
}

const DAY_MS = 86_400_000;

/** Returns the day so many days before another. */
export function daysBefore(day: string, days: number): string {
  return write(addDays(readDay(day), -days));
}

/** Returns the last Monday before a day. */
export function mondayBefore(day: string): string {
  const weekday = readDay(day).getUTCDay();
  return daysBefore(day, ((weekday + 5) % 7) + 1);
}

function readDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

function write(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

/** Returns the first of a month, so many months later. */
function addMonths(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}

/** Months of a period that is made of them, and days of one that isn't. */
const [MONTHS_OF, DAYS_OF] = [
  { month: 1, quarter: 3, year: 12 },
  { day: 1, week: 7 },
] as const;

/** Returns the number of periods from the first day of a window to that of a period; 0 for the one that it begins in. @param kinds The kinds of periods, among other words. */
export function periodsBetween(start: string, day: string, kinds: readonly string[]): number {
  const days = Object.entries(DAYS_OF).find(([kind]) => kinds.includes(kind))?.[1];
  const [from, to] = [readDay(start), readDay(day)];
  if (days !== undefined) return Math.ceil((to.getTime() - from.getTime()) / DAY_MS / days);
  const length = Object.entries(MONTHS_OF).find(([kind]) => kinds.includes(kind))?.[1] ?? 1;
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  return Math.ceil(months / length);
}

/** Returns the last day of a month, so many months after that of a day. */
export function endOfMonth(day: string, months = 0): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  return new Date(Date.UTC(year, month + months, 0)).toISOString().slice(0, 10);
}

/** Returns the days of a period by its first one. A fiscal one may begin in any month. */
export function periodDays(period: string, start: string): Days {
  const months = Object.entries(MONTHS_OF).find(([kind]) => kind === period)?.[1];
  if (months !== undefined) return { start_date: start, end_date: endOfMonth(start, months - 1) };
  return { start_date: start, end_date: daysBefore(start, period === 'week' ? 1 - DAYS_OF.week : 0) };
}
