import type { Row } from '../record/node.ts';
import type { Change } from '../record/storage/changes.ts';
import type { Transaction } from '../record/storage/transaction.ts';
import { differingFields } from './dated-ways.ts';

/** The records of bills, by what messages call them. */
export const BILLS: Readonly<Record<string, string>> = {
  invoices: 'an invoice',
  invoice_lines: 'an invoice',
  write_offs: 'a write-off',
};

/** Fields of an invoice that change nothing of its lines. */
const FREE_FIELDS = ['number', 'client_id', 'due_date', 'paid_date', 'created_by', 'modified_by'];

/** A day on which a change makes, changes or removes lines of bills. */
interface BillDay {
  readonly resource: string;
  readonly day: string;
}

/** Returns the days of the lines of bills that changes make, change or remove: the lines of an invoice have the day on which it is issued. */
export async function readBillDays(changes: readonly Change[], transaction: Transaction): Promise<BillDay[]> {
  const bills = changes.filter(({ resource, before, after }) => {
    const fields = before && after ? differingFields(before, after) : undefined;
    return resource.name in BILLS && !fields?.every((field) => FREE_FIELDS.includes(field));
  });
  const rowsOf = ({ before, after }: Change) => [before, after].flatMap((row): Row[] => (row ? [row] : []));
  const lines = bills.filter(({ resource }) => resource.name === 'invoice_lines').flatMap(rowsOf);
  const ids = [...new Set(lines.map((row) => Number(row['invoice_id'])))];
  const issued =
    ids.length === 0
      ? []
      : await transaction.rows<{ day: string }>(
          `SELECT DISTINCT CAST(issue_date AS VARCHAR) AS day FROM source.invoices WHERE invoice_id IN (${ids.join(', ')})`,
        );
  const dated = bills.flatMap((change) => {
    const field = change.resource.name === 'write_offs' ? 'date' : 'issue_date';
    return change.resource.name === 'invoice_lines'
      ? []
      : rowsOf(change).map((row) => ({ resource: change.resource.name, day: String(row[field]) }));
  });
  return [...issued.map(({ day }) => ({ resource: 'invoice_lines', day })), ...dated];
}
