import { describe, expect, it, vi } from 'vitest';
import { dayIn } from '../../src/base/calendar/day.ts';
import { MAX_COUNTED_PERIODS, PERIOD_PATTERN, readPeriod } from '../../src/base/calendar/named-period.ts';
import { CALENDARS, comparePeriods, ZONES } from './compare-periods.ts';
import { countPeriods, listDays } from './naive-calendar.ts';

const CALENDAR = { weekStartsOn: 1, fiscalYearStartsIn: 4 };

/** Days between two that are compared in a calendar; the long tests compare all. A prime, so that no weekday is left out. */
const STEP = 397;

describe('named periods', () => {
  it.each(CALENDARS)('are those of a calendar that counts days, by %o', (calendar) => {
    const days = listDays('2020-01-01', '2029-12-31').filter((_, index) => index % STEP === 0);
    const { compared, wrong } = comparePeriods(calendar, days);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(600);
  });

  it('are those of the example', () => {
    const days = (name: string) => {
      const read = readPeriod(name, '2026-03-31', CALENDAR);
      return 'days' in read ? `${read.days.startDate} ${read.days.endDate}` : read.fault;
    };
    expect(days('last_month')).toBe('2026-02-01 2026-02-28');
    expect(days('this_quarter')).toBe('2026-01-01 2026-03-31');
    expect(days('next_year')).toBe('2026-04-01 2027-03-31');
    expect(days('week_to_date')).toBe('2026-03-30 2026-03-31');
    expect(days('last_7_days')).toBe('2026-03-24 2026-03-30');
    expect(days('next_2_weeks')).toBe('2026-04-06 2026-04-19');
    expect(days('this_and_next_2_weeks')).toBe('2026-03-30 2026-04-19');
    expect(days('2026-Q1')).toBe('2025-04-01 2025-06-30');
    expect(days('2026')).toBe('2025-04-01 2026-03-31');
  });

  it.each([
    ['last_mnth', /^is not a period; the nearest is last_month; give today, yesterday, this_, /],
    ['Last_Month', /^is not a period; the nearest is last_month; /],
    ['last_30_day', /^is not a period; the nearest is last_30_days; /],
    ['last_0_days', /^is not a period; /],
    ['last_-1_days', /^is not a period; /],
    ['last_1.5_days', /^is not a period; /],
    ['2026-13', /^is not a period; /],
    ['2026-Q5', /^is not a period; /],
    ['2026-q1', /^is not a period; /],
    ['26', /^is not a period; give/],
    ['', /^is not a period; give/],
    ['constructor', /^is not a period; give/],
    ['last_month\n', /^is not a period; /],
    [' last_month', /^is not a period; /],
    ['x'.repeat(100_000), /^is not a period; give/],
    [`last_${'9'.repeat(100_000)}_days`, /^counts too many; give a number from 1 to 10000$/],
    [`last_${MAX_COUNTED_PERIODS + 1}_days`, /^counts too many; /],
    [`last_${MAX_COUNTED_PERIODS}_years`, /^is out of range; give one within 1970-01-01 to 2099-12-31$/],
    [`next_${MAX_COUNTED_PERIODS}_years`, /^is out of range; /],
    ['2100', /^is out of range; /],
    ['1970', /^is out of range; /],
    ['0000', /^is out of range; /],
    ['1969-12', /^is out of range; /],
    ['0000-Q1', /^is out of range; /],
    ['0000-01', /^is out of range; /],
    ['9999', /^is out of range; /],
    ['9999-Q4', /^is out of range; /],
  ])('%.20j is refused', (name, fault) => {
    expect(readPeriod(name, '2026-03-31', CALENDAR)).toEqual({ fault: expect.stringMatching(fault) });
    const matches = new RegExp(PERIOD_PATTERN).test(name);
    expect(matches).toBe(!fault.source.includes('not a period'));
  });

  it('of the last fiscal years are known as far as they are within the days', () => {
    expect(readPeriod('2100-Q1', '2026-03-31', CALENDAR)).toEqual({
      days: { startDate: '2099-04-01', endDate: '2099-06-30' },
    });
  });

  it('reach as far as the number allows', () => {
    expect(readPeriod(`last_${MAX_COUNTED_PERIODS}_days`, '2026-03-31', CALENDAR)).toEqual({
      days: { startDate: '1998-11-13', endDate: '2026-03-30' },
    });
  });
});

const HOUR_MS = 3_600_000;

describe.each(ZONES)('at the changes of summer time in %s', (zone, before, changes) => {
  it('today is the day there, and periods are whole, wherever the machine stands', () => {
    const naive = countPeriods(CALENDAR);
    for (const [moment] of changes) {
      for (let hours = -30; hours <= 30; hours += 0.5) {
        const time = Date.parse(moment) + hours * HOUR_MS;
        const ahead = changes.reduce(
          (minutes, [change, after]) => (time < Date.parse(change) ? minutes : after),
          before,
        );
        const today = new Date(time + ahead * 60_000).toISOString().slice(0, 10);
        vi.stubEnv('TZ', zone);
        expect(new Date(time).getTimezoneOffset()).toBe(-ahead);
        expect(dayIn(zone, new Date(time))).toBe(today);
        expect(readPeriod('last_7_days', today, CALENDAR)).toEqual({ days: naive.moving(today).get('last_7_days') });
        vi.unstubAllEnvs();
      }
    }
  });
});
