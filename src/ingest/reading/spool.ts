import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { AppError } from '../../error.ts';
import { MAX_CSV_COLUMNS, MAX_HEADER_ROWS } from '../mapping/header.ts';
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
import { formatBrokenLine, formatRowLine, type SpoolFile } from './spool-file.ts';

/** The longest line of a CSV file. Unit: characters. */
export const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** The text needed after a record to detect a stray quote in it. Unit: characters. */
const LOOKAHEAD_CHARACTERS = 3 * MAX_QUOTED_CHARACTERS;

const CHUNK_BYTES = 1024 * 1024;

/** The header of a CSV file. */
interface CsvHeader {
  /** The number of its line, from 1. */
  readonly line: number;
  readonly delimiter: string;
  readonly names: readonly string[];
}

/**
 * Converts a CSV file to lines of JSON: an object of texts, or [reason, line] for a malformed line.
 * @throws AppError input for a missing header, a column named twice, text that isn't UTF-8, or a line over the limit.
 */
export async function spoolCsv(file: InputFile, mapping: FileMapping, output: SpoolFile): Promise<void> {
  const { line: headerLine, delimiter, names } = await readHeader(file, mapping);
  if (names.length > MAX_CSV_COLUMNS) {
    const hint = 'Check that its first line names the fields. Nothing was loaded.';
    throw new AppError('limit', `${file.name} has ${names.length} columns, more than ${MAX_CSV_COLUMNS}`, { hint });
  }
  const columns = openColumns(mapping, placeHeaders(names), file.name);
  let skipped = headerLine;
  let lines: string[] = [];
  for await (const batch of readLines(file)) {
    lines = lines.concat(batch.lines.slice(skipped));
    skipped = Math.max(0, skipped - batch.lines.length);
    let remaining = lines.reduce((sum, line) => sum + line.length, 0);
    let text = '';
    let at = 0;
    while (at < lines.length && (batch.isLast || remaining > LOOKAHEAD_CHARACTERS)) {
      let lineCount = 1;
      if (!isBlank(lines[at] ?? '')) {
        const span = takeRecord(lines, at, names.length, delimiter);
        text += formatRecord(columns, span.record, mapping);
        lineCount = span.lines;
      }
      for (const end = at + lineCount; at < end; at += 1) remaining -= lines[at]?.length ?? 0;
    }
    lines = lines.slice(at);
    await output.append(text);
  }
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
async function readHeader(file: InputFile, mapping: FileMapping): Promise<CsvHeader> {
  let [line, searched]: [number, number] = [0, 0];
  let first: CsvHeader | undefined;
  for await (const batch of readLines(file)) {
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

/** Yields lines in batches, without line feeds and byte order mark. */
async function* readLines(file: InputFile): AsyncGenerator<{ lines: string[]; isLast: boolean }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let lineCount = 0;
  for await (const chunk of createReadStream(file.path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const lines = (rest + decode(decoder, chunk, file, lineCount)).split('\n');
    rest = lines.pop() ?? '';
    lineCount += lines.length;
    if (rest.length > MAX_LINE_CHARACTERS) throw lineTooLong(file, lineCount + 1);
    yield { lines, isLast: false };
  }
  yield { lines: [rest + decode(decoder, undefined, file, lineCount)], isLast: true };
}

function decode(decoder: TextDecoder, chunk: Buffer | undefined, file: InputFile, linesBefore: number): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (cause) {
    const bad = chunk
      ? chunk
          .toString('latin1')
          .split('\n')
          .findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
      : 0;
    throw csvError(
      file,
      `isn't UTF-8 text: see line ${linesBefore + Math.max(bad, 0) + 1}`,
      'Save it as UTF-8.',
      cause,
    );
  }
}

function lineTooLong(file: InputFile, line: number): AppError {
  return csvError(
    file,
    `has more than ${MAX_LINE_CHARACTERS} characters in line ${line}`,
    'Check that it is a CSV file with one record per line.',
  );
}

function csvError(file: InputFile, problem: string, hint: string, cause?: unknown): AppError {
  return new AppError('input', `${file.name} ${problem}`, { hint, cause });
}
