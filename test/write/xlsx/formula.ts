import { Decimal } from 'decimal.js';
import type { CellValue, Workbook, Worksheet } from 'exceljs';

type Result = Decimal | string | boolean | null;

/** The cells of a table column, without its totals row. */
interface Column {
  readonly cells: readonly Result[];
  readonly total: Result;
}

/**
 * Computes the formulas of a workbook from its cell values alone, like a recalculation in Excel.
 */
export function evaluate(workbook: Workbook, sheet: Worksheet, formula: string): Result {
  const tokens =
    formula.match(
      /"[^"]*"|tbl\w+\[\[#Totals\],\[[^\]]*\]\]|tbl\w+\[(?:'.|[^\]])*\]|\$?[A-Z]+\$?\d+|[A-Z]+|[\d.]+|<>|<=|>=|./g,
    ) ?? [];
  let at = 0;
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const compare = (): Result => {
    const left = add();
    if (take('=')) return isSame(left, add());
    if (take('<>')) return !isSame(left, add());
    if (take('<')) return number(left).lessThan(number(add()));
    if (take('>')) return number(left).greaterThan(number(add()));
    return left;
  };
  const add = (): Result => {
    let left = multiply();
    for (;;) {
      if (take('+')) left = number(left).plus(number(multiply()));
      else if (take('-')) left = number(left).minus(number(multiply()));
      else if (take('&')) left = text(left) + text(multiply());
      else return left;
    }
  };
  const multiply = (): Result => {
    let left = primary();
    for (;;) {
      if (take('/')) left = number(left).div(number(primary()));
      else if (take('*')) left = number(left).times(number(primary()));
      else return left;
    }
  };
  const primary = (): Result => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '(') {
      const inner = compare();
      take(')');
      return inner;
    }
    if (token.startsWith('"')) return token.slice(1, -1);
    if (/^\d/.test(token)) return new Decimal(token);
    if (token === 'TRUE' || token === 'FALSE') return token === 'TRUE';
    if (token.includes('[[#Totals]')) return columnOf(workbook, token).total;
    if (/^\$?[A-Z]+\$?\d+$/.test(token)) return savedValue(sheet.getCell(token.replaceAll('$', '')).value);
    return call(token);
  };
  const range = (): readonly Result[] => columnOf(workbook, tokens[at++] ?? '').cells;
  const call = (name: string): Result => {
    if (!take('(')) throw new Error(`unsupported formula: ${formula}`);
    const result = FUNCTIONS[name]?.({ range, value: compare, take });
    if (result === undefined || !take(')')) throw new Error(`unsupported formula: ${formula}`);
    return result;
  };
  return compare();
}

interface Arguments {
  readonly range: () => readonly Result[];
  readonly value: () => Result;
  readonly take: (token: string) => boolean;
}

const FUNCTIONS: Readonly<Record<string, (given: Arguments) => Result>> = {
  SUM: ({ range }) => sum(range()),
  SUBTOTAL: ({ range, value, take }) => {
    value();
    take(',');
    return sum(range());
  },
  ROWS: ({ range }) => new Decimal(range().length),
  COUNTA: ({ range }) => new Decimal(range().filter((value) => value !== null).length),
  COUNTIF: ({ range, value, take }) => {
    const cells = range();
    take(',');
    const wanted = value();
    return new Decimal(cells.filter((cell) => isSame(cell, wanted)).length);
  },
  SUMIFS: ({ range, value, take }) => {
    const amounts = range();
    let kept = amounts.map(() => true);
    while (take(',')) {
      const cells = range();
      take(',');
      const test = criterion(value());
      kept = kept.map((isKept, i) => isKept && test(cells[i] ?? null));
    }
    return sum(amounts.filter((_, i) => kept[i]));
  },
  DATE: ({ value, take }) => {
    const parts = [value(), take(',') && value(), take(',') && value()].map((part) => number(part).toNumber());
    const [year = 0, month = 0, day = 0] = parts;
    return new Decimal(Date.UTC(year, month - 1, day) / 86_400_000 + 25_569);
  },
  ROUND: ({ value, take }) => {
    const rounded = number(value());
    take(',');
    return rounded.toDecimalPlaces(number(value()).toNumber(), Decimal.ROUND_HALF_UP);
  },
  MAX: ({ value, take }) => extreme(value, take, (a, b) => a.greaterThan(b)),
  MIN: ({ value, take }) => extreme(value, take, (a, b) => a.lessThan(b)),
  AND: ({ value, take }) => {
    let areAll = value() === true;
    while (take(',')) areAll = value() === true && areAll;
    return areAll;
  },
  OR: ({ value, take }) => {
    let isAny = value() === true;
    while (take(',')) isAny = value() === true || isAny;
    return isAny;
  },
  IF: ({ value, take }) => {
    const isMet = value();
    take(',');
    const yes = value();
    take(',');
    const no = value();
    return isMet ? yes : no;
  },
};

function extreme(
  value: Arguments['value'],
  take: Arguments['take'],
  wins: (a: Decimal, b: Decimal) => boolean,
): Decimal {
  let best = number(value());
  while (take(',')) {
    const next = number(value());
    if (wins(next, best)) best = next;
  }
  return best;
}

function criterion(wanted: Result): (cell: Result) => boolean {
  const [, operator, operand] = /^(<=|>)(.+)$/.exec(typeof wanted === 'string' ? wanted : '') ?? [];
  if (operator === '<=') return (cell) => cell !== null && number(cell).lte(operand ?? 0);
  if (operator === '>') return (cell) => cell !== null && number(cell).gt(operand ?? 0);
  return (cell) => isSame(cell, wanted);
}

function columnOf(workbook: Workbook, reference: string): Column {
  const [, table = '', header = ''] = /^(tbl\w+)\[(?:\[#Totals\],\[)?(.*?)\]+$/.exec(reference) ?? [];
  for (const sheet of workbook.worksheets) {
    const found = (sheet as unknown as { tables: Record<string, { table: TableModel }> }).tables[table]?.table;
    if (!found) continue;
    const place = (sheet.getRow(1).values as unknown[]).indexOf(header.replaceAll(/'(.)/g, '$1'));
    if (place < 1) throw new Error(`${reference}: no such column`);
    const lastRow = Number(/\d+$/.exec(found.tableRef)?.[0]);
    const end = lastRow - (found.totalsRow ? 1 : 0);
    const cells = Array.from({ length: end - 1 }, (_, i) => savedValue(sheet.getCell(i + 2, place).value));
    return { cells, total: found.totalsRow ? savedValue(sheet.getCell(lastRow, place).value) : null };
  }
  throw new Error(`${reference}: no such table`);
}

interface TableModel {
  readonly tableRef: string;
  readonly totalsRow: boolean;
}

/** Returns the value of a cell, or the saved result if it has a formula. */
export function savedValue(value: CellValue): Result {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return new Decimal(value.getTime() / 86_400_000 + 25_569);
  if (typeof value === 'number') return new Decimal(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  // The reader omits a result of 0.
  if ('formula' in value) return savedValue((value.result ?? 0) as CellValue);
  if ('richText' in value) return value.richText.map((part) => part.text).join('');
  return JSON.stringify(value);
}

function sum(values: readonly Result[]): Decimal {
  return values.reduce<Decimal>(
    (total, value) => (value instanceof Decimal ? total.plus(value) : total),
    new Decimal(0),
  );
}

function number(value: Result): Decimal {
  return value instanceof Decimal ? value : new Decimal(value === null || value === '' ? 0 : String(value));
}

function text(value: Result): string {
  return value instanceof Decimal ? value.toFixed() : String(value ?? '');
}

function isSame(left: Result, right: Result): boolean {
  return left instanceof Decimal && right instanceof Decimal ? left.equals(right) : left === right;
}
