import { describe, expect, it } from 'vitest';
import {
  lastYearWindow,
  priorWindow,
  type Window,
  windowBeside,
} from '../../src/numbers/report/workbook/comparison-periods.ts';

const window = (text: string): Window => {
  const [startDate = '', endDate = '', cutoffDate = ''] = text.split(' ');
  return { startDate, endDate, cutoffDate };
};

describe('the windows that a summary compares with', () => {
  it.each([
    ['a month', '2026-03-01 2026-03-31 2026-03-20', '2026-02-01 2026-02-28 2026-02-20'],
    ['a month to its end', '2026-02-01 2026-02-28 2026-02-28', '2026-01-01 2026-01-31 2026-01-31'],
    ['a quarter', '2026-01-01 2026-03-31 2026-02-28', '2025-10-01 2025-12-31 2025-11-30'],
    ['half a year', '2026-01-01 2026-06-30 2026-05-31', '2025-07-01 2025-12-31 2025-11-30'],
    ['a year that begins in April', '2025-04-01 2026-03-31 2026-01-15', '2024-04-01 2025-03-31 2025-01-15'],
    ['a week', '2026-03-02 2026-03-08 2026-03-04', '2026-02-23 2026-03-01 2026-02-25'],
    ['a day', '2026-03-01 2026-03-01 2026-02-27', '2026-02-28 2026-02-28 2026-02-27'],
    ['any days', '2026-04-27 2026-05-22 2026-06-30', '2026-04-01 2026-04-26 2026-06-04'],
    ['a quarter to come', '2026-10-01 2026-12-31 2026-09-30', '2026-07-01 2026-09-30 2026-09-30'],
  ])('before %s is the one just before it, with the cutoff moved alike', (_, given, expected) => {
    expect(priorWindow(window(given))).toEqual(window(expected));
  });

  it.each([
    ['a month', '2026-03-01 2026-03-31 2026-03-20', '2025-03-01 2025-03-31 2025-03-20'],
    ['a February after a leap year', '2025-02-01 2025-02-28 2025-02-28', '2024-02-01 2024-02-29 2024-02-29'],
    ['a leap day', '2024-02-29 2024-02-29 2024-02-29', '2023-02-28 2023-02-28 2023-02-28'],
    ['the day before March', '2025-02-28 2025-02-28 2025-02-28', '2024-02-28 2024-02-28 2024-02-28'],
    ['any days', '2026-04-27 2026-05-22 2026-05-15', '2025-04-27 2025-05-22 2025-05-15'],
  ])('%s has its own of the year before', (_, given, expected) => {
    expect(lastYearWindow(window(given))).toEqual(window(expected));
  });

  // The last day with logged time is a Friday, after which a quarter begins on a Sunday.
  it.each([
    [
      'that begins on the weekend after the last work',
      '2026-11-01 2027-01-31 2026-11-01',
      '2026-08-01 2026-10-31 2026-11-01',
    ],
    ['in which work has begun', '2026-10-01 2026-12-31 2026-11-01', '2026-07-01 2026-09-30 2026-08-01'],
  ])('a window %s is compared with what has passed of it', (_, given, expected) => {
    const loggedDays = [{ date: '2026-10-30', idleUntil: '2026-11-01' }];
    const company = { weekStartsOn: 1, fiscalYearStartsIn: 2, asOf: undefined, loggedDays };
    const days = { today: '2026-11-02', company };
    expect(windowBeside(window(given), 'the last day', priorWindow, days)).toEqual(window(expected));
  });

  it('leaves no gap and no day twice, whatever the window', () => {
    const day = (from: string, days: number) =>
      new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
    for (let start = 0; start < 800; start += 13) {
      for (const length of [0, 1, 6, 27, 29, 30, 58, 89, 364, 365]) {
        const startDate = day('2023-12-01', start);
        const endDate = day(startDate, length);
        const before = priorWindow({ startDate, endDate, cutoffDate: endDate });
        expect(day(before.endDate, 1), `${startDate} ${endDate}`).toBe(startDate);
        expect(before.cutoffDate).toBe(before.endDate);
      }
    }
  });
});
