import { daysBetween, endOfMonth, monthsBetween, moveDay } from '../../../base/calendar/index.ts';
import { type CutoffDays, chooseCutoff, isRequested } from '../catalogue/cutoff.ts';

/** A window of days and its cutoff: YYYY-MM-DD. */
export interface Window {
  readonly startDate: string;
  readonly endDate: string;
  readonly cutoffDate: string;
}

/**
 * Returns the window that is compared with another one. While that is under way, both are equally far along. One that is over or
 * hasn't begun is compared with what the other window shows by itself: with all of it, if it is over.
 * @param reason Why the cutoff of the first window is that day.
 */
export function windowBeside(
  window: Window,
  reason: string,
  move: (window: Window) => Window,
  days: CutoffDays,
): Window {
  const moved = move(window);
  // Days on which nobody can work may begin a window, without any work in it.
  const worked = days.company.loggedDays.find(({ date }) => date <= window.cutoffDate)?.date ?? window.cutoffDate;
  const isUnderWay = window.startDate <= worked && window.cutoffDate < window.endDate;
  if (isUnderWay || isRequested(reason)) return moved;
  return { ...moved, cutoffDate: chooseCutoff(undefined, moved.endDate, days).date };
}

/**
 * Returns the window just before another: whole months before whole months, else as many days.
 * The cutoff moves by the same months or days, unless it is before the window: nothing of that is actual, and the days before are.
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
  const moved = cutoffDate < startDate ? cutoffDate : move(cutoffDate);
  return { startDate: move(startDate), endDate: move(endDate), cutoffDate: moved };
}
