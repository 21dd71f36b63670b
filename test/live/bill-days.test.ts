import { expect, it } from 'vitest';
import { findResource } from '../../src/records/resource/resources.ts';
import { readBillDays } from '../../src/store/live/bill-days.ts';
import { type ClosedDays, findRefusedBill } from '../../src/store/live/closed-days.ts';
import type { Row } from '../../src/store/record/node.ts';
import type { Change } from '../../src/store/record/storage/changes.ts';
import type { Transaction } from '../../src/store/record/storage/transaction.ts';

/** A transaction in which all invoices are issued on one day. */
const transaction = { rows: async () => [{ day: '2026-03-31' }] } as unknown as Transaction;

const INVOICE: Row = { invoice_id: 1, issue_date: '2026-03-31', status: 'issued', paid_date: null };
const LINE: Row = { invoice_line_id: 1, invoice_id: 1, project_id: 1, amount: '100.0000' };

function change(resource: string, before: Row | undefined, after: Row | undefined): Change {
  return { method: 'PATCH', resource: findResource(resource), before, after } as Change;
}

it.each([
  ['invoices', INVOICE, { ...INVOICE, paid_date: '2026-04-20' }, []],
  ['invoices', INVOICE, { ...INVOICE, status: 'void' }, ['2026-03-31', '2026-03-31']],
  ['invoices', INVOICE, { ...INVOICE, issue_date: '2026-04-01' }, ['2026-03-31', '2026-04-01']],
  ['invoice_lines', LINE, { ...LINE, amount: '90.0000' }, ['2026-03-31']],
  ['invoice_lines', undefined, LINE, ['2026-03-31']],
  ['write_offs', undefined, { write_off_id: 1, project_id: 1, date: '2026-02-10', amount: '5' }, ['2026-02-10']],
  ['projects', { project_id: 1, name: 'A' }, { project_id: 1, name: 'B' }, []],
] as const)('a change of %s from %j to %j is one of bills of %j', async (resource, before, after, days) => {
  const found = await readBillDays([change(resource, before, after)], transaction);
  expect(found.map(({ day }) => day)).toEqual(days);
});

it('is refused if its days are closed', async () => {
  const march: ClosedDays = { startDate: '2026-03-01', endDate: '2026-03-31', closing: '2026-03', closedBy: 'finance' };
  const refused = await findRefusedBill([march], [change('invoice_lines', LINE, undefined)], transaction);
  expect(refused?.message).toBe(
    'would change an invoice of 2026-03-31: 2026-03 is closed hard by finance; reopen 2026-03',
  );
  const free = change('write_offs', undefined, { write_off_id: 1, project_id: 1, date: '2026-04-01', amount: '5' });
  expect(await findRefusedBill([march], [free], transaction)).toBeUndefined();
});
