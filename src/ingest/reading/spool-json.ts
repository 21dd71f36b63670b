import { AppError } from '../../error.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { openColumns } from '../mapping/row-columns.ts';
import type { InputFile } from './files.ts';
import { type JsonTable, readJsonTables } from './json-tables.ts';
import { formatRowLine, type SpooledFile, type SpoolFile } from './spool-file.ts';

/** The records whose lines are written at once. Unit: records. */
const CHUNK_RECORDS = 10_000;

/**
 * Converts a list of records in a JSON file of another service to lines of JSON, by its mapping.
 * @throws AppError input for a file without such a list, or for a missing member.
 */
export async function spoolJson(file: InputFile, mapping: FileMapping, output: SpoolFile): Promise<SpooledFile> {
  const { encoding, tables } = await readJsonTables(file.path, file.name);
  const { headers, rows } = chooseTable(tables, mapping, file.name);
  const placed = headers.map((name, at) => ({ name, at, place: `member ${name}` }));
  const columns = openColumns(mapping, placed, file.name);
  for (let at = 0; at < rows.length; at += CHUNK_RECORDS) {
    const lines = rows
      .slice(at, at + CHUNK_RECORDS)
      .flatMap((row) => columns.format((place) => row.get(headers[place] ?? '') ?? null));
    await output.append(lines.map(formatRowLine).join(''));
  }
  return { encoding, tally: columns.finish() };
}

/** Returns the list that a mapping names as its sheet, or the only one. */
function chooseTable(tables: readonly JsonTable[], { sheet }: FileMapping, name: string): JsonTable {
  const [first, second] = tables;
  const found = sheet === undefined ? first : tables.find(({ list }) => list === sheet);
  if (found && (sheet !== undefined || second === undefined)) return found;
  const lists = tables.map(({ list }) => list).join(', ');
  const problem = first === undefined ? 'has no list of records' : `has the lists ${lists}`;
  throw new AppError('input', `${name} ${problem}${sheet === undefined ? '' : `, not ${sheet}`}`, {
    hint: 'Write sheet: with the name of a list into the mapping. Nothing was loaded.',
  });
}
