import { type Database, quoteText } from '../../../base/database/index.ts';
import type { Fields } from '../../resource/field.ts';
import { resources } from '../../resource/resources.ts';

/** The beginning of a value that is read to show it. Unit: characters. */
const MAX_READ_CHARACTERS = 1_000;

/** The path of a record itself. */
const ITSELF = '$';

/** A reason for setting a record aside, and the row of source.rejected that has it. */
export interface RejectedRow {
  readonly row: number;
  readonly resource: string;
  /** The list of an item; null for whole records. */
  readonly list: string | null;
  readonly reason: string;
}

/** A value that a reason refers to: of a field, or the record itself if the field is null. */
export interface OffendingValue {
  readonly field: string | null;
  /** As JSON; cut off if it is long. */
  readonly text: string;
}

/** Reads the values that reasons refer to, one list for each reason; empty for missing values. */
export async function readOffendingValues(
  database: Database,
  rejected: readonly RejectedRow[],
): Promise<OffendingValue[][]> {
  const wanted = rejected.flatMap((each, index) =>
    pathsOf(each).map(({ field, paths }) => ({ index, field, row: each.row, paths })),
  );
  if (wanted.length === 0) return rejected.map(() => []);
  const rows = wanted.map(({ row, paths }, number) => `(${number}, ${row}, [${paths.map(quoteText).join(', ')}])`);
  const found = await database.rows<{ number: number; text: string | null }>(`
    SELECT number, left(CASE WHEN NOT json_valid(record) THEN CAST(to_json(record) AS VARCHAR)
      WHEN paths = ['${ITSELF}'] THEN record
      ELSE list_filter(list_transform(paths, lambda path: CAST(json_extract(record, path) AS VARCHAR)),
        lambda text: text IS NOT NULL AND text <> 'null')[1] END, ${MAX_READ_CHARACTERS}) AS text
    FROM (VALUES ${rows.join(', ')}) AS wanted (number, place, paths)
    JOIN source.rejected AS bad ON bad.rowid = wanted.place
    ORDER BY number`);
  const values: OffendingValue[][] = rejected.map(() => []);
  for (const { number, text } of found) {
    const { index, field } = wanted[number] ?? {};
    if (index !== undefined && text !== null) values[index]?.push({ field: field ?? null, text });
  }
  return values;
}

/** Returns the fields that a reason refers to, and the paths of their values, of which the first present path counts. */
function pathsOf({ resource, list, reason }: RejectedRow): { field: string | null; paths: string[] }[] {
  // The reason itself names the cell and its error.
  if (reason.startsWith('cell ')) return [];
  const found = resources.find(({ name }) => name === resource);
  if (list !== null && found?.lists[list] === undefined) return [{ field: null, paths: [ITSELF] }];
  const fields: Fields = (list === null ? found?.fields : found?.lists[list]?.fields) ?? {};
  const [name = '', problem] = reason.split(': ');
  if (problem !== undefined) return [{ field: name, paths: pathsOfField(name, fields) }];
  const named = reason.split(' ').filter((word) => Object.hasOwn(fields, word));
  if (named.length === 0) return [{ field: null, paths: [ITSELF] }];
  return named.map((field) => ({ field, paths: pathsOfField(field, fields) }));
}

function pathsOfField(name: string, fields: Fields): string[] {
  const from = fields[name]?.from ?? [name];
  if (from.includes(ITSELF)) return [ITSELF];
  return from.map((path) => [ITSELF, ...path.split('.').map((key) => `"${key}"`)].join('.'));
}
