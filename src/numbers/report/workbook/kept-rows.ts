import type { Value } from '../../../base/database/index.ts';
import { inPieces, mapInTurns } from '../../../base/index.ts';
import type { Column, Table } from '../catalogue/table.ts';
import { namePeriod } from '../plan/period-columns.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { nameSubtotals, nameUnknown } from '../run/unknown-ids.ts';
import { orderRows } from './row-order.ts';

/** The rows of a table that sums, which are in memory anyway, as its sheet shows them. */
export interface KeptTable {
  readonly table: Table;
  readonly rows: readonly (readonly Value[])[];
}

/** Fiscal periods that have a name rather than a first day. */
const NAMED = ['quarter', 'year'] as const;

/**
 * Reads the rows of a table: by size, with names for unknown ids and for fiscal periods.
 * @param needed A measure without which a row is left out.
 * @param rankOf The rank of a row by its id, before its size.
 */
export async function keepRows(
  { company }: ReportContext,
  query: Query,
  whole: Table,
  { needed, rankOf }: { readonly needed?: string | undefined; readonly rankOf?: (id: string) => number } = {},
): Promise<KeptTable> {
  const read: (readonly Value[])[] = [];
  for await (const chunk of whole.rows) read.push(...chunk);
  const { table, rows: chosen } = needed === undefined ? { table: whole, rows: read } : chooseRows(whole, read, needed);
  const ordered = await orderRows(query, table.columns, chosen, rankOf);
  const named = await nameUnknown(query, table.columns, ordered);
  const periods = NAMED.flatMap((period) => {
    const place = table.columns.findIndex(({ name, unit }) => name === period && unit === 'date');
    return place < 0 ? [] : [{ period, place }];
  });
  const rows =
    periods.length === 0
      ? named
      : await mapInTurns(named, (row) => nameFiscal(row, periods, company.fiscalYearStartsIn));
  const columns = table.columns.map((column, place) =>
    periods.some((each) => each.place === place) ? fiscalColumn(column) : column,
  );
  return { table: { ...table, columns, rows: inPieces(rows), ...nameSubtotals(query, table) }, rows };
}

/** Keeps the rows with a measure, and the columns of numbers in which no other row has a part, so that rows add up. */
function chooseRows(table: Table, rows: readonly (readonly Value[])[], needed: string) {
  const place = table.columns.findIndex(({ name }) => name === needed);
  const hasNumber = (row: readonly Value[], at: number) => /[1-9]/.test(String(row[at] ?? ''));
  const left = rows.filter((row) => !hasNumber(row, place));
  const places = table.columns.flatMap(({ unit }, at) =>
    isNumber(unit) && left.some((row) => hasNumber(row, at)) ? [] : [at],
  );
  const pick = <Item>(items: readonly Item[]): Item[] => places.map((at) => items[at] as Item);
  return {
    table: { ...table, columns: pick(table.columns), totals: table.totals && pick(table.totals) },
    rows: rows.filter((row) => hasNumber(row, place)).map((row) => pick(row)),
  };
}

/** Tests for the unit of a sum or of a percentage, which a key never has. */
function isNumber(unit: Column['unit']): boolean {
  return ['hours', 'money', 'percent', 'rate', 'index', 'budget'].includes(unit);
}

function nameFiscal(
  row: readonly Value[],
  periods: readonly { readonly period: (typeof NAMED)[number]; readonly place: number }[],
  fiscalYearStartsIn: number,
): readonly Value[] {
  const named = [...row];
  for (const { period, place } of periods) {
    const start = row[place] ?? null;
    if (start !== null) named[place] = namePeriod({ period, start: String(start) }, fiscalYearStartsIn);
  }
  return named;
}

function fiscalColumn(column: Column): Column {
  return { ...column, unit: 'text', description: `The name of the fiscal ${column.name}.` };
}
