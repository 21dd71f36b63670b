import { parseUnits } from '../../../base/index.ts';
import { plainMoney } from '../mapping/decimal-text.ts';
import { openForms } from '../sample/header-words.ts';
import { INVOICE_HEADERS, type InvoiceMeaning } from '../sample/invoice-words.ts';
import { findNumberForm } from '../sample/number-forms.ts';
import { namedHeaders, perTable, type SampleTable } from '../sample/sample-table.ts';
import type { Columns } from './mapping-entry.ts';

/** A line of an invoice, as texts by column; the number of the invoice stands in each line of its layout. */
export type InvoiceRow = (header: string | undefined) => string;

/** The columns of a table as those of invoices. */
export interface InvoiceTable {
  readonly table: SampleTable;
  /** Returns the first column with a meaning. */
  find(meaning: InvoiceMeaning): string | undefined;
  findAll(meaning: InvoiceMeaning): readonly string[];
  readonly rows: readonly InvoiceRow[];
  /** The columns that the id of an invoice is made of: its number, unless that stands with several clients or days, as those of drafts may. */
  readonly id: Columns;
  /** The rows of each invoice. */
  readonly invoices: ReadonlyMap<string, readonly InvoiceRow[]>;
  /** Returns an amount in units of its sixth decimal: 0 for a blank cell, undefined for a text that is none. */
  amountOf(text: string): bigint | undefined;
}

/** The columns with amounts of lines. */
export const AMOUNT_MEANINGS = ['net', 'amount', 'tax', 'gross'] as const;

/** Opens a table as one of invoices. */
export const openInvoices: (table: SampleTable) => InvoiceTable = perTable((table) => {
  const { layout, sample } = table;
  const findForms = openForms(sample.headers);
  const findAll = (meaning: InvoiceMeaning): readonly string[] => {
    if (layout) return namedHeaders(layout.columns[meaning] ?? [], sample.headers);
    return meaning in INVOICE_HEADERS ? findForms(INVOICE_HEADERS[meaning as keyof typeof INVOICE_HEADERS]) : [];
  };
  const rows = fillDown(table);
  const [number = ''] = findAll('number');
  const others = [findAll('client')[0], findAll('issued')[0]].filter((each) => each !== undefined);
  const byNumber = groupRows(rows, [number]);
  const id = isShared(byNumber, others) ? [number, ...others] : number;
  const amounts = AMOUNT_MEANINGS.flatMap(findAll);
  const { decimal = 'point' } = findNumberForm(table.cells(...amounts));
  return {
    table,
    findAll,
    find: (meaning) => findAll(meaning)[0],
    rows,
    id,
    invoices: typeof id === 'string' ? byNumber : groupRows(rows, id),
    amountOf: (text) => {
      const plain = text === '' ? '0' : plainMoney(text, decimal);
      return plain === undefined ? undefined : parseUnits(plain);
    },
  };
});

/** Returns the rows of a table, with the values above in the blank cells that its layout fills. */
function fillDown(table: SampleTable): InvoiceRow[] {
  const last = new Map<string, string>();
  return table.records().map((record) => {
    for (const header of table.layout?.fill ?? []) if (record(header) !== '') last.set(header, record(header));
    const above = new Map(last);
    return (header) => record(header) || (above.get(header ?? '') ?? '');
  });
}

/** Tells whether rows of one number have several clients or days. */
function isShared(invoices: InvoiceTable['invoices'], others: readonly string[]): boolean {
  const isSplit = (rows: readonly InvoiceRow[], column: string) =>
    new Set(rows.map((row) => row(column)).filter((text) => text !== '')).size > 1;
  return [...invoices.values()].some((rows) => others.some((column) => isSplit(rows, column)));
}

function groupRows(
  rows: readonly InvoiceRow[],
  columns: readonly string[],
): ReadonlyMap<string, readonly InvoiceRow[]> {
  const groups = new Map<string, InvoiceRow[]>();
  for (const row of rows) {
    const key = columns.map((column) => row(column)).join(' ');
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Returns the amounts in a column for each line, not those of the whole invoice, which each of its lines repeats. */
export function lineColumns(invoices: InvoiceTable, meaning: InvoiceMeaning): readonly string[] {
  const found = invoices.findAll(meaning);
  return invoices.table.layout ? found : found.filter((header) => !isRepeated(invoices, header));
}

/** Returns the column with an amount of the whole invoice. */
export function wholeColumn(invoices: InvoiceTable, meaning: 'net' | 'tax' | 'gross'): string | undefined {
  return invoices.table.layout
    ? invoices.find(`invoice_${meaning}`)
    : invoices.findAll(meaning).find((header) => isRepeated(invoices, header));
}

/** Tells whether all lines of each invoice have the same amount, and there are invoices of several lines. */
function isRepeated({ invoices, amountOf }: InvoiceTable, header: string): boolean {
  let isFound = false;
  for (const rows of invoices.values()) {
    const [first, ...others] = rows.map((row) => row(header));
    if (others.some((text) => text !== first)) return false;
    isFound ||= others.length > 0 && amountOf(first ?? '') !== 0n;
  }
  return isFound;
}
