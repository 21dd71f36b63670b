import type { Calendar, Days } from '../../src/base/calendar/day.ts';

/*
 * A calendar that counts days one by one and numbers the periods that begin on them: nothing of it is arithmetic on dates. */

const [FIRST_YEAR, LAST_YEAR] = [2003, 2046];

/** The weekday of 2003-01-01: a Wednesday. */
const FIRST_WEEKDAY = 3;

const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;

export type Unit = (typeof UNITS)[number];

interface NaiveDay {
  readonly text: string;
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly weekday: number;
}

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const lengthOf = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

const DAYS: NaiveDay[] = [];
for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1) {
  for (let month = 1; month <= 12; month += 1) {
    for (let date = 1; date <= lengthOf(year, month); date += 1) {
      const weekday = (FIRST_WEEKDAY + DAYS.length) % 7;
      DAYS.push({ text: `${year}-${pad(month)}-${pad(date)}`, year, month, date, weekday });
    }
  }
}

const INDEXES = new Map(DAYS.map(({ text }, index) => [text, index]));

/** Returns the days from one to another, both included. */
export function listDays(first: string, last: string): string[] {
  return DAYS.slice(INDEXES.get(first), (INDEXES.get(last) ?? 0) + 1).map(({ text }) => text);
}

/** Numbers the periods of each length and lists the indexes of their first days. */
export function countPeriods({ weekStartsOn, fiscalYearStartsIn }: Calendar): NaivePeriods {
  const starts: Record<Unit, number[]> = { day: [], week: [], month: [], quarter: [], year: [] };
  const fixed = new Map<string, Days>();
  const numbers = DAYS.map(({ month, date, weekday }, index) => {
    starts.day.push(index);
    if (weekday === weekStartsOn) starts.week.push(index);
    if (date === 1) starts.month.push(index);
    if (date === 1 && [0, 3, 6, 9].includes((month - fiscalYearStartsIn + 12) % 12)) starts.quarter.push(index);
    if (date === 1 && month === fiscalYearStartsIn) starts.year.push(index);
    const numberOf = (unit: Unit) => starts[unit].length - 1;
    return {
      day: index,
      week: numberOf('week'),
      month: numberOf('month'),
      quarter: numberOf('quarter'),
      year: numberOf('year'),
    };
  });
  const daysOf = (unit: Unit, first: number, last = first): Days | undefined => {
    const [start, end] = [starts[unit][first], starts[unit][last + 1]];
    if (start === undefined || end === undefined) return undefined;
    return { startDate: DAYS[start]?.text ?? '', endDate: DAYS[end - 1]?.text ?? '' };
  };
  const name = (text: string, days: Days | undefined) => days && fixed.set(text, days);
  for (const [number, start] of starts.month.entries()) {
    const { year = 0, month = 0 } = DAYS[start] ?? {};
    name(`${year}-${pad(month)}`, daysOf('month', number));
  }
  for (const number of starts.year.keys()) {
    const ofYear = daysOf('year', number);
    if (!ofYear) continue;
    // A fiscal year has the number of the year in which it ends.
    const year = ofYear.endDate.slice(0, 4);
    name(year, ofYear);
    const quarters = starts.quarter.flatMap((start, index) =>
      (DAYS[start]?.text ?? '') >= ofYear.startDate && (DAYS[start]?.text ?? '') <= ofYear.endDate ? [index] : [],
    );
    for (const [index, quarter] of quarters.entries()) name(`${year}-Q${index + 1}`, daysOf('quarter', quarter));
  }
  return {
    fixed,
    moving(today) {
      const numbered = numbers[INDEXES.get(today) ?? -1];
      if (!numbered) throw new Error(`${today} is not in the calendar`);
      return nameMoving(today, numbered, daysOf);
    },
  };
}

export interface NaivePeriods {
  /** The days of all months, fiscal quarters and fiscal years in the calendar, by name. */
  readonly fixed: ReadonlyMap<string, Days>;
  /** The days of every name that moves with today; undefined for those beyond the calendar. */
  moving(today: string): Map<string, Days | undefined>;
}

/** Numbers of periods that are tried. */
const COUNTS = [1, 2, 7, 13];

function nameMoving(
  today: string,
  numbers: Readonly<Record<Unit, number>>,
  daysOf: (unit: Unit, first: number, last?: number) => Days | undefined,
): Map<string, Days | undefined> {
  const named = new Map<string, Days | undefined>();
  named.set('today', { startDate: today, endDate: today });
  named.set('yesterday', daysOf('day', numbers.day - 1));
  for (const unit of UNITS) {
    const number = numbers[unit];
    for (const count of COUNTS) {
      named.set(`last_${count}_${unit}s`, daysOf(unit, number - count, number - 1));
      named.set(`next_${count}_${unit}s`, daysOf(unit, number + 1, number + count));
      named.set(`this_and_next_${count}_${unit}s`, daysOf(unit, number, number + count));
    }
    if (unit === 'day') continue;
    const present = daysOf(unit, number);
    named.set(`this_${unit}`, present);
    named.set(`last_${unit}`, daysOf(unit, number - 1));
    named.set(`next_${unit}`, daysOf(unit, number + 1));
    named.set(`${unit}_to_date`, present && { startDate: present.startDate, endDate: today });
  }
  return named;
}
