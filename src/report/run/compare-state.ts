import { CAUSES, type ChangeCause } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column, TieWords } from '../catalogue/table.ts';
import { compileChanges } from '../compare/compile-changes.ts';
import { isOfAgreedFees } from '../compare/fee-points.ts';
import { changesBy, isOfLines } from '../kinds/kinds.ts';
import { PLAIN, regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import { readBudgetCauses } from './budget-causes.ts';
import {
  assertFewChanges,
  type ChangeRow,
  type ComparedSums,
  gatherRows,
  gatherTotals,
  type MeasureChange,
  type StepRow,
  type Steps,
} from './change-rows.ts';
import { changeOf, isSameCutoff, type StateComparison } from './comparing.ts';
import type { ReportContext } from './context.ts';
import { readSums } from './read-sums.ts';
import { type SummedValues, tieUnits } from './row-ties.ts';
import { assertTies, type Comparison } from './ties.ts';

/** A comparison with one state, or several put together. */
export interface StateChanges {
  readonly rows: readonly ChangeRow[];
  readonly totals: readonly MeasureChange[];
  /** The columns that name a row. */
  readonly named: readonly Column[];
  readonly ties: readonly Comparison[];
}

/** Compares the days of a state, and checks that the causes add up. */
export async function compareState(context: ReportContext, comparison: StateComparison): Promise<StateChanges> {
  const { query } = comparison;
  const sums = await readBoth(context, comparison);
  const steps = await readSteps(context, comparison);
  const totals = gatherTotals(query, sums, steps);
  const rows =
    query.grouping.dimensions.length === 0 ? [rowOfAll(totals)] : await gatherRows(context, query, sums, steps);
  return checkParts(context, query, { rows, totals, named: steps.named });
}

/** @throws AppError limit for too many rows, check if causes don't add up. */
export async function checkParts(
  { maxRows }: ReportContext,
  query: Query,
  compared: Omit<StateChanges, 'ties'>,
): Promise<StateChanges> {
  const { rows, totals } = compared;
  assertFewChanges(query, rows.length, maxRows);
  const ties = await tieCauses(query, rows, totals);
  assertTies(ties);
  return { ...compared, ties };
}

export function rowOfAll(changes: readonly MeasureChange[]): ChangeRow {
  return { keys: [], names: {}, changes };
}

/** Reads the values of both states as the pivot answers them (X1), and those of the present one with the other's cutoff (X5). */
async function readBoth(context: ReportContext, comparison: StateComparison): Promise<ComparedSums> {
  const { query, atThen, earlier } = comparison;
  const { database, company } = earlier;
  const then = await readSums({ ...context, database, company }, atThen);
  const now = await readSums(context, regroup(query, {}, PLAIN));
  return { then, now, nowAtThen: isSameCutoff(comparison) ? now : await readSums(context, atThen) };
}

async function readSteps(context: ReportContext, comparison: StateComparison): Promise<Steps> {
  const { grouping } = comparison.query;
  const { database: then } = comparison.earlier;
  // The later cutoff explains the difference of sums that are read, but not of lines of agreed fees (X10).
  const planOf = (measures: readonly Measure[]) => {
    const change = changeOf(context, comparison, { measures });
    return measures.some(isOfAgreedFees) ? change : { ...change, later: undefined };
  };
  const sums = grouping.measures.filter((measure) => isOfLines(measure) && !isOfAgreedFees(measure));
  const earnings = grouping.measures.filter(isOfAgreedFees);
  const ofBudgets = grouping.measures.filter((measure) => changesBy(measure) === 'budgets');
  const budgets = ofBudgets.length > 0 ? await readBudgetCauses(context.database, then, planOf(ofBudgets)) : undefined;
  const rows: StepRow[] = [];
  const totals: StepRow[] = [];
  for (const measures of [sums, earnings].filter(({ length }) => length > 0)) {
    const { sql, columns } = compileChanges(planOf(measures), measures);
    const names = [...columns, { name: 'cause' }, ...measures].map(({ name }) => name);
    const { chunks } = await context.database.stream(sql);
    for await (const chunk of chunks)
      for (const [isTotal, ...values] of chunk)
        (isTotal ? totals : rows).push(Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])));
  }
  return { rows, totals, named: compileChanges(planOf([]), []).columns, budgets };
}

/** Compares the causes with the differences, and the rows with the totals (X6). */
async function tieCauses(
  { grouping }: Query,
  rows: readonly ChangeRow[],
  totals: readonly MeasureChange[],
): Promise<Comparison[]> {
  const overlaps = grouping.dimensions.some((dimension) => dimension.overlaps);
  const ties: Comparison[] = [];
  for (const [place, total] of totals.entries()) {
    const { measure } = total;
    if (!changesBy(measure)) continue;
    const isCost = measure.needs_rates ?? false;
    const tie = (sides: TieWords['sides'], sums: Iterable<SummedValues<bigint>>) =>
      tieUnits({ subject: measure.name, sides }, sums, isCost).then((comparison) => ties.push(comparison));
    await tie(['causes', 'difference'], addUp([total]));
    await tie(['causes', 'difference of each row'], addUp(changesAt(rows, place)));
    if (!overlaps && isOfLines(measure))
      await tie(['sum of the rows', 'total of each cause'], addByCause(rows, place, total));
  }
  return ties;
}

function* changesAt(rows: readonly ChangeRow[], place: number): Iterable<MeasureChange> {
  for (const { changes } of rows) if (changes[place]) yield changes[place];
}

/** Yields the causes of each change with its difference. */
function* addUp(changes: Iterable<MeasureChange>): Iterable<SummedValues<bigint>> {
  for (const { causes, known } of changes) yield { parts: CAUSES.map((cause) => causes?.[cause] ?? 0n), total: known };
}

/** Yields what each cause does to all rows with what it does to the total. */
function* addByCause(
  rows: readonly ChangeRow[],
  place: number,
  { causes }: MeasureChange,
): Iterable<SummedValues<bigint>> {
  for (const cause of CAUSES) yield { parts: causeOf(rows, place, cause), total: causes?.[cause] ?? 0n };
}

function* causeOf(rows: readonly ChangeRow[], place: number, cause: ChangeCause): Iterable<bigint> {
  for (const { causes } of changesAt(rows, place)) yield causes?.[cause] ?? 0n;
}
