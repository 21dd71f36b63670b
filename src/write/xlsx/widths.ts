import stringWidth from 'string-width';
import type { Value } from '../../database/database.ts';
import type { Column } from '../../report/table.ts';
import { isNumeric } from '../value-text.ts';

/** The widest column of text, which shows findings in full, and the narrowest. Unit: characters. */
const [MAX_WIDTH, MIN_WIDTH] = [86, 9];

/** Space for a header's filter button, and for the padding of number formats. Unit: characters. */
const [BUTTON, MARGIN] = [4, 3];

/** The height of a line of text. Unit: points. */
const LINE_POINTS = 15;

/** The rows that determine widths. Unit: rows. */
const SAMPLE_ROWS = 500;

/** The widest frozen columns, which leave room to scroll. Unit: characters. */
const MAX_FROZEN_WIDTH = 100;

/** Returns the column widths for the words of headers and the first rows. Unit: characters. */
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

export function wrappedLines(text: string, width: number): number {
  let lines = 1;
  let used = 0;
  for (const word of text.split(' ')) {
    const length = stringWidth(word);
    if (used > 0 && used + 1 + length > width) {
      lines += 1;
      used = 0;
    }
    lines += Math.max(0, Math.ceil(length / width) - 1);
    used += (used > 0 ? 1 : 0) + (length > width ? length % width : length);
  }
  return lines;
}

/**
 * Returns the height of a row of wrapped texts. Unit: points.
 * @param room The width in each column that text can't use.
 */
export function wrappedHeight(texts: readonly string[], widths: readonly number[], room = 0): number {
  const lines = texts.map((text, i) => wrappedLines(text, Math.max(1, (widths[i] ?? MIN_WIDTH) - room)));
  return Math.max(1, ...lines) * LINE_POINTS;
}

/** Returns the number of columns to freeze: those that identify a row, up to its name. */
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
