import type { Value } from '../database/database.ts';
import { AppError } from '../error.ts';
import type { Column, Table } from '../report/catalogue/table.ts';
import { type DecimalStyle, objectFormatter } from './value-text.ts';

/**
 * Refuses a table with nested rows or subtotals, which a format of plain rows has no place for.
 * @throws AppError usage if it has any.
 */
export function refuseInnerRows(table: Table, format: string): void {
  refuseSubtotals(table, format);
  refuseInsights(table, format);
  refuseCauses(table, format);
  const { nested, name } = table;
  if (!nested) return;
  const message = `${format} has no rows inside rows, so it can't hold the ${nested.name} of ${name}`;
  throw new AppError('usage', message, {
    fields: [{ field: 'expand', message }],
    hint: `Ask for the report ${nested.name} as ${format}, or for this one as json or ndjson.`,
  });
}

/**
 * Refuses a table with subtotals: a reader of rows alone would lose them, or count the rows twice.
 * @throws AppError usage if it has any.
 */
export function refuseSubtotals({ subtotals }: Pick<Table, 'subtotals'>, format: string): void {
  if (!subtotals) return;
  const message = `${format} has rows alone, so it can't hold subtotals: the sum of its rows would count them twice`;
  throw new AppError('usage', message, {
    fields: [{ field: 'subtotals', message }],
    hint: `Leave subtotals out for ${format}, or ask for json, xlsx, or a table on a terminal.`,
  });
}

/** @throws AppError usage for a table with sentences about its rows, each of which has numbers of its own. */
function refuseInsights({ insightsOf }: Table, format: string): void {
  if (!insightsOf) return;
  const message = `${format} has rows of plain values, so it can't hold the sentences about them`;
  throw new AppError('usage', message, {
    fields: [{ field: 'insights', message }],
    hint: `Leave insights out for ${format}, or ask for json, ndjson, or a table on a terminal.`,
  });
}

/** @throws AppError usage for a table with the causes of its findings, which stand beside the rows. */
export function refuseCauses({ meta: { causes } }: Table, format: string): void {
  if (!causes) return;
  const message = `${format} has rows alone, so it can't hold the causes of the findings`;
  throw new AppError('usage', message, {
    fields: [{ field: 'causes', message }],
    hint: `Leave causes out for ${format}, or ask for json, or a table on a terminal. A workbook has them on a sheet.`,
  });
}

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
