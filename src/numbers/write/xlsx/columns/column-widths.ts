import stringWidth from 'string-width';
import { MIN_WIDTH, widthOfWholeWords } from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import { isNumeric } from '../../value-text.ts';

/** The widest column of text, which shows findings in full. Unit: characters. */
const MAX_WIDTH = 86;

/** Space for a header's filter button, and for the padding of number formats. Unit: characters. */
const [BUTTON, MARGIN] = [4, 3];

/** The rows that determine widths. Unit: rows. */
const SAMPLE_ROWS = 500;

/** The widest frozen columns, which leave room to scroll. Unit: characters. */
const MAX_FROZEN_WIDTH = 100;

/** The most frozen keys of a row without a name of its own, such as the dimensions of a pivot. */
const MAX_FROZEN_KEYS = 3;

/** Returns the column widths for the words of headers and the first rows. Unit: characters. */
export function columnWidths(
  columns: readonly Column[],
  headers: readonly string[],
  rows: readonly (readonly Value[])[],
): number[] {
  const sample = rows.slice(0, SAMPLE_ROWS);
  return columns.map((column, i) => {
    const header = headers[i] ?? '';
    const longestWord = Math.max(...header.split(' ').map((word) => word.length)) + BUTTON;
    const longest = Math.max(0, ...sample.map((row) => valueWidth(column, row[i] ?? null)));
    return Math.min(MAX_WIDTH, widthOfWholeWords(header, Math.max(MIN_WIDTH, longestWord, longest + MARGIN)));
  });
}

function valueWidth({ unit }: Column, value: Value): number {
  if (value === null) return 0;
  if (unit === 'date') return 'YYYY-MM-DD'.length;
  if (!isNumeric(unit)) return stringWidth(String(value).slice(0, MAX_WIDTH));
  const [whole = ''] = String(value).split('.');
  return whole.length + Math.floor(whole.length / 3) + 3;
}

/** Returns the number of columns to freeze: those that identify a row, up to its name. */
export function frozenColumns(columns: readonly Column[], widths: readonly number[]): number {
  const named = columns.findIndex(({ name }) => name === 'name') + 1;
  const keys = named > 0 ? named : countKeyColumns(columns);
  let count = 0;
  let width = 0;
  while (count < keys) {
    width += widths[count] ?? 0;
    if (width > MAX_FROZEN_WIDTH) break;
    count += 1;
  }
  if (count < keys && count > 1 && isIdBefore(columns, count)) count -= 1;
  return Math.min(count, columns.length - 1);
}

/** Counts the columns of the first keys, before any number; an id and its name are one key. */
function countKeyColumns(columns: readonly Column[]): number {
  const numeric = columns.findIndex(({ unit }) => isNumeric(unit));
  const most = numeric < 0 ? columns.length : numeric;
  let count = 0;
  for (let key = 0; key < MAX_FROZEN_KEYS && count < most; key += 1) count += isIdBefore(columns, count + 1) ? 2 : 1;
  return Math.min(count, most);
}

/** Tests whether the column before a place is the id of what the column at the place names. */
function isIdBefore(columns: readonly Column[], place: number): boolean {
  const [id, name] = [columns[place - 1], columns[place]];
  return id?.unit === 'id' && id.label === `${name?.label} id`;
}
