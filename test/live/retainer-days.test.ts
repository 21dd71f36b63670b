import { expect, it } from 'vitest';
import { findResource } from '../../src/records/resource/resources.ts';
import { type ClosedDays, findRefusedDay } from '../../src/store/live/closed-days.ts';
import { firstMovedDay } from '../../src/store/live/retainer-days.ts';
import type { Row } from '../../src/store/record/node.ts';

const resource = findResource('retainers');

const RETAINER: Row = {
  ...{ retainer_id: 1, start_date: '2026-01-01', end_date: '2026-12-31', rollover: 'none' },
  amounts: [{ amount: '40.0000', price: null, effective_date: null }],
};

const changeTo = (values: Row) => ({
  method: 'PATCH' as const,
  resource,
  before: RETAINER,
  after: { ...RETAINER, ...values },
});
const april = { amount: '50.0000', price: null, effective_date: '2026-04-01' };
const amounts = [...(RETAINER['amounts'] as Row[]), april];

it.each([
  [{ amounts }, '2026-04-01'],
  [{ amounts: [] }, '1970-01-01'],
  [{ end_date: '2026-09-30' }, '2026-10-01'],
  [{ end_date: null }, '2027-01-01'],
  [{ rollover: 'surplus' }, '2026-01-01'],
  [{ start_date: '2025-06-01', end_date: null }, '2025-06-01'],
  [{ modified: '2026-02-02 00:00:00' }, undefined],
])('a change to %j moves what the retainer earns from %s on', (values, day) => {
  expect(firstMovedDay(changeTo(values))).toBe(day);
});

it('is refused if days are closed from then on', () => {
  const march: ClosedDays = { startDate: '2026-03-01', endDate: '2026-03-31', closing: '2026-03', closedBy: 'finance' };
  const messageOf = (values: Row) => findRefusedDay([march], [changeTo(values)])?.message;
  expect(messageOf({ amounts })).toBeUndefined();
  expect(messageOf({ rollover: 'surplus' })).toBe(
    'would change what the retainer earns of 2026-03-01: 2026-03 is closed hard by finance; reopen 2026-03',
  );
  expect(
    findRefusedDay([march], [{ method: 'DELETE', resource, before: RETAINER, after: undefined }])?.message,
  ).toContain('2026-03-01');
});
