import { useState } from 'preact/hooks';
import { type Failure, type Row, readFile, textOf } from './api.ts';
import type { Column } from './catalogue.ts';
import type { Order } from './sorting.tsx';

interface TableToolsProps {
  /** The path of the report whose rows the table shows. */
  readonly path: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly order: Order | undefined;
}

/** Buttons that copy a table, or save exactly its columns and rows as a file. */
export function TableTools({ path, columns, rows, order }: TableToolsProps) {
  const [word, say] = useState('');
  const copy = () => {
    const lines = [
      columns.map(({ label }) => label),
      ...rows.map((row) => columns.map(({ name }) => cellOf(row, name))),
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
      {['csv', 'xlsx'].map((format) => (
        <button type="button" onClick={() => save(format)}>
          {format.toUpperCase()}
        </button>
      ))}
    </p>
  );
}

/** Returns a cell's text without what would begin another cell. */
function cellOf(row: Row, column: string): string {
  return (textOf(row, column) ?? '').replaceAll(/[\t\r\n]/g, ' ');
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

async function saveFile(path: string): Promise<void> {
  const { blob, name } = await readFile(path);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
