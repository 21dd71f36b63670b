import { AppError } from '../error.ts';

/** The most columns of a CSV file. Unit: columns. */
export const MAX_CSV_COLUMNS = 16_384;

/** The longest header, whose names each record repeats. Unit: characters. */
export const MAX_HEADER_CHARACTERS = 262_144;

/** The name of a column, and its place in words. */
export interface HeaderCell {
  readonly name: string;
  readonly place: string;
}

/**
 * Checks the names of columns.
 * @param file The name of the file, or the workbook and its sheet.
 * @throws AppError input for a name that occurs twice, limit for too long a header.
 */
export function checkHeader(header: readonly HeaderCell[], file: string): void {
  const places = new Map<string, string>();
  let characters = 0;
  for (const { name, place } of header) {
    const first = places.get(name);
    if (first !== undefined)
      throw new AppError('input', `${file} names the column ${name} twice, in ${first} and ${place}`, {
        hint: 'Rename or remove one of the two columns. Nothing was loaded.',
      });
    places.set(name, place);
    characters += name.length;
    if (characters > MAX_HEADER_CHARACTERS)
      throw new AppError('limit', `${file} has a header of more than ${MAX_HEADER_CHARACTERS} characters`, {
        hint: 'Check that its first row names the fields. Nothing was loaded.',
      });
  }
}

/**
 * Returns the name of a column without a header: its number, made different from all headers.
 * @param place Counted from 0.
 */
export function nameColumn(place: number, headers: ReadonlySet<string>): string {
  let name = `column ${place + 1}`;
  while (headers.has(name)) name += ' without a header';
  return name;
}
