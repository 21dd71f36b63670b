import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { AppError } from '../error.ts';
import {
  type CsvRecord,
  isBlank,
  MAX_QUOTED_CHARACTERS,
  parseDelimiter,
  parseHeader,
  takeRecord,
} from './csv-records.ts';
import type { InputFile } from './files.ts';
import { checkHeader, MAX_CSV_COLUMNS } from './header.ts';
import { formatBrokenLine, formatRecordLine, type SpoolFile } from './spool-file.ts';

/** The longest line of a CSV file. Unit: characters. */
export const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** The text needed after a record to detect a stray quote in it. Unit: characters. */
const LOOKAHEAD_CHARACTERS = 3 * MAX_QUOTED_CHARACTERS;

const CHUNK_BYTES = 1024 * 1024;

/**
 * Converts a CSV file to lines of JSON: an object of texts, or [reason, line] for a malformed line.
 * @throws AppError input for a missing header, a column named twice, text that isn't UTF-8, or a line over the limit.
 */
export async function spoolCsv(file: InputFile, output: SpoolFile): Promise<void> {
  let keys: string[] | undefined;
  let delimiter = ',';
  let lines: string[] = [];
  for await (const batch of readLines(file)) {
    lines = lines.concat(batch.lines);
    let remaining = lines.reduce((sum, line) => sum + line.length, 0);
    let text = '';
    let at = 0;
    while (at < lines.length && (batch.isLast || remaining > LOOKAHEAD_CHARACTERS)) {
      const line = lines[at] ?? '';
      let lineCount = 1;
      if (isBlank(line)) {
        // Skips blank lines.
      } else if (keys === undefined) {
        delimiter = parseDelimiter(line);
        keys = checkedHeader(parseHeader(line, delimiter), file).map((key) => JSON.stringify(key));
      } else {
        const span = takeRecord(lines, at, keys.length, delimiter);
        text += formatRecord(keys, span.record);
        lineCount = span.lines;
      }
      for (const end = at + lineCount; at < end; at += 1) remaining -= lines[at]?.length ?? 0;
    }
    lines = lines.slice(at);
    await output.append(text);
  }
  if (keys === undefined) throw csvError(file, 'has no header row', 'Put the names of the fields into its first line.');
}

function formatRecord(keys: readonly string[], record: CsvRecord): string {
  if ('reason' in record) return formatBrokenLine(record.reason, record.line);
  return formatRecordLine(`{${record.cells.map((cell, index) => `${keys[index]}:${JSON.stringify(cell)}`).join(',')}}`);
}

function checkedHeader(names: readonly string[], file: InputFile): readonly string[] {
  if (names.length > MAX_CSV_COLUMNS) {
    const hint = 'Check that its first line names the fields. Nothing was loaded.';
    throw new AppError('limit', `${file.name} has ${names.length} columns, more than ${MAX_CSV_COLUMNS}`, { hint });
  }
  checkHeader(
    names.map((name, index) => ({ name, place: `column ${index + 1}` })),
    file.name,
  );
  return names;
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
