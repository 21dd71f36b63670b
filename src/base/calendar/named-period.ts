import { nearestName } from '../nearest-name.ts';
import { type Calendar, type Days, FIRST_DATE, isDay, LAST_DATE, moveDay, type Period, periodOf } from './day.ts';

/** The most periods in a name such as last_N_days or next_N_weeks. Unit: days, weeks, months, quarters or years. */
export const MAX_COUNTED_PERIODS = 10_000;

/** A period by its distance from today's: from the first to the last of some periods, or to today. */
export interface MovingPeriod {
  readonly period: Period;
  readonly first: number;
  readonly last: number | 'today';
}

/** Periods longer than a day. */
const UNITS = ['week', 'month', 'quarter', 'year'] as const;

/** The periods that move with today, by name, but for those that count. */
export const MOVING_PERIODS: ReadonlyMap<string, MovingPeriod> = new Map([
  ['today', { period: 'day', first: 0, last: 0 }],
  ['yesterday', { period: 'day', first: -1, last: -1 }],
  ...UNITS.map((period): [string, MovingPeriod] => [`this_${period}`, { period, first: 0, last: 0 }]),
  ...UNITS.map((period): [string, MovingPeriod] => [`last_${period}`, { period, first: -1, last: -1 }]),
  ...UNITS.map((period): [string, MovingPeriod] => [`next_${period}`, { period, first: 1, last: 1 }]),
  ...UNITS.map((period): [string, MovingPeriod] => [`${period}_to_date`, { period, first: 0, last: 'today' }]),
]);

/** The form of a number of periods, in the syntax shared by JavaScript and the engine: side, number, period. */
export const COUNTED_PERIOD = '(last|next|this_and_next)_([1-9][0-9]*)_(day|week|month|quarter|year)s';

/** The form of a fixed period in that syntax: year, and month or quarter. Quarters and years are fiscal. */
export const FIXED_PERIOD = '([0-9]{4})(?:-(0[1-9]|1[0-2])|-Q([1-4]))?';

/** The form of every name, for schemas. */
export const PERIOD_PATTERN = `^(?:${[...MOVING_PERIODS.keys()].join('|')}|${COUNTED_PERIOD}|${FIXED_PERIOD})$`;

/** The names of periods in words, for messages. */
export const ALLOWED_PERIODS =
  'today, yesterday, this_, last_ or next_ with week, month, quarter or year, week_to_date, month_to_date, quarter_to_date, year_to_date, last_N, next_N or this_and_next_N with days, weeks, months, quarters or years, or 2026-03, 2026-Q1, 2026';

export const ALLOWED_COUNTS = `give a number from 1 to ${MAX_COUNTED_PERIODS}`;

export const ALLOWED_DAYS = `give one within ${FIRST_DATE} to ${LAST_DATE}`;

const [COUNTED, FIXED] = [new RegExp(`^${COUNTED_PERIOD}$`), new RegExp(`^${FIXED_PERIOD}$`)];

/** The days of a named period, or the reason why there are none, with the way out. */
export type PeriodReading = { readonly days: Days } | { readonly fault: string };

/**
 * Reads the name of a period.
 * @param today The day from which moving periods count.
 */
export function readPeriod(name: string, today: string, calendar: Calendar): PeriodReading {
  const counted = COUNTED.exec(name);
  if (counted && Number(counted[2]) > MAX_COUNTED_PERIODS) return { fault: `counts too many; ${ALLOWED_COUNTS}` };
  const moving = MOVING_PERIODS.get(name) ?? (counted && movingPeriod(counted));
  const fixed = FIXED.exec(name);
  if (fixed && isFar(fixed)) return { fault: `is out of range; ${ALLOWED_DAYS}` };
  const days = moving ? daysOfMoving(moving, today, calendar) : fixed && daysOfFixed(fixed, calendar);
  if (!days) return { fault: `is not a period${suggest(name)}; give ${ALLOWED_PERIODS}` };
  const { startDate, endDate } = days;
  const isAllowed = isDay(startDate) && isDay(endDate) && startDate >= FIRST_DATE && endDate <= LAST_DATE;
  return isAllowed ? { days } : { fault: `is out of range; ${ALLOWED_DAYS}` };
}

/** Tells whether a year is so far that none of its periods can be within the allowed days; a fiscal one may begin a year before. */
function isFar([, year]: RegExpExecArray): boolean {
  return Number(year) < Number(FIRST_DATE.slice(0, 4)) || Number(year) > Number(LAST_DATE.slice(0, 4)) + 1;
}

function movingPeriod([, side, number, period]: RegExpExecArray): MovingPeriod {
  const count = Number(number);
  const first = side === 'last' ? -count : side === 'next' ? 1 : 0;
  const last = side === 'last' ? -1 : count;
  return { period: period as Period, first, last };
}

function daysOfMoving({ period, first, last }: MovingPeriod, today: string, calendar: Calendar): Days {
  const { startDate } = periodOf(period, today, calendar, first);
  return { startDate, endDate: last === 'today' ? today : periodOf(period, today, calendar, last).endDate };
}

/** A fiscal year has the name of the year in which it ends. */
function daysOfFixed([, year = '', month, quarter]: RegExpExecArray, calendar: Calendar): Days {
  if (month !== undefined) return periodOf('month', `${year}-${month}-01`, calendar);
  // The last month of a fiscal year is the one before its first.
  const end = moveDay(`${year}-${String(calendar.fiscalYearStartsIn).padStart(2, '0')}-01`, 'month', -1);
  const first = periodOf('year', calendar.fiscalYearStartsIn === 1 ? `${year}-12-01` : end, calendar);
  if (quarter === undefined) return first;
  return periodOf('quarter', first.startDate, calendar, Number(quarter) - 1);
}

/** Returns the part of a sentence that tells the name nearest to a text; empty if none resembles it. */
function suggest(text: string): string {
  const [number = '7'] = /[1-9][0-9]{0,4}/.exec(text) ?? [];
  const counted = ['last', 'next', 'this_and_next'].flatMap((side) =>
    ['day', ...UNITS].map((unit) => `${side}_${number}_${unit}s`),
  );
  const nearest = nearestName(text, [...MOVING_PERIODS.keys(), ...counted]);
  return nearest === undefined ? '' : `; the nearest is ${nearest}`;
}
