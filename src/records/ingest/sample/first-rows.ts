import { AppError } from '../../../base/index.ts';
import type { BookSheet } from '../../spreadsheet/spreadsheet.ts';
import { MAX_HEADER_ROWS } from '../mapping/header.ts';
import { isBlank, parseDelimiter, parseHeader, takeRecord } from '../reading/csv-records.ts';
import { MAX_SAMPLE_CELLS } from '../reading/json-tables.ts';
import { openText } from '../reading/text-lines.ts';

/** The beginning of a file that a first mapping is made from. Unit: characters. */
export const MAX_SAMPLE_CHARACTERS = 4_194_304;

/** The rows of a file that a first mapping is made from. Unit: rows. */
export const MAX_SAMPLE_ROWS = 20_000;

/** A cell of a row: a number of a workbook, or a text. */
export interface SampleCell {
  readonly text: string;
  readonly isNumber: boolean;
}

/**
 * Reads the first rows of a CSV file, as texts.
 * @param headerAt Returns the place of the headers, whose delimiter is that of all rows.
 * @throws AppError input for a file of empty lines.
 */
export async function readFirstLines(
  path: string,
  name: string,
  headerAt: (rows: readonly (readonly string[])[]) => number,
): Promise<SampleCell[][]> {
  const lines: string[] = [];
  let characters = 0;
  for await (const batch of (await openText(path, name)).lines()) {
    for (const line of batch.lines) {
      characters += line.length + 1;
      if (characters <= MAX_SAMPLE_CHARACTERS) lines.push(line);
    }
    if (characters > MAX_SAMPLE_CHARACTERS) break;
  }
  const filled = lines.filter((line) => !isBlank(line)).slice(0, MAX_SAMPLE_ROWS);
  if (filled.length === 0) {
    const where = characters > MAX_SAMPLE_CHARACTERS ? ` in its first ${MAX_SAMPLE_CHARACTERS} characters` : '';
    throw new AppError('input', `${name} has nothing but empty lines${where}`, {
      hint: 'Export it again, or leave it out.',
    });
  }
  const at = headerAt(filled.slice(0, MAX_HEADER_ROWS).map((line) => parseHeader(line, parseDelimiter(line))));
  const header = filled[at] ?? '';
  const delimiter = parseDelimiter(header);
  const headers = parseHeader(header, delimiter);
  const above = filled.slice(0, at).map((line) => parseHeader(line, delimiter));
  return [...above, headers, ...takeRows(lines, lines.indexOf(header) + 1, headers.length, delimiter)].map((row) =>
    row.map((text) => ({ text, isNumber: false })),
  );
}

/** Takes the records below the headers; malformed lines are left out. */
function takeRows(lines: readonly string[], start: number, width: number, delimiter: string): string[][] {
  const rows: string[][] = [];
  for (let at = start; at < lines.length && rows.length < MAX_SAMPLE_ROWS; ) {
    if (isBlank(lines[at] ?? '')) {
      at += 1;
      continue;
    }
    const { record, lines: count } = takeRecord(lines, at, width, delimiter);
    if ('cells' in record) rows.push(record.cells.map((cell) => cell ?? ''));
    at += count;
  }
  return rows;
}

export async function readFirstRows(sheet: BookSheet): Promise<SampleCell[][]> {
  const found: SampleCell[][] = [];
  let count = 0;
  for await (const rows of sheet.rows()) {
    for (const { cells } of rows) {
      const row: SampleCell[] = Array(Math.max(...cells.keys()) + 1).fill({ text: '', isNumber: false });
      for (const [column, { text, kind }] of cells) row[column] = { text, isNumber: kind === 'number' };
      found.push(row);
      count += row.length;
      if (found.length === MAX_SAMPLE_ROWS || count > MAX_SAMPLE_CELLS) return found;
    }
  }
  return found;
}
