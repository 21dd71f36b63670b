import { useState } from 'preact/hooks';
import { BEFORE, type Row, textOf } from '../data/answer.ts';
import { type Failure, readFile } from '../data/api.ts';
import { type Column, isNumber } from '../data/catalogue.ts';
import { areCompared, changeOf } from './change.tsx';
import type { Order } from './sorting.tsx';

/** A file of a table: one that the server writes, or what is seen, as CSV. */
export interface TableFile {
  readonly format: string;
  /** The path of the server's file. Default: the texts that are seen. */
  readonly path?: string;
}

interface TableToolsProps {
  /** Returns the texts of the table as it is seen, by rows, the head first. */
  readonly seen: () => Texts;
  /** The name of a file of what is seen, without its ending. */
  readonly name?: string | undefined;
  readonly files: readonly TableFile[];
  /** Returns what the table tells as a text for a message. */
  readonly message?: (() => string) | undefined;
}

type Texts = readonly (readonly string[])[];

/** Buttons that copy a table as it is seen, or save it as a file. */
export function TableTools({ seen, name = 'table', files, message }: TableToolsProps) {
  const [word, say] = useState('');
  const copy = (text: string) => {
    navigator.clipboard?.writeText(text).then(
      () => say('Copied'),
      () => say('This browser allows no copy'),
    );
  };
  const save = ({ format, path }: TableFile) => {
    if (path === undefined) {
      saveBlob(new Blob([writeCsv(seen())], { type: 'text/csv' }), `${name}.${format}`);
      return say('Saved');
    }
    say('Reading');
    saveFile(path).then(
      () => say('Saved'),
      ({ message }: Failure) => say(message),
    );
  };
  return (
    <p class="tools">
      <span role="status">{word}</span>
      {message && (
        <button type="button" onClick={() => copy(message())}>
          Copy as text
        </button>
      )}
      <button type="button" onClick={() => copy(writeTabs(seen()))}>
        Copy
      </button>
      {files.map((file) => (
        <button type="button" onClick={() => save(file)}>
          {file.format.toUpperCase()}
        </button>
      ))}
    </p>
  );
}

/** Returns the texts of a table's rows under its head, with its totals below; of a comparison, the numbers before and their changes, too. */
export function textsOf(columns: readonly Column[], rows: readonly Row[], totals?: Row | null): Texts {
  const isCompared = areCompared([...rows, totals]);
  const headsOf = (column: Column) => (isCompared && isNumber(column) ? COMPARED_HEADS : ['']);
  const textsIn = (row: Row, column: Column) => [
    cellOf(row, column),
    ...(isCompared ? comparedCells(row, column) : []),
  ];
  const write = (row: Row) => columns.flatMap((column) => textsIn(row, column));
  const last = totals ? [['Total', ...write(totals).slice(1)]] : [];
  const heads = columns.flatMap((column) => headsOf(column).map((each) => `${column.label}${each}`));
  return [heads, ...rows.map(write), ...last];
}

/** The ends of the labels of a column, of its numbers before, and of their changes. */
const COMPARED_HEADS = ['', ', before', ', change'];

function comparedCells(row: Row, column: Column): readonly string[] {
  if (!isNumber(column)) return [];
  return [textOf(row[BEFORE], column.name) ?? '', changeOf(row, column)?.difference ?? ''];
}

/** Returns a cell's text as a spreadsheet takes it: never as a formula. */
function cellOf(row: Row, column: Column): string {
  const text = textOf(row, column.name) ?? '';
  return isNumber(column) ? text : guardText(text);
}

/** Returns a text that a spreadsheet doesn't take for a formula. */
export function guardText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Returns rows as a spreadsheet takes them from the clipboard. */
function writeTabs(texts: Texts): string {
  return texts.map((cells) => cells.map((cell) => cell.replaceAll(/[\t\r\n"]/g, ' ')).join('\t')).join('\n');
}

function writeCsv(texts: Texts): string {
  const write = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return texts.map((cells) => `${cells.map(write).join(',')}\r\n`).join('');
}

/** Returns the files of a report whose rows a table shows, all of them, with its columns in its order. */
export function filesOf(path: string, columns: readonly Column[], order: Order | undefined): readonly TableFile[] {
  const [report = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  // A workbook has all lines of a window, so it can't have those behind one number.
  const formats = parameters.has('measure') ? ['csv'] : ['csv', 'xlsx'];
  for (const name of ['links', 'decimals', 'insights', 'limit', 'cursor']) parameters.delete(name);
  parameters.set('fields', columns.map(({ name }) => name).join(','));
  if (order) parameters.set('sort', `${order.isDescending ? '-' : ''}${order.column}`);
  return formats.map((format) => ({ format, path: `${report}.${format}?${parameters}` }));
}

/** Reads a file from the server, and lets the browser save it. */
export async function saveFile(path: string): Promise<void> {
  const { blob, name } = await readFile(path);
  saveBlob(blob, name);
}

function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
