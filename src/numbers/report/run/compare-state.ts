import { listCauses } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines } from '../catalogue/measure-meaning.ts';
import type { Column, TieWords } from '../catalogue/table.ts';
import { compileChanges } from '../compare/compile-changes.ts';
import { isOfAgreedFees } from '../compare/fee-points.ts';
import { amountsOf, budgetPartOf } from '../kinds/kinds.ts';
import { maySeeInPart } from '../plan/outside.ts';
import { PLAIN, regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import { type CauseSums, noCauses, readBudgetCauses } from './budget-causes.ts';
import {
  assertFewChanges,
  type ChangeRow,
  type ComparedSums,
  gatherRows,
  type MeasureChange,
  type RowEffects,
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
  readonly totals: ChangeRow;
  /** The columns that name a row. */
  readonly named: readonly Column[];
  readonly ties: readonly Comparison[];
}

/** Compares the days of a state, and checks that the causes add up. */
export async function compareState(context: ReportContext, comparison: StateComparison): Promise<StateChanges> {
  const { query } = comparison;
  const sums = await readBoth(context, comparison);
  const steps = await planSteps(context, comparison);
  const { rows, totals } = await gatherRows(context, query, sums, steps);
  return checkParts(context, query, { rows, totals, named: steps.named });
}

/** @throws AppError limit for too many rows, check if causes don't add up. */
export async function checkParts(
  { maxRows }: ReportContext,
  query: Query,
  compared: Omit<StateChanges, 'ties'>,
): Promise<StateChanges> {
  assertFewChanges(query, compared.rows.length, maxRows);
  const ties = await tieCauses(query, compared);
  assertTies(ties);
  return { ...compared, ties };
}

/** Reads the values of both states as the pivot answers them (X1), and those of the present one with the other's cutoff (X5). */
async function readBoth(context: ReportContext, comparison: StateComparison): Promise<ComparedSums> {
  const { query, atThen, earlier } = comparison;
  const { database, company } = earlier;
  const then = await readSums({ ...context, database, company }, atThen);
  const now = await readSums(context, regroup(query, {}, PLAIN));
  return { then, now, nowAtThen: isSameCutoff(comparison) ? now : await readSums(context, atThen) };
}

/** Returns the steps of the lines, which are read with their pieces. */
async function planSteps(context: ReportContext, comparison: StateComparison): Promise<Steps> {
  const { grouping } = comparison.query;
  const { database: then } = comparison.earlier;
  // The later cutoff explains the difference of sums that are read, but not of lines of agreed fees (X10).
  const planOf = (measures: readonly Measure[]) => {
    const change = changeOf(context, comparison, { measures });
    return measures.some(isOfAgreedFees) ? change : { ...change, later: undefined };
  };
  const sums = grouping.measures.filter((measure) => isOfLines(measure) && !isOfAgreedFees(measure));
  const earnings = grouping.measures.filter(isOfAgreedFees);
  const ofBudgets = grouping.measures.filter(budgetPartOf);
  // Bills make rows, which have budgets, too.
  const ofBills = grouping.measures.filter((measure) => amountsOf(measure).includes('amount'));
  const rows = { ...changeOf(context, comparison, { measures: [...ofBudgets, ...ofBills] }), later: undefined };
  const budgets = ofBudgets.length > 0 ? await readBudgetCauses(context.database, then, rows) : undefined;
  const changes = [sums, earnings]
    .filter(({ length }) => length > 0)
    .map((measures) => ({ measures, sql: compileChanges(planOf(measures), measures).sql }));
  const named = compileChanges(planOf([]), []).columns;
  return { pieces: readSteps(context, named.length, changes), named, budgets };
}

/** @param width The number of columns that name a row. */
async function* readSteps(
  { database }: ReportContext,
  width: number,
  changes: readonly { measures: readonly Measure[]; sql: string }[],
): AsyncIterable<RowEffects[]> {
  for (const { measures, sql } of changes) {
    const { chunks } = await database.stream(sql);
    for await (const chunk of chunks)
      yield chunk.map(([isTotal, ...values]) => ({
        named: isTotal ? undefined : values.slice(0, width),
        step: { cause: String(values[width]), measures, effects: values.slice(width + 1) },
      }));
  }
}

/** Compares the causes with the differences, and the rows with the totals (X6). */
async function tieCauses(
  { selection, grouping }: Query,
  { rows, totals }: Omit<StateChanges, 'ties'>,
): Promise<Comparison[]> {
  const overlaps = grouping.dimensions.some((dimension) => dimension.overlaps);
  const ties: Comparison[] = [];
  for (const measure of grouping.measures.filter((each) => isOfLines(each) || budgetPartOf(each))) {
    const total = totals.changeOf(measure);
    const isCost = measure.needs_rates ?? false;
    const tie = (sides: TieWords['sides'], sums: Iterable<SummedValues<bigint>>) =>
      tieUnits({ subject: measure.name, sides }, sums, isCost).then((comparison) => ties.push(comparison));
    const ofRows = noCauses();
    await tie(['causes', 'difference'], [addUp(total)]);
    await tie(['causes', 'difference of each row'], addUpRows(rows, measure, ofRows));
    if (!overlaps && isOfLines(measure) && !maySeeInPart(selection, measure))
      await tie(
        ['sum of the rows', 'total of each cause'],
        listCauses().map((cause) => ({ parts: [ofRows[cause] ?? 0n], total: total.causes?.[cause] ?? 0n })),
      );
  }
  return ties;
}

/** Yields the causes of each row with its difference, and adds them to their sums. */
function* addUpRows(rows: readonly ChangeRow[], measure: Measure, sums: CauseSums): Iterable<SummedValues<bigint>> {
  for (const row of rows) {
    const change = row.changeOf(measure);
    for (const cause of listCauses()) sums[cause] = (sums[cause] ?? 0n) + (change.causes?.[cause] ?? 0n);
    yield addUp(change);
  }
}

/** Returns the causes of a change with its difference. */
function addUp({ causes, known }: MeasureChange): SummedValues<bigint> {
  return { parts: listCauses().map((cause) => causes?.[cause] ?? 0n), total: causes ? known : 0n };
}
