import type { Value } from '../../../base/database/index.ts';
import { filterInTurns, formatSum, rowsOf } from '../../../base/index.ts';
import { listCauses } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines } from '../catalogue/measure-meaning.ts';
import type { Table } from '../catalogue/table.ts';
import { comparedColumns } from '../compare/compile-changes.ts';
import { regroup } from '../request/change-query.ts';
import { checkColumns, type Query } from '../request/query.ts';
import { addComparisons } from './add-changes.ts';
import { sortAsAsked } from './change-order.ts';
import { type ChangeRow, differenceOf, type MeasureChange } from './change-rows.ts';
import { compareState, type StateChanges } from './compare-state.ts';
import {
  describeEarlier,
  describeLater,
  noteLeft,
  notOverClosings,
  openComparison,
  type StateComparison,
  windowOf,
} from './comparing.ts';
import { metaOf, type ReportContext } from './context.ts';
import { pageOf, shownColumns } from './run-summary.ts';
import { describeTies } from './ties.ts';

/**
 * Runs the report changes: the values as of both states, and the differences by their causes, which add up to them (X6).
 * Several closings are compared one by one, each on its own days, and put together (X7).
 */
export async function runChanges(context: ReportContext, asked: Query): Promise<Table> {
  const window = windowOf(context, asked);
  const query = window.isByClosing ? withSumsAlone(asked) : asked;
  const comparisons: StateComparison[] = [];
  const parts: StateChanges[] = [];
  for (const state of window.states) {
    const comparison = await openComparison(context, query, state);
    comparisons.push(comparison);
    parts.push(await compareState(context, comparison));
  }
  const [first] = parts;
  const { rows, totals, named, ties } =
    parts.length === 1 && first ? first : await addComparisons(context, query, parts);
  const from = describeEarlier(window, comparisons);
  const to = describeLater(context, query);
  const columns = comparedColumns(query);
  checkColumns(
    query,
    columns.map(({ name }) => name),
  );
  const offered = columns.map((column, index) => ({ column, index }));
  const shown = shownColumns(query.presentation, offered);
  const valuesOf = ({ row, measure }: NamedChange): Value[] => [
    ...named.map(({ name }) => row.names[name] ?? null),
    measure.name,
    ...changeValues(row.changeOf(measure)),
  ];
  const changesOf = (row: ChangeRow) => query.grouping.measures.map((measure) => ({ row, measure }));
  const rowOf = (change: NamedChange): Value[] => {
    const values = valuesOf(change);
    return shown.map(({ index }) => values[index] ?? null);
  };
  const sorted = await sortAsAsked(
    context.database,
    rows.flatMap(changesOf),
    valuesOf,
    columns,
    query.presentation.sort,
  );
  const hasChanged = ({ row, measure }: NamedChange) => isChanged(row.changeOf(measure));
  const all = query.compared?.isOnlyChanged ? await filterInTurns(sorted, hasChanged) : sorted;
  const meta = await metaOf(context, query, describeTies(ties));
  return {
    name: query.selection.report.name,
    label: query.selection.report.label,
    columns: shown.map(({ column }) => column),
    rows: rowsOf(pageOf(query.presentation, all), rowOf),
    totals: undefined,
    totalRows: changesOf(totals).map(rowOf),
    nested: undefined,
    meta: {
      ...meta,
      notes: [...meta.notes, ...noteLeft(window), ...noteUnchanged(sorted.length - all.length)],
      from,
      to,
      row_count: all.length,
    },
  };
}

/** A measure of a row, of which a row of the answer is made when it is written. */
interface NamedChange {
  readonly row: ChangeRow;
  readonly measure: Measure;
}

/** Tests for a difference, or for causes that cancel out. One that is unknown counts, unless the value was unknown and is. */
function isChanged(change: MeasureChange): boolean {
  const { then, now, causes } = change;
  const difference = differenceOf(change);
  const isOther = difference === null ? then !== null || now !== null : /[1-9]/.test(String(difference));
  return isOther || Object.values(causes ?? {}).some((sum) => sum !== 0n);
}

/** Returns a sentence about rows that are left out. */
function noteUnchanged(count: number): string[] {
  if (count === 0) return [];
  return [`${count} ${count === 1 ? 'row without a difference is' : 'rows without a difference are'} left out.`];
}

/**
 * Leaves out the measures that aren't sums of lines: their values on the days of each closing don't add up.
 * @throws AppError usage if one of them is named.
 */
function withSumsAlone(query: Query): Query {
  const { measures } = query.grouping;
  const other = measures.find((measure) => !isOfLines(measure));
  if (!other) return query;
  if (query.understood['measures'] === undefined)
    return regroup(query, { measures: measures.filter(isOfLines) }, query.presentation);
  throw notOverClosings('measures', other);
}

function changeValues(change: MeasureChange): Value[] {
  const { unit, then, now, causes } = change;
  const steps = listCauses().map((cause) => (causes ? formatSum(causes[cause] ?? 0n) : null));
  return [unit, then, now, differenceOf(change), ...steps];
}
