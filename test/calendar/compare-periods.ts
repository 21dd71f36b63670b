import type { Calendar } from '../../src/base/calendar/day.ts';
import { MOVING_PERIODS, readPeriod } from '../../src/base/calendar/named-period.ts';
import { countPeriods } from './naive-calendar.ts';

/** Fiscal years that start in January, April and October. */
const FISCAL_STARTS = [1, 4, 10];

/** Weeks that start on Sunday, Monday and Thursday. */
const WEEK_STARTS = [0, 1, 4];

export const CALENDARS: readonly Calendar[] = FISCAL_STARTS.flatMap((fiscalYearStartsIn) =>
  WEEK_STARTS.map((weekStartsOn) => ({ weekStartsOn, fiscalYearStartsIn })),
);

/** A time zone, with the minutes ahead of UTC at the begin of 2026, and from each change of summer time on. */
type Zone = readonly [zone: string, before: number, changes: readonly (readonly [moment: string, ahead: number])[]];

export const ZONES: readonly Zone[] = [
  [
    'Europe/Berlin',
    60,
    [
      ['2026-03-29T01:00Z', 120],
      ['2026-10-25T01:00Z', 60],
    ],
  ],
  [
    'America/New_York',
    -300,
    [
      ['2026-03-08T07:00Z', -240],
      ['2026-11-01T06:00Z', -300],
    ],
  ],
  [
    'America/St_Johns',
    -210,
    [
      ['2026-03-08T05:30Z', -150],
      ['2026-11-01T04:30Z', -210],
    ],
  ],
  [
    'Australia/Lord_Howe',
    660,
    [
      ['2026-04-04T15:00Z', 630],
      ['2026-10-03T15:30Z', 660],
    ],
  ],
  [
    'Pacific/Chatham',
    825,
    [
      ['2026-04-04T14:00Z', 765],
      ['2026-09-26T14:00Z', 825],
    ],
  ],
];

/** The comparison of all names on some days. */
export interface Comparison {
  readonly compared: number;
  /** The names that differ, with their day and calendar. */
  readonly wrong: readonly string[];
}

/** Compares every named period on some days, and the fixed ones of their years, with a naive calendar. */
export function comparePeriods(calendar: Calendar, days: readonly string[]): Comparison {
  const naive = countPeriods(calendar);
  const wrong: string[] = [];
  let compared = 0;
  const compare = (name: string, today: string, expected: object | undefined) => {
    compared += 1;
    const read = readPeriod(name, today, calendar);
    const [found, wanted] = [JSON.stringify('days' in read ? read.days : 'none'), JSON.stringify(expected ?? 'none')];
    if (found !== wanted) wrong.push(`${name} on ${today} by ${JSON.stringify(calendar)}: ${found}, not ${wanted}`);
  };
  for (const today of days) {
    const moving = naive.moving(today);
    for (const name of MOVING_PERIODS.keys()) if (!moving.has(name)) wrong.push(`${name} is not compared`);
    for (const [name, expected] of moving) compare(name, today, expected);
  }
  for (const [name, expected] of naive.fixed) {
    if (days.some((day) => day.startsWith(name.slice(0, 4)))) compare(name, days[0] ?? '', expected);
  }
  return { compared, wrong };
}
