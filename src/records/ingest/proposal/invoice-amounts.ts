import { formatSum, parseUnits } from '../../../base/index.ts';
import { type InvoiceRow, type InvoiceTable, lineColumns, wholeColumn } from './invoice-columns.ts';
import { formatColumns, quote } from './mapping-entry.ts';

/** The source of the amounts of lines without tax, and what is asked or told about it. */
export interface NetAmount {
  readonly source: string | undefined;
  readonly open?: string;
  readonly comment?: string;
}

/** The most by which rounding moves one amount. Unit: millionths. */
const CENT = parseUnits('0.01');

/** Finds the amounts without tax: as a column that says so, or as amounts with tax less the tax. A file is an equation (O2a). */
export function findNet(invoices: InvoiceTable): NetAmount {
  const columnOf = (meaning: 'net' | 'amount' | 'gross') => lineColumns(invoices, meaning)[0];
  const [net, gross, taxes] = [columnOf('net'), columnOf('gross'), lineColumns(invoices, 'tax')];
  const stated = net ?? columnOf('amount');
  if (stated !== undefined && gross !== undefined && taxes.length > 0)
    return compareLines(invoices, { stated, taxes, gross });
  if (stated !== undefined) return compareInvoices(invoices, stated, taxes, net !== undefined);
  if (gross === undefined) return { source: undefined };
  const way = taxes.length > 0 ? `write amount: ${less(gross, taxes)}` : 'export amounts without tax';
  return {
    source: quote(gross),
    open: `${gross} has tax in it, and no column has the amounts without tax: ${way}, or remove this line if no invoice has tax`,
  };
}

/** The columns of lines whose relation tells which amounts are without tax. */
interface LineAmounts {
  readonly stated: string;
  readonly taxes: readonly string[];
  readonly gross: string;
}

function less(column: string, taxes: readonly string[]): string {
  return `{column: ${quote(column)}, less: ${formatColumns(taxes.length === 1 ? (taxes[0] ?? '') : taxes)}}`;
}

/** Reads the stated amounts if they are without tax in every row; with a discount between the two, those with tax less the tax. */
function compareLines(invoices: InvoiceTable, { stated, taxes, gross }: LineAmounts): NetAmount {
  const { rows, find, findAll } = invoices;
  const isRight = (row: InvoiceRow, more: bigint) =>
    isNear(sumOf(invoices, row, [stated, ...taxes]) + more, sumOf(invoices, row, [gross]), taxes.length + 1);
  const relation = `${gross} = ${[stated, ...taxes].join(' + ')}`;
  const others = rows.filter((row) => !isRight(row, 0n));
  const [odd] = others;
  if (odd === undefined)
    return { source: quote(stated), comment: `${relation} in ${rows.length} of ${rows.length} rows.` };
  const discounts = findAll('discount');
  const isDiscount = others.every((row) => {
    const discount = sumOf(invoices, row, discounts);
    return isRight(row, discount) || isRight(row, -discount);
  });
  if (isDiscount)
    return {
      source: less(gross, taxes),
      comment: `${stated} is before ${discounts.join(', ')}: ${gross} less ${taxes.join(', ')} is read.`,
    };
  return {
    source: quote(stated),
    open: `${relation} in all rows but ${others.length}, first in invoice ${odd(find('number'))}: mend the file, or remove this line to read ${stated} as it is`,
  };
}

function sumOf({ amountOf }: InvoiceTable, row: InvoiceRow, columns: readonly string[]): bigint {
  return columns.reduce((total, column) => total + (amountOf(row(column)) ?? 0n), 0n);
}

/** The amounts of an invoice: of its lines, as they are stated, and of itself. */
interface ComparedInvoice {
  readonly number: string;
  readonly lines: bigint;
  readonly whole: bigint;
  readonly kind: 'without tax' | 'with tax' | 'untaxed' | 'odd';
}

/** Compares the stated amounts of the lines of each invoice with that of the invoice. @param isNet True if the header says that they are without tax. */
function compareInvoices(invoices: InvoiceTable, stated: string, taxes: readonly string[], isNet: boolean): NetAmount {
  const [net, tax, gross] = (['net', 'tax', 'gross'] as const).map((each) => wholeColumn(invoices, each));
  const isKnown = gross !== undefined && (tax ?? net ?? taxes[0]) !== undefined;
  const name = isKnown ? `${gross} without tax` : net;
  if (name === undefined) return isNet ? { source: quote(stated) } : askTax(stated, taxes);
  const compared = [...invoices.invoices].map(([number, rows]): ComparedInvoice => {
    const wholeOf = (column: string | undefined) =>
      invoices.amountOf(rows.map((row) => row(column)).find((text) => text !== '') ?? '') ?? 0n;
    const sum = (columns: readonly string[]) => rows.reduce((total, row) => total + sumOf(invoices, row, columns), 0n);
    const [lines, lineTaxes] = [sum([stated]), sum(taxes)];
    const own = tax === undefined ? lineTaxes : wholeOf(tax);
    const whole = isKnown ? wholeOf(gross) - own : wholeOf(net);
    const isTaxed = own !== 0n && isNear(lineTaxes, own, rows.length) && isNear(lines, whole + own, rows.length);
    const plain = own === 0n ? 'untaxed' : 'without tax';
    return { number, lines, whole, kind: isNear(lines, whole, rows.length) ? plain : isTaxed ? 'with tax' : 'odd' };
  });
  const kinds = new Set(compared.map(({ kind }) => kind));
  // Amounts of tax that no other amount confirms may be percentages.
  const isConfirmed = tax !== undefined || invoices.table.layout !== undefined;
  if (kinds.has('with tax') && !kinds.has('odd') && !kinds.has('without tax') && isConfirmed)
    return { source: less(stated, taxes), comment: `${stated} has ${taxes.join(', ')} in it.` };
  const odd = compared.find(({ kind }) => kind === 'odd') ?? compared.find(({ kind }) => kind === 'with tax');
  if (odd === undefined) return { source: quote(stated), comment: `The lines of each invoice sum up to ${name}.` };
  const reason = odd.kind === 'odd' ? 'shipping, a discount or tax' : `with ${taxes.join(', ')}`;
  return {
    source: quote(stated),
    open: `the lines of invoice ${odd.number} are ${formatSum(odd.lines)} by ${stated}, and ${name} is ${formatSum(odd.whole)} (${reason}, it seems): mend the file, or remove this line to read the lines as they are`,
  };
}

function askTax(stated: string, taxes: readonly string[]): NetAmount {
  const ways =
    taxes.length > 0
      ? `write amount: ${less(stated, taxes)} if it has ${taxes.join(', ')} in it, or remove this line if it hasn't`
      : 'export amounts without tax, or remove this line if they are';
  return { source: quote(stated), open: `${stated} doesn't say whether it is with or without tax: ${ways}` };
}

function isNear(one: bigint, other: bigint, count: number): boolean {
  const [difference, rounding] = [one - other, CENT * BigInt(count)];
  return difference <= rounding && difference >= -rounding;
}
