import type { Value } from '../database.ts';
import type { Column, Table } from '../report/table.ts';
import { formatRow } from './value.ts';

/** Finds the rows that are nested in a row. */
export function nestedFinder({ nested, columns }: Table): (row: readonly Value[]) => readonly (readonly Value[])[] {
  if (!nested) return () => [];
  const keyOf = (names: readonly Column[]) => {
    const indexes = nested.by.map((name) => names.findIndex((column) => column.name === name));
    return (row: readonly Value[]) => JSON.stringify(indexes.map((index) => row[index] ?? null));
  };
  const [outer, inner] = [keyOf(columns), keyOf(nested.columns)];
  const groups = new Map<string, (readonly Value[])[]>();
  for (const row of nested.rows) {
    const group = groups.get(inner(row));
    if (group) group.push(row);
    else groups.set(inner(row), [row]);
  }
  return (row) => groups.get(outer(row)) ?? [];
}

/** Formats a table's rows as JSON objects, each with the rows nested in it under their report's name. */
export function rowFormatter(table: Table): (row: readonly Value[]) => string {
  const { nested, columns, meta } = table;
  if (!nested) return (row) => formatRow(columns, row, meta);
  const find = nestedFinder(table);
  return (row) => {
    const rows = find(row).map((item) => formatRow(nested.columns, item, meta));
    const open = formatRow(columns, row, meta).slice(0, -1);
    return `${open},${JSON.stringify(nested.name)}:[${rows.join(',')}]}`;
  };
}
