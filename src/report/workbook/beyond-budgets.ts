import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import type { Column } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';

/**
 * Adds up the favorable variance of fees that is beyond a budget of money, and so may never be paid.
 * Undefined if the rows don't show budgets.
 */
export function feesBeyondBudgets(
  query: Query,
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
): string | undefined {
  const shown = ['budget_total', 'budget_used', 'budget_unit', 'variance_fees'];
  if (!hasEachBudgetOnce(query) || !shown.every((name) => columns.some((column) => column.name === name))) {
    return undefined;
  }
  const read = reader(columns);
  const beyond = rows.map((row) => {
    const [total, used, variance] = ['budget_total', 'budget_used', 'variance_fees'].map((name) => read(row, name));
    if (read(row, 'budget_unit') === 'hours' || !total || !used || !variance) return new Exact(0);
    return Exact.max(0, Exact.min(variance, new Exact(used).minus(total)));
  });
  return beyond.reduce((sum, each) => sum.plus(each), new Exact(0)).toFixed(4);
}

/** Rows by period repeat the budget of their project. */
function hasEachBudgetOnce({ selection: { report }, grouping: { interval } }: Query): boolean {
  return interval === undefined && (report.rows?.some((name) => ['project', 'phase', 'task'].includes(name)) ?? false);
}

function reader(columns: readonly Column[]): (row: readonly Value[], name: string) => string | undefined {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return (row, name) => {
    const value = row[places.get(name) ?? -1] ?? null;
    return value === null ? undefined : String(value);
  };
}
