import { AppError } from '../../../base/index.ts';

/** The most columns of a CSV file, and members of the records of a JSON file. Unit: columns. */
export const MAX_CSV_COLUMNS = 16_384;

/** The longest header, whose names each record repeats. Unit: characters. */
export const MAX_HEADER_CHARACTERS = 262_144;

/** The first rows in which the headers are looked for, blank ones not counted. Unit: rows. */
export const MAX_HEADER_ROWS = 50;

/** The name of a column, and its place in words. */
export interface HeaderCell {
  readonly name: string;
  readonly place: string;
  /** The header, if it is another text than the name. */
  readonly header?: string | undefined;
}

/**
 * Checks the names of columns.
 * @param file The name of the file, or the workbook and its sheet.
 * @throws AppError input for a name that occurs twice, limit for too long a header.
 */
export function checkHeader(header: readonly HeaderCell[], file: string): void {
  const cells = new Map<string, HeaderCell>();
  for (const cell of header) {
    const { name } = cell;
    const first = cells.get(name);
    if (first !== undefined)
      throw new AppError('input', `${file} names the column ${name} twice, in ${placeOf(first)} and ${placeOf(cell)}`, {
        hint: 'Rename or remove one of the two columns. Nothing was loaded.',
      });
    cells.set(name, cell);
  }
  checkHeaderLength([...cells.keys()], file);
}

/** @throws AppError limit for too many columns. */
export function checkColumnCount(count: number, file: string): void {
  if (count <= MAX_CSV_COLUMNS) return;
  throw new AppError('limit', `${file} has ${count} columns, more than ${MAX_CSV_COLUMNS}`, {
    hint: 'Check that its first line names the fields. Nothing was loaded.',
  });
}

/** @throws AppError limit for names that are too long together. */
export function checkHeaderLength(names: readonly string[], file: string): void {
  if (names.reduce((sum, { length }) => sum + length, 0) <= MAX_HEADER_CHARACTERS) return;
  throw new AppError('limit', `${file} has a header of more than ${MAX_HEADER_CHARACTERS} characters`, {
    hint: 'Check that its first row names the fields. Nothing was loaded.',
  });
}

/** Returns the place of a cell, with its text if that isn't the name. */
function placeOf({ name, place, header = name }: HeaderCell): string {
  return header.trim().toLowerCase() === name ? place : `${place} (${header.trim()})`;
}

/**
 * Returns the name of a column without a header, or with one that has another meaning: its number, made different from all headers.
 * @param place Counted from 0.
 */
export function nameColumn(place: number, headers: ReadonlySet<string>, header = ''): string {
  let name = header === '' ? `column ${place + 1}` : `${header} (column ${place + 1})`;
  while (headers.has(name)) name += ' without a header';
  return name;
}
