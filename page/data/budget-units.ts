import { type Row, textOf } from './answer.ts';
import type { Column } from './catalogue.ts';

/*
 * Units of budgets and of earned value, which differ from row to row or are chosen by parameters.
 */

/** The parameters that choose how earned value is counted and judged. */
export const EARNED_PARAMETERS = ['earned_in', 'technique'] as const;

/** The texts that the server puts beside numbers of earned value. */
export const BESIDE_EARNED = ['technique', 'budget_source'] as const;

/** Returns whether a column is of earned value. */
export function isEarned({ group }: Column): boolean {
  return group === 'earned';
}

/** Returns a column of earned value in the unit that the parameters of an answer choose; any other column as it is. */
export function inEarnedUnit(
  column: Column,
  { earned_in: earnedIn, technique }: Readonly<Record<string, unknown>>,
): Column {
  if (!isEarned(column) || column.unit !== 'budget') return column;
  const isWork = column.name.startsWith('progress') && technique === 'remaining';
  return { ...column, unit: earnedIn === 'hours' || isWork ? 'hours' : 'money' };
}

/** Returns a column of budgets or retainers in the unit that all rows have in common, if they have one; any other column as it is. */
export function inBudgetUnit(column: Column, rows: readonly Row[]): Column {
  if (column.unit !== 'budget') return column;
  const beside = column.group === 'retainer' ? 'retainer_unit' : 'budget_unit';
  const [unit, ...others] = new Set(rows.flatMap((row) => textOf(row, beside) ?? []));
  if (unit === undefined || others.length > 0) return column;
  return { ...column, unit: unit === 'hours' ? 'hours' : 'money' };
}
