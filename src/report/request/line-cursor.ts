import { quoteText, type Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { isDay } from '../../resource/field.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import type { Query } from './query.ts';

/** The order of lines and the content of a cursor: a date and the line's unique id. */
export const LINE_ORDER = ['date', 'line_id'];

/** The column by which the places of a line behind differences from several closings are told apart. */
export const CLOSING_START = 'closing_start_date';

/** Returns the cursor after a page, from up to limit + 1 rows; undefined after the last page. */
export type CursorReader = (rows: readonly (readonly Value[])[]) => string | undefined;

/** @throws AppError usage if the columns or their order don't tell where a page ends. */
export function cursorReader(query: Query, columns: readonly Column[]): CursorReader {
  assertOwnOrder(
    query,
    LINE_ORDER.every((name) => columns.some((column) => column.name === name)),
  );
  return (rows) => {
    const last = rows.length > (query.presentation.limit ?? 0) ? rows[(query.presentation.limit ?? 0) - 1] : undefined;
    return last && cursorAfter(columns, last);
  };
}

/** @throws AppError usage if a page of lines can't be continued: they are in another order, or lack its columns. */
export function assertOwnOrder({ presentation }: Query, hasPlace = true): void {
  if (hasPlace && !presentation.sort) return;
  throw wrongParameter('limit', 'limit needs the lines in their own order, with the columns date and line_id', {
    hint: 'Leave out sort, and name date and line_id in fields; or use page and per-page.',
  });
}

/** Returns the cursor after a line, or after a changed one, whose place is that of its line now, or else then. */
export function cursorAfter(columns: readonly Pick<Column, 'name'>[], line: readonly Value[]): string {
  const find = (name: string) => line[columns.findIndex((column) => column.name === name)];
  const place = LINE_ORDER.map((name) => find(name) ?? find(`${name}_now`) ?? find(`${name}_then`));
  const closing = find(CLOSING_START);
  return Buffer.from(JSON.stringify(closing ? [...place, closing] : place)).toString('base64url');
}

/**
 * Returns the condition of the lines after a cursor; those without a date come first.
 * @param isByClosing True if a line may stand behind several closings.
 * @throws AppError usage for a text that is no cursor.
 */
export function afterCursor(cursor: string, isByClosing = false): string {
  const [date, id, closing] = parsePlace(cursor);
  const isPlace = isByClosing ? isDate(closing) : closing === undefined;
  if ((date !== null && !isDate(date)) || typeof id !== 'string' || !isPlace) {
    throw wrongParameter('cursor', `cursor: ${JSON.stringify(cursor)} is not a cursor of this report`, {
      hint: 'Give next_cursor of the page before, unchanged, or leave cursor out to begin.',
    });
  }
  const isSame = `line_id = ${quoteText(id)}`;
  const isLater = `line_id > ${quoteText(id)}`;
  const isAfter = isDate(closing)
    ? `(${isLater} OR ${isSame} AND ${CLOSING_START} > ${dateLiteral(closing)})`
    : isLater;
  if (date === null) return `(date IS NOT NULL OR ${isAfter})`;
  return `(date > ${dateLiteral(date)} OR date = ${dateLiteral(date)} AND ${isAfter})`;
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && isDay(value);
}

/** Parses the parts of a place between rows, written as base64url; none for any other text. */
export function parsePlace(cursor: string): unknown[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(position) ? position : [];
  } catch {
    return [];
  }
}

function wrongParameter(field: string, message: string, { hint }: { hint: string }): AppError {
  return new AppError('usage', message, { fields: [{ field, message }], hint });
}
