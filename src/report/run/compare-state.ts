import { CAUSES } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column } from '../catalogue/table.ts';
import { compileChanges } from '../compare/compile-changes.ts';
import { PLAIN, regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import { readBudgetCauses } from './budget-causes.ts';
import {
  type ChangeRow,
  type ComparedSums,
  gatherRows,
  gatherTotals,
  isOfLines,
  type MeasureChange,
  type StepRow,
  type Steps,
} from './change-rows.ts';
import { changeOf, isSameCutoff, type StateComparison } from './comparing.ts';
import type { ReportContext } from './context.ts';
import { readSums, tooManyRows } from './read-sums.ts';
import { formatSum, tieSums } from './row-ties.ts';
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
  const rows = query.grouping.dimensions.length === 0 ? [rowOfAll(totals)] : gatherRows(query, sums, steps);
  return checkParts(context, query, { rows, totals, named: steps.named });
}

/** @throws AppError limit for too many rows, check if causes don't add up. */
export function checkParts(
  { maxRows }: ReportContext,
  query: Query,
  compared: Omit<StateChanges, 'ties'>,
): StateChanges {
  const { rows, totals } = compared;
  if (maxRows !== undefined && rows.length * totals.length > maxRows) throw tooManyRows(query, maxRows);
  const ties = tieCauses(query, rows, totals);
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
  // What the later cutoff does is the difference of sums that are read.
  const planOf = (measures: readonly Measure[]) => ({
    ...changeOf(context, comparison, { measures }),
    later: undefined,
  });
  const sums = grouping.measures.filter(isOfLines);
  const ofBudgets = grouping.measures.filter(({ kind }) => kind === 'budget');
  const budgets = ofBudgets.length > 0 ? await readBudgetCauses(context.database, then, planOf(ofBudgets)) : undefined;
  const { sql, columns: named } = compileChanges(planOf(sums), sums);
  if (sums.length === 0) return { rows: [], totals: [], named, budgets };
  const names = [...named, { name: 'cause' }, ...sums].map(({ name }) => name);
  const { chunks } = await context.database.stream(sql);
  const rows: StepRow[] = [];
  const totals: StepRow[] = [];
  for await (const chunk of chunks)
    for (const [isTotal, ...values] of chunk)
      (isTotal ? totals : rows).push(Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])));
  return { rows, totals, named, budgets };
}

/** Compares the causes with the differences, and the rows with the totals (X6). */
function tieCauses({ grouping }: Query, rows: readonly ChangeRow[], totals: readonly MeasureChange[]): Comparison[] {
  const overlaps = grouping.dimensions.some((dimension) => dimension.overlaps);
  return totals.flatMap((total, place) => {
    const { measure, causes } = total;
    if (!isOfLines(measure) && measure.kind !== 'budget') return [];
    const [subject, isCost] = [measure.name, measure.needs_rates ?? false];
    const ofRows = rows.flatMap(({ changes }) => changes[place] ?? []);
    const addUp = (change: MeasureChange) => ({
      parts: CAUSES.map((cause) => formatSum(change.causes?.[cause] ?? 0n)),
      total: formatSum(change.known),
    });
    const byCause = CAUSES.map((cause) => ({
      parts: ofRows.map((row) => formatSum(row.causes?.[cause] ?? 0n)),
      total: formatSum(causes?.[cause] ?? 0n),
    }));
    return [
      tieSums({ subject, sides: ['causes', 'difference'] }, [addUp(total)], isCost),
      tieSums({ subject, sides: ['causes', 'difference of each row'] }, ofRows.map(addUp), isCost),
      ...(overlaps || measure.kind === 'budget'
        ? []
        : [tieSums({ subject, sides: ['sum of the rows', 'total of each cause'] }, byCause, isCost)]),
    ];
  });
}
