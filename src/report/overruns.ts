import { Decimal } from 'decimal.js';
import type { Value } from '../database/database.ts';
import type { Query } from './query.ts';
import type { Column } from './table.ts';

/** The most overruns in the words of a workbook. */
const MAX_OVERRUNS = 5;

/** A row that took more than was scheduled to date. */
export interface Overrun {
  readonly label: string;
  /** The position of the row in its table, from 0. */
  readonly index: number;
  /** Actual less scheduled to date; null if unknown, or if the reader doesn't see it. */
  readonly hours: string | null;
  readonly percent: string | null;
  readonly cost: string | null;
}

/** Returns the rows with the largest overruns: by cost, and by hours where no cost is known. */
export function largestOverruns(
  query: Query,
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
): Overrun[] {
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name);
  const [hours, percent, cost] = ['variance_hours', 'variance_hours_percent', 'variance_cost'].map(placeOf);
  const names = namingColumns(query).map(placeOf);
  const valueAt = (row: readonly Value[], place = -1) => {
    const value = row[place] ?? null;
    return value === null ? null : String(value);
  };
  const number = (value: string | null) => new Decimal(value ?? 0);
  return rows
    .map((row, index) => ({
      label: names.flatMap((place) => valueAt(row, place) ?? []).join(', ') || `${columns[0]?.label} ${row[0] ?? ''}`,
      index,
      hours: valueAt(row, hours),
      percent: valueAt(row, percent),
      cost: valueAt(row, cost),
    }))
    .filter((row) => number(row.cost ?? row.hours).isPositive() && !number(row.cost ?? row.hours).isZero())
    .sort((a, b) => number(b.cost).comparedTo(number(a.cost)) || number(b.hours).comparedTo(number(a.hours)))
    .slice(0, MAX_OVERRUNS);
}

/** Returns the columns that name a row: those called like their dimension, and the period. */
function namingColumns({ report, dimensions, interval }: Query): string[] {
  const shown = report.columns
    ? Object.entries(report.columns)
    : dimensions.flatMap(({ name, shown }) => shown.map((column) => [column, `${name}.${column}`] as const));
  const named = shown.flatMap(([column, target]) => {
    const [dimension, attribute] = target.split('.');
    return dimension === attribute ? [column] : [];
  });
  return interval ? [...named, 'period_start'] : named;
}
