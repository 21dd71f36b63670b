import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { describeAsOf } from '../catalogue/as-of.ts';
import type { Measure } from '../catalogue/catalogue.ts';
import { CAUSES } from '../catalogue/change-causes.ts';
import type { Company } from '../catalogue/company-settings.ts';
import type { ComparedMeta, Table } from '../catalogue/table.ts';
import { besideCauses, compileChanges } from '../plan/compile-changes.ts';
import { listColumns } from '../plan/plan-list.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { PLAIN, regroup, reselect } from '../request/change-query.ts';
import { type ComparedState, checkColumns, type Query } from '../request/query.ts';
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
  sortAsAsked,
} from './change-rows.ts';
import { inChunks, metaOf, type ReportContext } from './context.ts';
import { assertComparable, type EarlierState } from './earlier.ts';
import { readSums, tooManyRows } from './read-sums.ts';
import { formatSum, tieSums } from './row-ties.ts';
import { pageOf, shownColumns } from './run-summary.ts';
import { assertTies, type Comparison, describeTies } from './ties.ts';

/** A comparison: the other state, and the query of the present one. */
export interface Comparing {
  readonly earlier: EarlierState;
  readonly compared: ComparedState;
  /** The query with the cutoff and the today of the other state. */
  readonly atThen: Query;
}

/**
 * Returns what a query compares.
 * @throws AppError usage and input as assertComparable, internal without the other state.
 */
export function comparingOf({ company, earlier }: ReportContext, query: Query): Comparing {
  const { compared } = query;
  if (!earlier || !compared)
    throw new AppError('internal', `${query.selection.report.name} has no state to compare with`);
  assertComparable(earlier.company, company);
  const { cutoff, today } = compared;
  const plain = regroup(query, {}, PLAIN);
  return {
    earlier,
    compared,
    atThen: reselect(plain, { cutoffDate: cutoff.date, cutoffReason: cutoff.reason, today }),
  };
}

/** Runs the report changes: the values as of both states, and the differences by their causes, which add up to them (X6). */
export async function runChanges(context: ReportContext, query: Query): Promise<Table> {
  const comparing = comparingOf(context, query);
  const { dimensions, measures } = query.grouping;
  const sums = await readBoth(context, query, comparing);
  const steps = await readSteps(context, query, comparing);
  const { named } = steps;
  const totals = gatherTotals(query, sums, steps);
  const rows: readonly ChangeRow[] =
    dimensions.length === 0 ? [{ names: {}, changes: totals }] : gatherRows(query, sums, steps);
  const { maxRows = Number.POSITIVE_INFINITY } = context;
  if (rows.length * measures.length > maxRows) throw tooManyRows(query, maxRows);
  const ties = tieCauses(query, rows, totals);
  assertTies(ties);
  const columns = [...named.map(besideCauses), ...listColumns(query.selection.report.list ?? {})];
  checkColumns(
    query,
    columns.map(({ name }) => name),
  );
  const offered = columns.map((column, index) => ({ column, index }));
  const shown = shownColumns(query.presentation, offered);
  const pick = (values: readonly Value[]): Value[] => shown.map(({ index }) => values[index] ?? null);
  const valuesOf = ({ names, changes }: ChangeRow) =>
    changes.map((change) => [...named.map(({ name }) => names[name] ?? null), ...changeValues(change)]);
  const all = sortAsAsked(rows.flatMap(valuesOf), columns, query.presentation.sort);
  return {
    name: query.selection.report.name,
    label: query.selection.report.label,
    columns: shown.map(({ column }) => column),
    rows: inChunks([pageOf(query.presentation, all).map(pick)]),
    totals: undefined,
    totalRows: valuesOf({ names: {}, changes: totals }).map(pick),
    nested: undefined,
    meta: { ...metaOf(context, query, describeTies(ties)), ...comparedMeta(context, query), row_count: all.length },
  };
}

function changeValues({ measure, unit, then, now, difference, causes }: MeasureChange): Value[] {
  const steps = CAUSES.map((cause) => (causes ? formatSum(causes[cause]) : null));
  return [measure.name, unit, then, now, difference, ...steps];
}

/** Reads the values of both states as the pivot answers them (X1), and those of the present one with the other's cutoff (X5). */
async function readBoth(context: ReportContext, query: Query, { earlier, atThen }: Comparing): Promise<ComparedSums> {
  const { database, company } = earlier;
  const then = await readSums({ ...context, database, company }, atThen);
  const now = await readSums(context, regroup(query, {}, PLAIN));
  const { cutoffDate, today } = query.selection;
  const isSame = cutoffDate === atThen.selection.cutoffDate && today === atThen.selection.today;
  return { then, now, nowAtThen: isSame ? now : await readSums(context, atThen) };
}

async function readSteps(context: ReportContext, { grouping }: Query, { earlier, atThen }: Comparing): Promise<Steps> {
  const { catalog, company, database: then } = earlier;
  const planOf = (measures: readonly Measure[]) => ({
    plan: planSummary(regroup(atThen, { measures }), context.company),
    catalog,
    thenCalendar: company,
    day: atThen.selection.today,
    later: undefined,
  });
  const sums = grouping.measures.filter(isOfLines);
  const ofBudgets = grouping.measures.filter(({ budget }) => budget);
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
    if (!isOfLines(measure) && !measure.budget) return [];
    const isCost = measure.needs_rates ?? false;
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
      tieSums(`${measure.name}: causes, difference`, [addUp(total)], isCost),
      tieSums(`${measure.name}: causes, difference of each row`, ofRows.map(addUp), isCost),
      ...(overlaps || measure.budget
        ? []
        : [tieSums(`${measure.name}: sum of the rows, total of each cause`, byCause, isCost)]),
    ];
  });
}

/** Describes both states of a comparison in the metadata. */
export function comparedMeta(
  { company, earlier }: ReportContext,
  query: Query,
): { from: ComparedMeta; to: ComparedMeta } {
  const { catalogue, cutoffDate, today } = query.selection;
  const describe = ({ asOf, dataVersion }: Company, cutoff: string, day: string): ComparedMeta => ({
    ...(asOf ? describeAsOf(asOf, catalogue, query.grouping.measures) : { state: 'now' }),
    data_version: dataVersion,
    day,
    cutoff_date: cutoff,
  });
  const { compared } = query;
  return {
    from: describe(earlier?.company ?? company, compared?.cutoff.date ?? cutoffDate, compared?.today ?? today),
    to: describe(company, cutoffDate, today),
  };
}
