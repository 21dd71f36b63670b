/** The most text that a record may have when it goes over several lines. Unit: characters. */
export const MAX_QUOTED_CHARACTERS = 1024 * 1024;

/** Values of one record; null for a cell that is empty and not quoted. */
export type Cells = (string | null)[];

/** A record, or a line that is none. */
export type CsvRecord = { readonly cells: Cells } | { readonly line: string; readonly reason: string };

/** A record and the lines that it took. */
export interface Taken {
  readonly record: CsvRecord;
  readonly lines: number;
}

/** What is not well formed: a quote never closed, text after a closing quote, a quote inside a cell that isn't quoted. */
type Fault = 'open' | 'text' | 'stray';

/** One way to read a record: its cells, how many lines they take, and what is wrong with it. */
interface Reading {
  readonly cells: Cells;
  readonly lines: number;
  readonly fault: Fault | undefined;
}

/** The delimiter of a file is whatever of these stands most often in its header. */
const DELIMITERS = [',', ';', '\t'] as const;

/** Finds a file's delimiter by its header line. */
export function parseDelimiter(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Reads the names of a header line, trimmed and in lower case; a column without one is called by its number. */
export function parseHeader(line: string, delimiter: string): string[] {
  return readRecord([line], 0, delimiter).cells.map(
    (cell, index) => cell?.trim().toLowerCase() || `column ${index + 1}`,
  );
}

/**
 * Takes the record that begins at a line. Lines are without their line feeds; a carriage return at the end is dropped where
 * the record ends. A quoted cell may go over several lines, but a quote that went astray must not swallow the good lines
 * after it: lines are joined only if that gives a well-formed record, and leaving out the first line doesn't.
 * @param width How many cells a record has.
 */
export function takeRecord(lines: readonly string[], start: number, width: number, delimiter: string): Taken {
  const reading = readRecord(lines, start, delimiter);
  if (reading.lines === 1 && reading.fault !== 'open' && reading.fault !== 'text') {
    return { record: widthChecked(reading.cells, lines[start] ?? '', width), lines: 1 };
  }
  const isRecord = reading.fault === undefined && reading.cells.length === width;
  if (isRecord && !hasOtherReading(lines, start + 1, start + reading.lines, width, delimiter)) {
    return { record: { cells: reading.cells }, lines: reading.lines };
  }
  const reason =
    reading.fault === 'text' && reading.lines === 1 ? 'text after a closing quote' : 'a quote is not closed';
  return { record: { line: trimEnd(lines[start] ?? ''), reason }, lines: 1 };
}

/** Whether well-formed records alone stand from one line on until beyond another. */
function hasOtherReading(
  lines: readonly string[],
  from: number,
  end: number,
  width: number,
  delimiter: string,
): boolean {
  let line = from;
  while (line < end) {
    if (isBlank(lines[line] ?? '')) {
      line += 1;
      continue;
    }
    const { cells, lines: count, fault } = readRecord(lines, line, delimiter);
    if (fault !== undefined || cells.length !== width) return false;
    line += count;
  }
  return true;
}

function widthChecked(cells: Cells, line: string, width: number): CsvRecord {
  if (cells.length === width) return { cells };
  return { line: trimEnd(line), reason: `has ${cells.length} columns, the header has ${width}` };
}

/** Reads one record by the letter: a cell that begins with a quote goes on until the quote is closed, over lines if need be. */
function readRecord(lines: readonly string[], start: number, delimiter: string): Reading {
  let text = lines[start] ?? '';
  if (!text.includes('"'))
    return { cells: trimEnd(text).split(delimiter).map(emptyToNull), lines: 1, fault: undefined };
  const cells: Cells = [];
  let fault: Fault | undefined;
  let line = start;
  for (let at = 0; ; at += 1) {
    if (text[at] === '"') {
      const cell = readQuoted(lines, line, at + 1);
      if (cell === undefined) return { cells, lines: 1, fault: 'open' };
      cells.push(cell.value);
      line = cell.line;
      text = lines[line] ?? '';
      at = cell.end;
      if (at >= trimEnd(text).length) break;
      if (text[at] !== delimiter) return { cells, lines: line - start + 1, fault: 'text' };
    } else {
      const end = text.indexOf(delimiter, at);
      const cell = end < 0 ? trimEnd(text.slice(at)) : text.slice(at, end);
      if (cell.includes('"')) fault = 'stray';
      cells.push(emptyToNull(cell));
      if (end < 0) break;
      at = end;
    }
  }
  return { cells, lines: line - start + 1, fault };
}

/** Reads a quoted cell from behind its opening quote; undefined when the quote isn't closed within the limit. */
function readQuoted(lines: readonly string[], start: number, from: number) {
  let value = '';
  for (let line = start, at = from; line < lines.length && value.length <= MAX_QUOTED_CHARACTERS; ) {
    const text = lines[line] ?? '';
    const quote = text.indexOf('"', at);
    if (quote < 0) {
      value += `${text.slice(at)}\n`;
      line += 1;
      at = 0;
    } else if (text[quote + 1] === '"') {
      value += text.slice(at, quote + 1);
      at = quote + 2;
    } else {
      return { value: value + text.slice(at, quote), line, end: quote + 1 };
    }
  }
  return undefined;
}

/** Whether a line holds nothing. */
export function isBlank(line: string): boolean {
  return line.trim() === '';
}

function trimEnd(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function emptyToNull(cell: string): string | null {
  return cell === '' ? null : cell;
}
