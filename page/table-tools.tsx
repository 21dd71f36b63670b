import { useState } from 'preact/hooks';
import { type Failure, type Row, readFile, textOf } from './api.ts';
import { type Column, isNumber } from './catalogue.ts';
import type { Order } from './sorting.tsx';

interface TableToolsProps {
  /** The path of the report whose rows the table shows. */
  readonly path: string;
  /** True if the rows are only some of the report's, so that no file of the server has exactly them. */
  readonly isSelected?: boolean;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly order: Order | undefined;
}

/** Buttons that copy a table, or save exactly its columns and rows as a file. */
export function TableTools({ path, isSelected = false, columns, rows, order }: TableToolsProps) {
  const [word, say] = useState('');
  const copy = () => {
    const lines = [
      columns.map(({ label }) => label),
      ...rows.map((row) => columns.map((column) => cellOf(row, column))),
    ];
    const text = lines.map((cells) => cells.join('\t')).join('\n');
    navigator.clipboard?.writeText(text).then(
      () => say('Copied'),
      () => say('This browser allows no copy'),
    );
  };
  const save = (format: string) => {
    say('Reading');
    saveFile(pathOfFile(path, format, columns, order)).then(
      () => say('Saved'),
      ({ message }: Failure) => say(message),
    );
  };
  return (
    <p class="tools">
      <span role="status">{word}</span>
      <button type="button" onClick={copy}>
        Copy
      </button>
      {(isSelected ? [] : formatsOf(path)).map((format) => (
        <button type="button" onClick={() => save(format)}>
          {format.toUpperCase()}
        </button>
      ))}
    </p>
  );
}

/** Returns the formats of files. A workbook has all lines of a window, so it can't have those behind one number. */
function formatsOf(path: string): readonly string[] {
  return new URLSearchParams(path.slice(path.indexOf('?') + 1)).has('measure') ? ['csv'] : ['csv', 'xlsx'];
}

/** Returns a cell's text as a spreadsheet takes it: without what would begin another cell, and never as a formula. */
function cellOf(row: Row, column: Column): string {
  const text = (textOf(row, column.name) ?? '').replaceAll(/[\t\r\n"]/g, ' ');
  return !isNumber(column) && /^[=+\-@]/.test(text) ? `'${text}` : text;
}

/** Returns the path of a table in another format, with its columns in its order. */
function pathOfFile(path: string, format: string, columns: readonly Column[], order: Order | undefined): string {
  const [report = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const name of ['links', 'decimals', 'insights', 'limit', 'cursor']) parameters.delete(name);
  parameters.set('fields', columns.map(({ name }) => name).join(','));
  if (order) parameters.set('sort', `${order.isDescending ? '-' : ''}${order.column}`);
  return `${report}.${format}?${parameters}`;
}

/** Reads a file from the server, and lets the browser save it. */
export async function saveFile(path: string): Promise<void> {
  const { blob, name } = await readFile(path);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
