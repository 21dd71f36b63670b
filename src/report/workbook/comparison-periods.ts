import { daysBetween, endOfMonth, monthsBetween, moveDay } from '../../calendar/day.ts';

/** A window of days and its cutoff: YYYY-MM-DD. */
export interface Window {
  readonly startDate: string;
  readonly endDate: string;
  readonly cutoffDate: string;
}

/**
 * Returns the window just before another: whole months before whole months, else as many days.
 * The cutoff moves by the same months or days, so that both windows are equally far along.
 */
export function priorWindow(window: Window): Window {
  const { startDate, endDate } = window;
  if (isWholeMonths(window)) return shiftMonths(window, -monthsBetween(startDate, endDate) - 1);
  const days = daysBetween(startDate, endDate) + 1;
  return mapWindow(window, (day) => moveDay(day, 'day', -days));
}

export function lastYearWindow(window: Window): Window {
  return shiftMonths(window, -12);
}

/** Moves a window by months. The last day of a month stays one if the window is of whole months. */
function shiftMonths(window: Window, months: number): Window {
  const keepsEnds = isWholeMonths(window);
  return mapWindow(window, (day) => {
    const moved = moveDay(day, 'month', months);
    return keepsEnds && day === endOfMonth(day) ? endOfMonth(moved) : moved;
  });
}

/** A quarter or a year of months, whenever the fiscal year starts, is of whole months, too. */
function isWholeMonths({ startDate, endDate }: Window): boolean {
  return startDate.endsWith('-01') && endDate === endOfMonth(endDate);
}

function mapWindow({ startDate, endDate, cutoffDate }: Window, move: (day: string) => string): Window {
  return { startDate: move(startDate), endDate: move(endDate), cutoffDate: move(cutoffDate) };
}
