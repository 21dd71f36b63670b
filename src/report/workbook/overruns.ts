import { Decimal } from 'decimal.js';
import type { Value } from '../../database/database.ts';
import type { Column } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';

/** The most overruns in the words of a workbook, and the most rows without a plan to date. */
const MAX_OVERRUNS = 5;

/** The plan that a row's work is compared with. */
type Plan = 'to date' | 'later' | 'tentative' | 'none';

/** A row that took more than was scheduled to date, if anything was. */
export interface Overrun {
  readonly label: string;
  /** The position of the row in its table, from 0. */
  readonly index: number;
  /** Actual less scheduled to date; null if unknown, or if the reader doesn't see it. */
  readonly hours: string | null;
  readonly percent: string | null;
  readonly cost: string | null;
  readonly plan: Plan;
}

/** The rows that took more than was scheduled to date. */
export interface Overruns {
  /** Those with a plan to date. */
  readonly planned: readonly Overrun[];
  /** Those without one: all of their work is a variance, but there is nothing that it could exceed. */
  readonly unplanned: readonly Overrun[];
}

/** Returns the rows with the largest overruns, and the largest without a plan to date: by cost, and by hours where no cost is known. */
export function largestOverruns(
  query: Query,
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
): Overruns {
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name);
  const [hours, percent, cost] = ['variance_hours', 'variance_hours_percent', 'variance_cost'].map(placeOf);
  const plans = ['scheduled_to_date_hours', 'scheduled_hours', 'tentative_hours'].map(placeOf);
  const names = namingColumns(query)
    .map(placeOf)
    .filter((place) => place >= 0);
  const valueAt = (row: readonly Value[], place = -1) => {
    const value = row[place] ?? null;
    return value === null ? null : String(value);
  };
  const number = (value: string | null) => new Decimal(value ?? 0);
  const labelOf = (row: readonly Value[]) => {
    const found = names.map((place) => valueAt(row, place));
    const ofId = `${columns[0]?.label} ${row[0] ?? ''}`;
    const isUnknown = found.length > 0 && found.every((name) => name === null);
    return isUnknown ? `${ofId} (no record)` : found.filter(Boolean).join(', ') || ofId;
  };
  const planOf = (row: readonly Value[]): Plan => {
    const [toDate, scheduled, tentative] = plans.map((place) => valueAt(row, place));
    // Without the column of the plan, nothing shows that there was none.
    if (toDate === null || !number(toDate ?? null).isZero()) return 'to date';
    if (!number(scheduled ?? null).isZero()) return 'later';
    return number(tentative ?? null).isZero() ? 'none' : 'tentative';
  };
  const largest = rows
    .map((row, index) => ({
      label: labelOf(row),
      index,
      hours: valueAt(row, hours),
      percent: valueAt(row, percent),
      cost: valueAt(row, cost),
      plan: planOf(row),
    }))
    .filter((row) => number(row.cost ?? row.hours).isPositive() && !number(row.cost ?? row.hours).isZero())
    .sort((a, b) => number(b.cost).comparedTo(number(a.cost)) || number(b.hours).comparedTo(number(a.hours)));
  return {
    planned: largest.filter(({ plan }) => plan === 'to date').slice(0, MAX_OVERRUNS),
    unplanned: largest.filter(({ plan }) => plan !== 'to date').slice(0, MAX_OVERRUNS),
  };
}

/** Returns the columns that name a row: those called like their dimension, and the period. */
function namingColumns({ selection: { report }, grouping: { dimensions, interval } }: Query): string[] {
  const shown = report.columns
    ? Object.entries(report.columns)
    : dimensions.flatMap(({ name, shown }) => shown.map((column) => [column, `${name}.${column}`] as const));
  const named = shown.flatMap(([column, target]) => {
    const [dimension, attribute] = target.split('.');
    return dimension === attribute ? [column] : [];
  });
  return interval ? [...named, 'period_start'] : named;
}
