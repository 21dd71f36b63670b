import { AppError } from '../../../base/index.ts';
import { checkColumnCount, MAX_HEADER_ROWS } from '../mapping/header.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { isHeaderRow, openColumns, type RowColumns } from '../mapping/row-columns.ts';
import type { PlacedHeader } from '../mapping/row-value.ts';
import {
  type CsvRecord,
  isBlank,
  MAX_QUOTED_CHARACTERS,
  parseDelimiter,
  parseHeader,
  takeRecord,
} from './csv-records.ts';
import type { InputFile } from './files.ts';
import { formatBrokenLine, formatRowLine, type SpooledFile, type SpoolFile } from './spool-file.ts';
import { openText, type TextFile } from './text-lines.ts';

/** The text needed after a record to detect a stray quote in it. Unit: characters. */
const LOOKAHEAD_CHARACTERS = 3 * MAX_QUOTED_CHARACTERS;

interface CsvHeader {
  /** The number of its line, from 1. */
  readonly line: number;
  readonly delimiter: string;
  readonly names: readonly string[];
}

/**
 * Converts a CSV file to lines of JSON: an object of texts, or [reason, line] for a malformed line.
 * @returns its encoding, and the rows that are no records.
 * @throws AppError input for a missing header, a column named twice, text that isn't UTF-8, or a line over the limit.
 */
export async function spoolCsv(file: InputFile, mapping: FileMapping, output: SpoolFile): Promise<SpooledFile> {
  const text = await openText(file.path, file.name);
  const { line: headerLine, delimiter, names } = await readHeader(file, mapping, text);
  checkColumnCount(names.length, file.name);
  const columns = openColumns(mapping, placeHeaders(names), file.name);
  let skipped = headerLine;
  let lines: string[] = [];
  for await (const batch of text.lines()) {
    lines = lines.concat(batch.lines.slice(skipped));
    skipped = Math.max(0, skipped - batch.lines.length);
    let remaining = lines.reduce((sum, line) => sum + line.length, 0);
    let spooled = '';
    let at = 0;
    while (at < lines.length && (batch.isLast || remaining > LOOKAHEAD_CHARACTERS)) {
      let lineCount = 1;
      if (!isBlank(lines[at] ?? '')) {
        const span = takeRecord(lines, at, names.length, delimiter);
        spooled += formatRecord(columns, span.record, mapping);
        lineCount = span.lines;
      }
      for (const end = at + lineCount; at < end; at += 1) remaining -= lines[at]?.length ?? 0;
    }
    lines = lines.slice(at);
    await output.append(spooled);
  }
  return { encoding: text.encoding, tally: columns.finish() };
}

function formatRecord(columns: RowColumns, record: CsvRecord, { keepsBrokenLines }: FileMapping): string {
  if ('reason' in record) return keepsBrokenLines ? formatBrokenLine(record.reason, record.line) : '';
  const rows = columns.format((place) => {
    const text = record.cells[place] ?? null;
    return text === null ? null : { text, isJson: false };
  });
  return rows.map(formatRowLine).join('');
}

/**
 * Finds the header: the named row, the first one with all columns that are looked for, or else the first one that isn't blank.
 * @throws AppError input for a file without one.
 */
async function readHeader(file: InputFile, mapping: FileMapping, content: TextFile): Promise<CsvHeader> {
  let [line, searched]: [number, number] = [0, 0];
  let first: CsvHeader | undefined;
  for await (const batch of content.lines()) {
    for (const text of batch.lines) {
      line += 1;
      if (isBlank(text) || (mapping.headerRow !== undefined && line !== mapping.headerRow)) continue;
      const delimiter = mapping.delimiter ?? parseDelimiter(text);
      const header = { line, delimiter, names: parseHeader(text, delimiter) };
      if (mapping.headerRow !== undefined || isHeaderRow(mapping, header.names)) return header;
      first ??= header;
      searched += 1;
      if (searched === MAX_HEADER_ROWS) return first;
    }
  }
  if (first) return first;
  if (mapping.headerRow !== undefined)
    throw csvError(file, `has no headers in row ${mapping.headerRow}`, 'Name another header_row in the mapping.');
  throw csvError(file, 'has no header row', 'Put the names of the fields into its first line.');
}

function placeHeaders(names: readonly string[]): PlacedHeader[] {
  return names.map((name, at) => ({ name, at, place: `column ${at + 1}` }));
}

function csvError(file: InputFile, problem: string, hint: string): AppError {
  return new AppError('input', `${file.name} ${problem}`, { hint });
}
