import { AppError } from '../../../base/index.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { openColumns } from '../mapping/row-columns.ts';
import type { InputFile } from './files.ts';
import { type JsonTable, type JsonTables, readJsonRows } from './json-tables.ts';
import { formatRowLine, type SpooledFile, type SpoolFile } from './spool-file.ts';

/**
 * Converts a list of records in a JSON file of another service to lines of JSON, by its mapping.
 * @param tables The lists in the file, without their rows.
 * @throws AppError input for a file without such a list, or for a missing member.
 */
export async function spoolJson(
  file: InputFile,
  mapping: FileMapping,
  { encoding, tables }: JsonTables,
  output: SpoolFile,
): Promise<SpooledFile> {
  const { list, headers } = chooseTable(tables, mapping, file.name);
  const placed = headers.map((name, at) => ({ name, at, place: `member ${name}` }));
  const columns = openColumns(mapping, placed, file.name);
  for await (const rows of readJsonRows({ ...file, encoding }, list)) {
    const lines = rows.flatMap((row) => columns.format((place) => row.get(headers[place] ?? '') ?? null));
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
