import { expect, it } from 'vitest';
import { assertNotClosed, findNewest } from '../../src/store/history/closing/close-period.ts';
import { closingsByDay } from '../../src/store/history/closing/closings-by-day.ts';
import { findCompared } from '../../src/store/history/compared-states.ts';
import { type KeptState, withReopened } from '../../src/store/history/kept-states.ts';

type Closing = readonly [name: string, start: string, end: string, isReopened?: boolean];

/** Returns states of periods as name, first and last day, in the order of their events. */
function statesOf(...closings: readonly Closing[]) {
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
  const none = findCompared('/nowhere/company.duckdb', 'closings');
  const message = 'No period is closed';
  await expect(none).rejects.toMatchObject({ message: `from: ${message}`, fields: [{ field: 'from', message }] });
});

it('C5: a closing of which no day is closed any more is reopened', () => {
  const statusesOf = (...closings: readonly Closing[]) =>
    withReopened(statesOf(...closings)).map(({ name, status }) => `${name} ${status}`);
  const [may, quarter] = [
    ['2026-05-01', '2026-05-31'],
    ['2026-04-01', '2026-06-30'],
  ] as const;
  // Closed softly, then hard, then reopened.
  expect(statusesOf(['05@1', ...may], ['05@2', ...may, true])).toEqual(['05@1 reopened', '05@2 reopened']);
  expect(statusesOf(['05@1', ...may], ['q2', ...quarter, true])).toEqual(['05@1 reopened', 'q2 reopened']);
  expect(statusesOf(['q2', ...quarter], ['05', ...may, true])).toEqual(['q2 closed', '05 reopened']);
  expect(statusesOf(['05@1', ...may, true], ['05@2', ...may])).toEqual(['05@1 reopened', '05@2 closed']);
  expect(statusesOf(['05@1', ...may], ['q2', ...quarter])).toEqual(['05@1 closed', 'q2 closed']);
});
