import type { Value } from '../../base/database/index.ts';
import type { Column, Table } from '../report/catalogue/table.ts';
import { type DecimalStyle, objectFormatter } from './value-text.ts';

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

/** Returns a function that formats a row as JSON, with what is said about it, and its nested rows under their report's name. */
export function rowFormatter(table: Table, decimals?: DecimalStyle): (row: readonly Value[]) => string {
  const { nested, columns, meta } = table;
  const formatRow = toldFormatter(table, objectFormatter(columns, meta, decimals));
  if (!nested) return formatRow;
  const formatItem = objectFormatter(nested.columns, meta, decimals);
  const find = nestedFinder(table);
  return (row) => {
    const rows = find(row).map(formatItem);
    const open = formatRow(row).slice(0, -1);
    return `${open},${JSON.stringify(nested.name)}:[${rows.join(',')}]}`;
  };
}

/** Adds what is said about a row to its JSON, if that was asked for. */
function toldFormatter({ insightsOf }: Table, format: (row: readonly Value[]) => string) {
  if (!insightsOf) return format;
  return (row: readonly Value[]) => {
    const { insights, status } = insightsOf(row);
    return `${format(row).slice(0, -1)},"_insights":${JSON.stringify(insights)},"_status":${JSON.stringify(status)}}`;
  };
}
