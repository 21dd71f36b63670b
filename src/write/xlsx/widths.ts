import stringWidth from 'string-width';
import type { Value } from '../../database.ts';
import type { Column } from '../../report/table.ts';
import { isNumeric } from '../value.ts';

/** The widest that a column of text gets, and the narrowest of any. Unit: characters. */
const [MAX_WIDTH, MIN_WIDTH] = [44, 9];

/** Room for the filter's button in a header, and for the blanks and letters of number formats. Unit: characters. */
const [BUTTON, MARGIN] = [4, 3];

/** The rows that widths are taken from. Unit: rows. */
const SAMPLE_ROWS = 500;

/** Columns stay in sight up to this width in all, so that there is room to scroll beside them. Unit: characters. */
const MAX_FROZEN_WIDTH = 100;

/** How wide columns must be for their headers' words and for the values of the first rows. Unit: characters. */
export function columnWidths(
  columns: readonly Column[],
  headers: readonly string[],
  rows: readonly (readonly Value[])[],
): number[] {
  const sample = rows.slice(0, SAMPLE_ROWS);
  return columns.map((column, i) => {
    const longestWord = Math.max(...(headers[i] ?? '').split(' ').map((word) => word.length)) + BUTTON;
    const longest = Math.max(0, ...sample.map((row) => valueWidth(column, row[i] ?? null)));
    return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, longestWord, longest + MARGIN));
  });
}

function valueWidth({ unit }: Column, value: Value): number {
  if (value === null) return 0;
  if (unit === 'date') return 'YYYY-MM-DD'.length;
  if (!isNumeric(unit)) return stringWidth(String(value).slice(0, MAX_WIDTH));
  const [whole = ''] = String(value).split('.');
  return whole.length + Math.floor(whole.length / 3) + 3;
}

/** How many columns stay in sight: those that say what a row is of, up to its name or its first number. */
export function frozenColumns(columns: readonly Column[], widths: readonly number[]): number {
  const named = columns.findIndex(({ name }) => name === 'name') + 1;
  const numeric = columns.findIndex(({ unit }) => isNumeric(unit));
  const keys = named > 0 ? named : Math.min(numeric < 0 ? columns.length : numeric, 3);
  let count = 0;
  let width = 0;
  while (count < keys) {
    width += widths[count] ?? 0;
    if (width > MAX_FROZEN_WIDTH) break;
    count += 1;
  }
  return Math.min(count, columns.length - 1);
}
