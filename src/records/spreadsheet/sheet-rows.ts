import { AppError } from '../../base/index.ts';
import { type BookContext, readCell, type SheetCell } from './cell-value.ts';
import { GENERAL } from './number-kinds.ts';
import type { PartElement } from './xml-elements.ts';

/** The most columns of a sheet in Excel. */
export const MAX_COLUMNS = 16_384;

/** The most rows of a sheet in Excel. */
export const MAX_ROWS = 1_048_576;

/** A row of a sheet that isn't blank. */
export interface SheetRow {
  /** Its number in the sheet, from 1. */
  readonly number: number;
  /** By column, from 0. */
  readonly cells: ReadonlyMap<number, SheetCell>;
}

/**
 * Reads the rows of a sheet from the elements of its part, in batches.
 * @param sheet The workbook and the sheet, for messages.
 * @throws AppError limit for a place beyond the columns and rows of a sheet.
 */
export async function* readSheetRows(
  sheet: string,
  part: AsyncIterable<readonly PartElement[]>,
  book: BookContext,
): AsyncGenerator<readonly SheetRow[], void, undefined> {
  let cells = new Map<number, SheetCell>();
  let [row, column, rowCount] = [0, -1, 0];
  let [hasFormula, hasValue] = [false, false];
  for await (const elements of part) {
    const rows: SheetRow[] = [];
    for (const { name, parent, attributes, text } of elements) {
      if (parent === 'c' && name === 'f') hasFormula = true;
      if (parent === 'c' && (name === 'v' || name === 'is')) hasValue = true;
      if (name === 'c' && parent === 'row') {
        // A cell without a reference follows the cell before it.
        column = columnOf(attributes['r']) ?? column + 1;
        if (column >= MAX_COLUMNS) throw tooLarge(sheet, `in row ${row + 1} has more than ${MAX_COLUMNS} columns`);
        const format = book.formats[Number(attributes['s'] ?? 0)] ?? GENERAL;
        const value = readCell({ type: attributes['t'], text: text(), hasFormula, hasValue, format }, book);
        if (value) cells.set(column, cells.has(column) ? { ...value, fault: 'is there twice' } : value);
        [hasFormula, hasValue] = [false, false];
      } else if (name === 'row' && parent === 'sheetData') {
        row = rowOf(attributes['r']) ?? row + 1;
        rowCount += 1;
        if (Math.max(row, rowCount) > MAX_ROWS) throw tooLarge(sheet, `has more than ${MAX_ROWS} rows`);
        if (cells.size > 0) rows.push({ number: row, cells });
        cells = new Map();
        column = -1;
      }
    }
    yield rows;
  }
}

/** Returns the letters of a column, from 0. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

function tooLarge(sheet: string, problem: string): AppError {
  return new AppError('limit', `${sheet} ${problem}`, {
    hint: 'Excel allows no more. Split the sheet into several, such as tasks.1 and tasks.2, or save it as CSV.',
  });
}

/** Returns the number of a row such as "7". */
function rowOf(text: string | undefined): number | undefined {
  return /^\d{1,7}$/.test(text ?? '') ? Number(text) : undefined;
}

/** Returns the column of a cell such as AB7, from 0. */
function columnOf(cell: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(cell ?? '')?.[0];
  return letters === undefined
    ? undefined
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
