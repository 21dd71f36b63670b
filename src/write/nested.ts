import type { Value } from '../database.ts';
import type { Table } from '../report/table.ts';
import { formatRow } from './value.ts';

/** Formats a table's rows as JSON objects, each with the rows nested in it under their report's name. */
export function rowFormatter(table: Table): (row: readonly Value[]) => string {
  const { nested, columns, meta } = table;
  if (!nested) return (row) => formatRow(columns, row, meta);
  const inner = nested.columns.findIndex(({ name }) => name === nested.by);
  const outer = columns.findIndex(({ name }) => name === nested.by);
  const groups = new Map<Value | undefined, (readonly Value[])[]>();
  for (const row of nested.rows) groups.set(row[inner], [...(groups.get(row[inner]) ?? []), row]);
  return (row) => {
    const rows = (groups.get(row[outer]) ?? []).map((item) => formatRow(nested.columns, item, meta));
    const open = formatRow(columns, row, meta).slice(0, -1);
    return `${open},${JSON.stringify(nested.name)}:[${rows.join(',')}]}`;
  };
}
