import { isObject } from '../../../base/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import type { Row } from '../node.ts';
import { createRecords, deleteRecord, updateRecord } from '../records.ts';
import { placeFault } from '../rules/expenses.ts';
import { presentParts } from '../rules/present-parts.ts';
import type { Rules } from '../rules/rules.ts';
import type { Transaction } from '../storage/transaction.ts';

const invoiceLines = { ...findResource('invoice_lines'), rules: {} };

/** An invoice is read and written with its lines: those that a write lists are all that it has. */
export const invoiceRules: Rules = {
  own: ['lines'],
  async follow(transaction, after, _before, { body }) {
    if (body['lines'] !== undefined) await writeLines(transaction, Number(after['invoice_id']), body['lines']);
  },
  release: async (transaction, before) => {
    await transaction.remove(invoiceLines, await linesOf(transaction, Number(before['invoice_id'])));
  },
  expands: { lines: presentParts('invoice_id', 'lines', 'invoice_lines') },
};

function linesOf(transaction: Transaction, invoice: number): Promise<Row[]> {
  return transaction.records(invoiceLines, { where: `invoice_id = ${invoice}` });
}

/**
 * Creates, changes and deletes the lines of an invoice, so that they are those of a list. A line with the id of one that it has changes that one.
 * @throws AppError input naming each error's position in the list.
 */
async function writeLines(transaction: Transaction, invoice: number, list: unknown): Promise<void> {
  if (list !== null && !Array.isArray(list)) throw fieldFault('lines', 'not a list');
  const items: readonly unknown[] = list ?? [];
  const own = (await linesOf(transaction, invoice)).map((row) => String(row[invoiceLines.id]));
  const idOf = (item: unknown) => (isObject(item) ? String(item[invoiceLines.id] ?? '') : '');
  const kept = new Set(items.map(idOf));
  for (const id of own.filter((each) => !kept.has(each))) await deleteRecord(transaction, invoiceLines, id);
  for (const [index, item] of items.entries()) {
    const id = idOf(item);
    const { [invoiceLines.id]: _, ...rest } = isObject(item) ? item : {};
    const body: unknown = isObject(item) ? { ...rest, invoice_id: invoice } : item;
    const write = own.includes(id)
      ? updateRecord(transaction, invoiceLines, id, body)
      : createRecords(transaction, invoiceLines, body);
    await write.catch((error: unknown) => {
      throw placeFault(error, `lines[${index + 1}]`);
    });
  }
}
