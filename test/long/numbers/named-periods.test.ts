import { afterEach, expect, it, vi } from 'vitest';
import { CALENDARS, comparePeriods, ZONES } from '../../calendar/compare-periods.ts';
import { listDays } from '../../calendar/naive-calendar.ts';
import { takePart } from '../../seed.ts';

/** Every day of ten years. */
const DAYS = takePart(listDays('2020-01-01', '2029-12-31'));

/** Days between two that a machine in a further time zone compares. */
const STEP = 11;

const RUNS = CALENDARS.flatMap((calendar, index) =>
  ZONES.map(([zone], place) => [zone, calendar, place === index % ZONES.length ? 1 : STEP] as const),
);

afterEach(() => vi.unstubAllEnvs());

it.each(RUNS)('in %s, by %o, named periods are right on every day, or every %i th', (zone, calendar, step) => {
  vi.stubEnv('TZ', zone);
  expect(new Date('2026-07-01T00:00Z').getTimezoneOffset()).not.toBe(0);
  const days = DAYS.filter((_, index) => index % step === 0);
  const { compared, wrong } = comparePeriods(calendar, days);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(50 * days.length);
});
