import { nameColumn } from '../mapping/header.ts';

/** The longest record of several lines. Unit: characters. */
export const MAX_QUOTED_CHARACTERS = 1024 * 1024;

/** The values of a record; null for an empty cell without quotes. */
export type Cells = (string | null)[];

/** A well-formed record, or a line set aside. */
export type CsvRecord = { readonly cells: Cells } | { readonly line: string; readonly reason: string };

export interface RecordSpan {
  readonly record: CsvRecord;
  readonly lines: number;
}

/** A quoting error: a quote not closed, text after a closing quote, a quote in an unquoted cell. */
type QuoteFault = 'open' | 'text' | 'stray';

interface ParsedRecord {
  readonly cells: Cells;
  readonly lines: number;
  readonly fault: QuoteFault | undefined;
}

/** The possible delimiters; the most frequent in the header is used. */
const DELIMITERS = [',', ';', '\t'] as const;

export function parseDelimiter(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Returns the column names of a header line, trimmed; nameless columns are numbered. */
export function parseHeader(line: string, delimiter: string): string[] {
  const names = readRecord([line], 0, delimiter).cells.map((cell) => cell?.trim() ?? '');
  const headers = new Set(names.map((name) => name.toLowerCase()));
  return names.map((name, place) => name || nameColumn(place, headers));
}

/**
 * Takes the record that begins at a line.
 * Lines come without line feeds; a carriage return at the end of the record is dropped.
 * A quoted cell may span lines, but a stray quote must not swallow the good lines after it: lines are joined
 * only if the result is well formed and the lines after the first are not well formed on their own.
 * @param width The number of cells of a record.
 */
export function takeRecord(lines: readonly string[], start: number, width: number, delimiter: string): RecordSpan {
  const parsed = readRecord(lines, start, delimiter);
  if (parsed.lines === 1 && parsed.fault !== 'open' && parsed.fault !== 'text') {
    return { record: widthChecked(parsed.cells, lines[start] ?? '', width), lines: 1 };
  }
  const isRecord = parsed.fault === undefined && parsed.cells.length === width;
  if (isRecord && !areWellFormed(lines, start + 1, start + parsed.lines, width, delimiter)) {
    return { record: { cells: parsed.cells }, lines: parsed.lines };
  }
  const reason = parsed.fault === 'text' && parsed.lines === 1 ? 'text after a closing quote' : 'a quote is not closed';
  return { record: { line: trimEnd(lines[start] ?? ''), reason }, lines: 1 };
}

function areWellFormed(lines: readonly string[], from: number, end: number, width: number, delimiter: string): boolean {
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
  // A delimiter at the end of each row, but not of the headers, is no column.
  if (cells.length > width && cells.slice(width).every((cell) => cell === null))
    return { cells: cells.slice(0, width) };
  return { line: trimEnd(line), reason: `has ${cells.length} columns, the header has ${width}` };
}

/** Parses one record strictly: a quoted cell extends over lines until its quote is closed. */
function readRecord(lines: readonly string[], start: number, delimiter: string): ParsedRecord {
  let text = lines[start] ?? '';
  if (!text.includes('"'))
    return { cells: trimEnd(text).split(delimiter).map(emptyToNull), lines: 1, fault: undefined };
  const cells: Cells = [];
  let fault: QuoteFault | undefined;
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

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

function trimEnd(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function emptyToNull(cell: string): string | null {
  return cell === '' ? null : cell;
}
