import type { Value } from '../../database/database.ts';
import { Exact, FEWEST_SUM_DECIMALS, formatSum, trimZeros } from '../../exact-decimal.ts';
import { mapInTurns } from '../../pace.ts';
import { CAUSES, type ChangeCause } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { operandsOf } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { isOfAgreedFees } from '../compare/fee-points.ts';
import { changesBy, isOfLines, isOfLives } from '../kinds/kinds.ts';
import type { Query } from '../request/query.ts';
import type { BudgetCauses, CauseSums } from './budget-causes.ts';
import { sortRows } from './change-order.ts';
import type { ReportContext } from './context.ts';
import { type Sums, tooManyRows } from './read-sums.ts';
import { sumUnits } from './row-ties.ts';

/** A measure of a row then and now. Values are decimals as text. */
export interface MeasureChange {
  readonly measure: Measure;
  readonly unit: string;
  readonly then: Value;
  readonly now: Value;
  /** Null if one of the values is. */
  readonly difference: Value;
  /** The known sum now less that then, in millionths. */
  readonly known: bigint;
  /** In millionths; undefined for a measure that has no causes, and for budgets in several units. */
  readonly causes: Readonly<CauseSums> | undefined;
}

/** A row of both states, or the totals. */
export interface ChangeRow {
  /** The values of the keys of the dimensions. */
  readonly keys: readonly Value[];
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

/** The effects of the steps of lines on rows, and on the totals. */
export interface Steps {
  readonly rows: readonly StepRow[];
  readonly totals: readonly StepRow[];
  /** The columns that name a row. */
  readonly named: readonly Column[];
  /** Undefined without a measure of budgets. */
  readonly budgets: BudgetCauses | undefined;
}

type ValueOf = 'then' | 'now' | 'nowAtThen';

interface Gathered {
  /** The values of the keys of the dimensions. */
  readonly keys: readonly Value[];
  readonly names: Record<string, Value>;
  readonly values: Partial<Record<ValueOf, (column: string) => Value>>;
  readonly steps: StepRow[];
}

/**
 * Puts the rows of both states and their steps together by the keys of their dimensions.
 * @throws AppError limit for too many rows, before their measures are compared.
 */
export async function gatherRows(
  { database, maxRows }: Pick<ReportContext, 'database' | 'maxRows'>,
  query: Query,
  sums: ComparedSums,
  { rows: steps, named, budgets }: Steps,
): Promise<ChangeRow[]> {
  const { dimensions, measures } = query.grouping;
  const keysOf = (value: (column: string) => Value) => dimensions.map(({ key }) => value(key));
  const rows = new Map<string, Gathered>();
  const find = (value: (column: string) => Value): Gathered => {
    const keys = keysOf(value);
    const key = JSON.stringify(keys);
    const found = rows.get(key) ?? { keys, names: {}, values: {}, steps: [] };
    rows.set(key, found);
    for (const { name } of named) found.names[name] ??= value(name);
    return found;
  };
  // Rows have the names that they have now; those that are gone, the names that they had.
  for (const part of ['now', 'nowAtThen', 'then'] as const) {
    const read = readerOf(sums[part].columns);
    await mapInTurns(sums[part].rows, (row) => {
      const value = read(row);
      find(value).values[part] = value;
    });
  }
  await mapInTurns(steps, (step) => find((column) => step[column] ?? null).steps.push(step));
  assertFewChanges(query, rows.size, maxRows);
  const sorted = await sortRows(database, named, [...rows.values()]);
  return mapInTurns(sorted, ({ keys, names, values, steps: own }) => ({
    keys,
    names,
    changes: measures.map((measure) => {
      const causes = budgets?.ofRow(keys, measure) ?? sumSteps(measure, own);
      return compareMeasure(measure, (part) => values[part], causes);
    }),
  }));
}

/** @throws AppError limit for more rows than the reader may have, one for each measure. */
export function assertFewChanges(query: Query, rows: number, maxRows = Number.POSITIVE_INFINITY): void {
  if (rows * query.grouping.measures.length > maxRows) throw tooManyRows(query, maxRows);
}

/** Returns the changes of the totals. */
export function gatherTotals(query: Query, sums: ComparedSums, { totals, budgets }: Steps): MeasureChange[] {
  const valueIn = (part: ValueOf) => readerOf(sums[part].columns)(sums[part].totals);
  return query.grouping.measures.map((measure) => {
    const causes = budgets?.ofTotals(measure) ?? sumSteps(measure, totals);
    return compareMeasure(measure, valueIn, causes);
  });
}

/** Returns a function that reads the values of a row by column. */
function readerOf(columns: readonly Column[]): (row: readonly Value[]) => (column: string) => Value {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return (row) => (column) => row[places.get(column) ?? -1] ?? null;
}

/** Sums the steps of a row; undefined for a measure that is no sum of lines. */
function sumSteps(measure: Measure, steps: readonly StepRow[]): CauseSums | undefined {
  if (!isOfLines(measure)) return undefined;
  const causes = Object.fromEntries(CAUSES.map((cause) => [cause, 0n])) as CauseSums;
  for (const step of steps) causes[step['cause'] as ChangeCause] += sumUnits(step[measure.name] ?? null);
  return causes;
}

/**
 * Compares the values of a measure in both states.
 * @param causes Those with the cutoff of the earlier state, if the measure has any.
 */
function compareMeasure(
  measure: Measure,
  valueIn: (part: ValueOf) => ((column: string) => Value) | undefined,
  causes: CauseSums | undefined,
): MeasureChange {
  const [then, now, nowAtThen] = (['then', 'now', 'nowAtThen'] as const).map((part) => {
    const value = valueIn(part);
    return value ? value(measure.name) : emptyValue(measure);
  }) as [Value, Value, Value];
  const units = (['now', 'then'] as const).map((part) => valueIn(part)?.('budget_unit') ?? null);
  const isOfBudgets = changesBy(measure) === 'budgets';
  const unit = isOfBudgets ? unitOfBudget(units) : measure.unit;
  const isOfTwoUnits = isOfBudgets && new Set(units).size > 1;
  const difference = then === null || now === null || isOfTwoUnits ? null : subtract(now, then);
  const shared = { measure, unit, then, now, difference };
  if (!causes) return { ...shared, known: 0n, causes };
  const cutoff = isOfAgreedFees(measure) ? causes.cutoff : sumUnits(now) - sumUnits(nowAtThen);
  return { ...shared, known: sumUnits(now) - sumUnits(then), causes: { ...causes, cutoff } };
}

/** Returns the value of a row that a state doesn't have: a sum over no lines, or no ratio. */
function emptyValue(measure: Measure): Value {
  return operandsOf(measure).length === 0 && !isOfLives(measure) ? formatSum(0n) : null;
}

function unitOfBudget(units: readonly Value[]): string {
  const unit = units.find((each) => each !== null) ?? 'hours';
  return unit === 'hours' ? 'hours' : 'money';
}

function subtract(now: Value, then: Value): string {
  const decimals = Math.max(...[now, then].map((each) => String(each).split('.')[1]?.length ?? 0));
  const difference = new Exact(String(now)).minus(String(then)).toFixed(decimals);
  return trimZeros(difference, Math.min(decimals, FEWEST_SUM_DECIMALS));
}
