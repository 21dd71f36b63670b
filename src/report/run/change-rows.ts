import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import type { Measure } from '../catalogue/catalogue.ts';
import { CAUSES, type ChangeCause } from '../catalogue/change-causes.ts';
import type { Column } from '../catalogue/table.ts';
import type { Order, Query } from '../request/query.ts';
import type { Sums } from './read-sums.ts';
import { formatSum, sumUnits } from './row-ties.ts';

/** A measure of a row then and now. Values are decimals as text. */
export interface MeasureChange {
  readonly measure: Measure;
  readonly unit: string;
  readonly then: Value;
  readonly now: Value;
  /** Null if one of the values is. */
  readonly difference: Value;
  /** The known sum now less that then, in ten-thousandths. */
  readonly known: bigint;
  /** In ten-thousandths; undefined for a measure that has no causes. */
  readonly causes: Readonly<Record<ChangeCause, bigint>> | undefined;
}

/** A row of both states, or the totals. */
export interface ChangeRow {
  /** The names of the row, by column. */
  readonly names: Readonly<Record<string, Value>>;
  readonly changes: readonly MeasureChange[];
}

/** The sums as of both states, and those of the present one with the cutoff of the other. */
export interface ComparedSums {
  readonly then: Sums;
  readonly now: Sums;
  readonly nowAtThen: Sums;
}

/** The change that a cause makes to each measure of a row, with the names of the row and `cause`, by column. */
export type StepRow = Readonly<Record<string, Value>>;

/** Returns whether the difference of a measure has causes: it is a sum of lines. */
export function hasCauses({ sum }: Measure): boolean {
  return sum !== undefined;
}

type ValueOf = 'then' | 'now' | 'nowAtThen';

interface Gathered {
  readonly names: Record<string, Value>;
  readonly values: Partial<Record<ValueOf, (column: string) => Value>>;
  readonly steps: StepRow[];
}

/** Puts the rows of both states and their steps together by the keys of their dimensions. */
export function gatherRows(
  query: Query,
  sums: ComparedSums,
  steps: readonly StepRow[],
  named: readonly Column[],
): ChangeRow[] {
  const { dimensions, measures } = query.grouping;
  const keyOf = (value: (column: string) => Value) => JSON.stringify(dimensions.map(({ key }) => value(key)));
  const rows = new Map<string, Gathered>();
  const find = (value: (column: string) => Value): Gathered => {
    const key = keyOf(value);
    const found = rows.get(key) ?? { names: {}, values: {}, steps: [] };
    rows.set(key, found);
    for (const { name } of named) found.names[name] ??= value(name);
    return found;
  };
  // Rows have the names that they have now; those that are gone, the names that they had.
  for (const part of ['now', 'nowAtThen', 'then'] as const)
    for (const row of sums[part].rows) {
      const value = reader(sums[part].columns, row);
      find(value).values[part] = value;
    }
  for (const step of steps) find((column) => step[column] ?? null).steps.push(step);
  return sortRows(named, [...rows.values()]).map(({ names, values, steps: own }) => ({
    names,
    changes: measures.map((measure) => compareMeasure(measure, (part) => values[part], own)),
  }));
}

/** Returns the changes of the totals. */
export function gatherTotals(query: Query, sums: ComparedSums, steps: readonly StepRow[]): MeasureChange[] {
  const valueIn = (part: ValueOf) => reader(sums[part].columns, sums[part].totals);
  return query.grouping.measures.map((measure) => compareMeasure(measure, valueIn, steps));
}

function reader(columns: readonly Column[], row: readonly Value[]) {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return (column: string): Value => row[places.get(column) ?? -1] ?? null;
}

function compareMeasure(
  measure: Measure,
  valueIn: (part: ValueOf) => ((column: string) => Value) | undefined,
  steps: readonly StepRow[],
): MeasureChange {
  const [then, now, nowAtThen] = (['then', 'now', 'nowAtThen'] as const).map((part) => {
    const value = valueIn(part);
    return value ? value(measure.name) : emptyValue(measure);
  }) as [Value, Value, Value];
  const unit = measure.budget ? unitOfBudget(valueIn) : measure.unit;
  const difference = then === null || now === null ? null : subtract(now, then);
  if (!hasCauses(measure)) return { measure, unit, then, now, difference, known: 0n, causes: undefined };
  const causes = Object.fromEntries(CAUSES.map((cause) => [cause, 0n])) as Record<ChangeCause, bigint>;
  for (const step of steps) causes[step['cause'] as ChangeCause] += sumUnits(step[measure.name] ?? null);
  causes.cutoff = sumUnits(now) - sumUnits(nowAtThen);
  return { measure, unit, then, now, difference, known: sumUnits(now) - sumUnits(then), causes };
}

/** Returns the value of a row that a state doesn't have: a sum over no lines, or no ratio. */
function emptyValue({ sum, people, person_days, effect }: Measure): Value {
  return sum || people || person_days || effect ? formatSum(0n) : null;
}

function unitOfBudget(valueIn: (part: ValueOf) => ((column: string) => Value) | undefined): string {
  const unit = valueIn('now')?.('budget_unit') ?? valueIn('then')?.('budget_unit') ?? null;
  return unit === null || unit === 'hours' ? 'hours' : 'money';
}

function subtract(now: Value, then: Value): string {
  const decimals = String(now).split('.')[1]?.length ?? 0;
  return new Exact(String(now)).minus(String(then)).toFixed(decimals);
}

/** Sorts rows by what names them, those without a value last. */
function sortRows(named: readonly Column[], rows: readonly Gathered[]): Gathered[] {
  const compare = (one: Gathered, other: Gathered, { name }: Column) =>
    compareValues(one.names[name] ?? null, other.names[name] ?? null);
  return rows.toSorted((one, other) => {
    const first = named.find((column) => compare(one, other, column) !== 0);
    return first ? compare(one, other, first) : 0;
  });
}

/** Sorts the rows of an answer as its reader asks, and otherwise leaves them in their order; values that are missing come last. */
export function sortAsAsked(
  rows: readonly (readonly Value[])[],
  columns: readonly Column[],
  sort: readonly Order[] = [],
): readonly (readonly Value[])[] {
  const places = sort.map(({ column, isDescending }) => ({
    place: columns.findIndex(({ name }) => name === column),
    isDescending,
  }));
  return rows.toSorted((one, other) => {
    for (const { place, isDescending } of places) {
      const [a, b] = [one[place] ?? null, other[place] ?? null];
      const order = compareValues(a, b, columns[place]?.unit === 'budget');
      if (order !== 0) return isDescending && a !== null && b !== null ? -order : order;
    }
    return 0;
  });
}

function compareValues(one: Value, other: Value, areDecimals = false): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  if (areDecimals) return new Exact(String(one)).comparedTo(String(other));
  return one < other ? -1 : 1;
}
