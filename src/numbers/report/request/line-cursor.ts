import { isDay } from '../../../base/calendar/index.ts';
import { quoteText, type Value } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Column, Meta } from '../catalogue/table.ts';
import type { Query } from './query.ts';

/*
 * A cursor is a place in the lines of one version of the data: their version, the date of the last line, its id, and the
 * closing behind whose difference it stands. Pages of two versions would miss lines, or have some twice.
 */

/** The metadata that tell which lines there are. */
type LinesMeta = Pick<Meta, 'data_version' | 'cutoff' | 'baseline' | 'from'>;

export const LINE_ORDER = ['date', 'line_id'];

/** The column by which the places of a line behind differences from several closings are told apart. */
export const CLOSING_START = 'closing_start_date';

/** Returns the cursor after a page, from up to limit + 1 rows; undefined after the last page. */
export type CursorReader = (rows: readonly (readonly Value[])[], meta: LinesMeta) => string | undefined;

/** @throws AppError usage if the columns or their order don't tell where a page ends. */
export function cursorReader(query: Query, columns: readonly Column[]): CursorReader {
  assertOwnOrder(
    query,
    LINE_ORDER.every((name) => columns.some((column) => column.name === name)),
  );
  return (rows, meta) => {
    const last = rows.length > (query.presentation.limit ?? 0) ? rows[(query.presentation.limit ?? 0) - 1] : undefined;
    return last && cursorAfter(meta, columns, last);
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
export function cursorAfter(meta: LinesMeta, columns: readonly Pick<Column, 'name'>[], line: readonly Value[]): string {
  const find = (name: string) => line[columns.findIndex((column) => column.name === name)];
  const place = [
    versionOf(meta),
    ...LINE_ORDER.map((name) => find(name) ?? find(`${name}_now`) ?? find(`${name}_then`)),
  ];
  const closing = find(CLOSING_START);
  return Buffer.from(JSON.stringify(closing ? [...place, closing] : place)).toString('base64url');
}

/**
 * Returns the condition of the lines after a cursor; those without a date come first.
 * @param isByClosing True if a line may stand behind several closings.
 * @throws AppError usage for a text that is no cursor.
 */
export function afterCursor(cursor: string, isByClosing = false): string {
  const [version, date, id, closing] = parsePlace(cursor);
  const isPlace = isByClosing ? isDate(closing) : closing === undefined;
  const isKnown = typeof version === 'string' && typeof id === 'string';
  if ((date !== null && !isDate(date)) || !isKnown || !isPlace) {
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

/** Returns the version of lines: of the data, of the states that they are compared with, and of the cutoff. */
function versionOf({ data_version: version, cutoff, baseline, from }: LinesMeta): string {
  const states = from && 'closings' in from ? from.closings : from ? [from] : [];
  const compared = [...(baseline ? [baseline] : []), ...states].map(({ data_version: each }) => each);
  return [version, ...compared, ...(cutoff ? [cutoff.date] : [])].join(' ');
}

/** Returns the version of the data that a cursor is of; undefined for a text that is none. */
export function dataVersionOfCursor(cursor: string): string | undefined {
  const [version] = parsePlace(cursor);
  return typeof version === 'string' ? version.split(' ')[0] : undefined;
}

/** @throws AppError gone if the cursor of a query is of other lines than those of an answer. */
export function assertOwnLines({ presentation: { cursor } }: Query, meta: LinesMeta): void {
  const [version] = cursor === undefined ? [] : parsePlace(cursor);
  if (typeof version === 'string') assertSameVersion('cursor', version, versionOf(meta));
}

/**
 * Checks that a page is of the data of the page before.
 * @param thing The word for what leads from one to the other.
 * @throws AppError gone if it isn't.
 */
export function assertSameVersion(thing: 'cursor' | 'link', version: string, present: string): void {
  if (version === present) return;
  throw new AppError(
    'gone',
    `The ${thing} is of the data version ${version}, and the data are now ${present}: read all pages again from the first`,
  );
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
