import type { Value } from '../../../base/database/index.ts';
import { Exact, FEWEST_SUM_DECIMALS, formatSum, mapInTurns, trimZeros } from '../../../base/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines, operandsOf } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { isOfAgreedFees } from '../compare/fee-points.ts';
import { budgetPartOf, isOfLives } from '../kinds/kinds.ts';
import { maySeeInPart } from '../plan/outside.ts';
import type { Query, Selection } from '../request/query.ts';
import type { BudgetCauses, CauseSums } from './budget-causes.ts';
import { sortRows } from './change-order.ts';
import type { ReportContext } from './context.ts';
import { type Sums, tooManyRows } from './prepare-sums.ts';
import { sumUnits } from './row-ties.ts';

/** A measure of a row then and now. Values are decimals as text. */
export interface MeasureChange {
  readonly unit: string;
  readonly then: Value;
  readonly now: Value;
  /** False for budgets in another unit then than now, which have no difference. */
  readonly isOfOneUnit: boolean;
  /** The known sum now less that then, in millionths. */
  readonly known: bigint;
  /** In millionths, 0 for those left out; undefined for a measure that has none, for budgets in several units, and for blanks (L2). */
  readonly causes: Partial<Readonly<CauseSums>> | undefined;
}

/** A row of both states, or the totals. */
export interface ChangeRow {
  /** The values of the keys of the dimensions. */
  readonly keys: readonly Value[];
  readonly names: Readonly<Record<string, Value>>;
  /** Computes the change of a measure each time: those of a large answer would take a hundred MiB. */
  changeOf(measure: Measure): MeasureChange;
}

/** The sums as of both states, and those of the present one with the cutoff of the other. */
export interface ComparedSums {
  readonly then: Sums;
  readonly now: Sums;
  readonly nowAtThen: Sums;
}

/** The change that a cause makes to each of some measures of a row, or of the totals. */
interface StepEffects {
  readonly cause: string;
  readonly measures: readonly Measure[];
  /** In the order of the measures. */
  readonly effects: readonly Value[];
}

/** A step, and the values that name its row, in the order of its columns; undefined for the totals. */
export interface RowEffects {
  readonly named: readonly Value[] | undefined;
  readonly step: StepEffects;
}

/** The effects of the steps of lines on rows, and on the totals. */
export interface Steps {
  readonly pieces: AsyncIterable<readonly RowEffects[]>;
  /** The columns that name a row. */
  readonly named: readonly Column[];
  /** Undefined without a measure of budgets. */
  readonly budgets: BudgetCauses | undefined;
}

/** Rows have the names that they have now; those that are gone, the names that they had. */
const PARTS = ['now', 'nowAtThen', 'then'] as const;

type ValueOf = (typeof PARTS)[number];

/** A row as it was read. */
interface Gathered {
  /** The values of the keys of the dimensions. */
  readonly keys: readonly Value[];
  readonly names: Record<string, Value>;
  readonly values: Partial<Record<ValueOf, readonly Value[]>>;
  readonly steps: StepEffects[];
}

/**
 * Puts the rows of both states and their steps together by the keys of their dimensions.
 * @throws AppError limit for too many rows, before their measures are compared.
 */
export async function gatherRows(
  { database, maxRows }: Pick<ReportContext, 'database' | 'maxRows'>,
  query: Query,
  sums: ComparedSums,
  { pieces, named, budgets }: Steps,
): Promise<{ rows: readonly ChangeRow[]; totals: ChangeRow }> {
  const { dimensions } = query.grouping;
  const readers = eachPart(sums, ({ columns }) => readerOf(columns));
  const gathered = new Map<string, Gathered>();
  const find = (value: ReadColumn): Gathered => {
    const keys = dimensions.map(({ key }) => value(key));
    const key = JSON.stringify(keys);
    const found = gathered.get(key) ?? { keys, names: {}, values: {}, steps: [] };
    gathered.set(key, found);
    for (const { name } of named) found.names[name] ??= value(name);
    return found;
  };
  for (const part of PARTS) {
    await mapInTurns(sums[part].rows, (row) => {
      find(readers[part](row)).values[part] = row;
    });
  }
  const all: Gathered = { keys: [], names: {}, values: eachPart(sums, ({ totals }) => totals), steps: [] };
  const readNamed = readerOf(named);
  for await (const steps of pieces)
    for (const { named: values, step } of steps) (values ? find(readNamed(values)) : all).steps.push(step);
  assertFewChanges(query, gathered.size, maxRows);
  const { selection } = query;
  const totals = makeRow(selection, all, readers, (measure) => budgets?.ofTotals(measure));
  if (dimensions.length === 0) return { rows: [totals], totals };
  const sorted = await sortRows(database, named, [...gathered.values()]);
  const makeOwn = (row: Gathered) => makeRow(selection, row, readers, (measure) => budgets?.ofRow(row.keys, measure));
  return { rows: await mapInTurns(sorted, makeOwn), totals };
}

function makeRow(
  selection: Selection,
  { keys, names, values, steps }: Gathered,
  readers: Readonly<Record<ValueOf, SumsReader>>,
  budgetCausesOf: (measure: Measure) => CauseSums | undefined,
): ChangeRow {
  const valueIn = (part: ValueOf) => values[part] && readers[part](values[part]);
  return {
    keys,
    names,
    changeOf(measure) {
      const change = compareMeasure(measure, valueIn, budgetCausesOf(measure) ?? sumSteps(measure, steps));
      const isBlank = maySeeInPart(selection, measure) && (change.then === null || change.now === null);
      return isBlank ? { ...change, causes: undefined } : change;
    },
  };
}

function eachPart<Result>(sums: ComparedSums, read: (part: Sums) => Result): Record<ValueOf, Result> {
  return Object.fromEntries(PARTS.map((part) => [part, read(sums[part])])) as Record<ValueOf, Result>;
}

/** @throws AppError limit for more rows than the reader may have, one for each measure. */
export function assertFewChanges(query: Query, rows: number, maxRows = Number.POSITIVE_INFINITY): void {
  if (rows * query.grouping.measures.length > maxRows) throw tooManyRows(query, maxRows);
}

type ReadColumn = (column: string) => Value;

type SumsReader = (row: readonly Value[]) => ReadColumn;

/** Returns a function that reads the values of a row by column. */
function readerOf(columns: readonly Column[]): SumsReader {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return (row) => (column) => row[places.get(column) ?? -1] ?? null;
}

/** Sums the steps of a row; undefined for a measure that is no sum of lines. */
function sumSteps(measure: Measure, steps: readonly StepEffects[]): Partial<CauseSums> | undefined {
  if (!isOfLines(measure)) return undefined;
  const causes: Partial<CauseSums> = {};
  for (const { cause, measures, effects } of steps)
    causes[cause] = (causes[cause] ?? 0n) + sumUnits(effects[measures.indexOf(measure)] ?? null);
  return causes;
}

/**
 * Compares the values of a measure in both states.
 * @param causes Those with the cutoff of the earlier state, if the measure has any.
 */
function compareMeasure(
  measure: Measure,
  valueIn: (part: ValueOf) => ReadColumn | undefined,
  causes: Partial<CauseSums> | undefined,
): MeasureChange {
  const [then, now, nowAtThen] = (['then', 'now', 'nowAtThen'] as const).map((part) => {
    const value = valueIn(part);
    return value ? value(measure.name) : emptyValue(measure);
  }) as [Value, Value, Value];
  const units = (['now', 'then'] as const).map((part) => valueIn(part)?.('budget_unit') ?? null);
  const isOfBudgets = budgetPartOf(measure) !== undefined;
  const unit = isOfBudgets ? unitOfBudget(units) : measure.unit;
  const isOfOneUnit = !isOfBudgets || new Set(units).size === 1;
  const shared = { unit, then, now, isOfOneUnit };
  if (!causes) return { ...shared, known: 0n, causes };
  const cutoff = isOfAgreedFees(measure) ? (causes.cutoff ?? 0n) : sumUnits(now) - sumUnits(nowAtThen);
  return { ...shared, known: sumUnits(now) - sumUnits(then), causes: { ...causes, cutoff } };
}

/** Returns the difference of both values; null if one of them is, or if they have different units. */
export function differenceOf({ then, now, isOfOneUnit }: MeasureChange): Value {
  return then === null || now === null || !isOfOneUnit ? null : subtract(now, then);
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
