import { expect, it } from 'vitest';
import { assertNotClosed, findNewest } from '../../src/history/closing/close-period.ts';
import { closingsByDay } from '../../src/history/closing/closings-by-day.ts';
import { findCompared } from '../../src/history/compared-states.ts';
import type { KeptState } from '../../src/history/kept-states.ts';

/** Returns states of periods as name, first and last day, in the order of their events. */
function statesOf(...closings: readonly [name: string, start: string, end: string, isReopened?: boolean][]) {
  return closings.map(
    ([name, start_date, end_date, isReopened], event) =>
      ({ name, event, status: isReopened ? 'reopened' : 'closed', record: { start_date, end_date } }) as KeptState,
  );
}

function spell(states: readonly KeptState[]): string[] {
  return closingsByDay(states).map(({ days, state }) => `${state.name} ${days.startDate} ${days.endDate}`);
}

it('X7: the newest event that covers a day decides which closing it has', () => {
  const [january, february] = [
    ['01', '2026-01-01', '2026-01-31'],
    ['02', '2026-02-01', '2026-02-28'],
  ] as const;
  expect(spell(statesOf(['02', february[1], february[2]], ['01', january[1], january[2]]))).toEqual([
    '01 2026-01-01 2026-01-31',
    '02 2026-02-01 2026-02-28',
  ]);
  // A later closing of a part, and one around both.
  expect(spell(statesOf([...january], ['half', '2026-01-10', '2026-01-20']))).toEqual([
    '01 2026-01-01 2026-01-09',
    'half 2026-01-10 2026-01-20',
    '01 2026-01-21 2026-01-31',
  ]);
  expect(spell(statesOf([...january], [...february], ['q1', '2026-01-01', '2026-03-31']))).toEqual([
    'q1 2026-01-01 2026-03-31',
  ]);
  // A reopening opens the days of its period, and no others.
  expect(spell(statesOf(['q1', '2026-01-01', '2026-03-31'], [...february, true]))).toEqual([
    'q1 2026-01-01 2026-01-31',
    'q1 2026-03-01 2026-03-31',
  ]);
  expect(spell(statesOf([...january, true], [...january]))).toEqual(['01 2026-01-01 2026-01-31']);
  expect(spell([{ name: 'kept', event: 9, record: { start_date: null, end_date: null } } as KeptState])).toEqual([]);
});

it('C5: a closing under a clock that has gone back is the newest, too', () => {
  const days = { startDate: '2026-01-01', endDate: '2026-01-31' };
  const [first, second] = statesOf(['01', days.startDate, days.endDate, true], ['01', days.startDate, days.endDate]);
  const keptAt = (state: KeptState | undefined, kept_at: string) =>
    ({ ...state, record: { ...state?.record, kept_at, kept_by: 'Ada' } }) as KeptState;
  const states = [keptAt(first, '2026-02-02T10:00:00Z'), keptAt(second, '2026-02-02T09:00:00Z')];
  const close = () => assertNotClosed(findNewest(states, days), 'soft');
  expect(close).toThrow('already, since 2026-02-02T09:00:00Z by Ada');
});

it('a comparison with closings of which there is none names its parameter', async () => {
  const none = findCompared('/nowhere/company.duckdb', 'closings', {});
  const message = 'No period is closed';
  await expect(none).rejects.toMatchObject({ message: `from: ${message}`, fields: [{ field: 'from', message }] });
});
