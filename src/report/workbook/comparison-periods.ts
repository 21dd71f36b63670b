/** A window of days and its cutoff: YYYY-MM-DD. */
export interface Window {
  readonly startDate: string;
  readonly endDate: string;
  readonly cutoffDate: string;
}

const DAY_MS = 86_400_000;

/**
 * Returns the window just before another: whole months before whole months, else as many days.
 * The cutoff moves by the same months or days, so that both windows are equally far along.
 */
export function priorWindow(window: Window): Window {
  const { startDate, endDate } = window;
  if (isWholeMonths(window)) return shiftMonths(window, -monthsBetween(startDate, endDate) - 1);
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
  return mapWindow(window, (day) => dayOf(Date.parse(day) - days * DAY_MS));
}

export function lastYearWindow(window: Window): Window {
  return shiftMonths(window, -12);
}

/** Moves a window by months. The last day of a month stays one if the window is of whole months. */
function shiftMonths(window: Window, months: number): Window {
  const keepsEnds = isWholeMonths(window);
  return mapWindow(window, (day) => {
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
    const last = lastOfMonth(year, month + months);
    const isEnd = keepsEnds && date === lastOfMonth(year, month);
    return dayOf(Date.UTC(year, month - 1 + months, isEnd ? last : Math.min(date, last)));
  });
}

/** A quarter or a year of months, whenever the fiscal year starts, is of whole months, too. */
function isWholeMonths({ startDate, endDate }: Window): boolean {
  const [year = 0, month = 0, date] = endDate.split('-').map(Number);
  return startDate.endsWith('-01') && date === lastOfMonth(year, month);
}

function monthsBetween(earlier: string, later: string): number {
  const [from, to] = [earlier, later].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return (to ?? 0) - (from ?? 0);
}

/** @param month From 1; beyond 12 it counts on into other years. */
function lastOfMonth(year: number, month: number): number {
  const last = Date.UTC(year, month, 0);
  return new Date(last).getUTCDate();
}

function mapWindow({ startDate, endDate, cutoffDate }: Window, move: (day: string) => string): Window {
  return { startDate: move(startDate), endDate: move(endDate), cutoffDate: move(cutoffDate) };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
