import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { Dimension, Measure } from '../catalogue/catalogue.ts';
import type { Column } from '../catalogue/table.ts';
import { withParts } from '../plan/measure.ts';
import { periodColumn, sortPeriods } from '../plan/period-columns.ts';
import { regroup } from '../request/change-query.ts';
import type { Query, Selection } from '../request/query.ts';
import type { ReportContext } from './context.ts';
import { tiePeriods } from './period-ties.ts';
import { readSums, type Sums } from './read-sums.ts';

/** The most columns of periods in a pivot. Unit: columns. */
const MAX_PERIOD_COLUMNS = 1_000;

/** The most values in those columns, which are all in memory, zeros too. Unit: values. */
const MAX_PERIOD_CELLS = 2_000_000;

/** The value of a sum over no lines. */
const ZERO = '0.0000';

/** The rows of one period dimension, and its totals, by the period's first day. */
interface Periods {
  readonly dimension: Dimension;
  /** The values of the measures in a period, for a row's key. */
  readonly cells: ReadonlyMap<string, readonly Value[]>;
  readonly totals: ReadonlyMap<string, readonly Value[]>;
}

/** A column of periods, and where its values are. */
interface PlacedPeriod {
  readonly column: Column;
  readonly place: number;
  readonly start: string;
  readonly periods: Periods;
}

/**
 * Reads a report that sums, with columns for the periods that the query has across.
 * The rows by period, the totals of the periods and those of the rows are separate sums of the lines, compared here.
 */
export async function readAcross(context: ReportContext, query: Query): Promise<Sums> {
  const whole = await readSums(context, query);
  if (query.grouping.across.length === 0) return whole;
  const measures = query.grouping.measures.filter((measure) => hasPeriods(query, measure));
  const keys = whole.columns.filter(({ name }) => isKey(query.selection, name));
  const all: Periods[] = [];
  for (const dimension of query.grouping.across)
    all.push(await readPeriods(context, regroup(query, { measures }), dimension, keys));
  const added = placeColumns(measures, all);
  assertCellsFit(whole.rows.length, added.length);
  const zeros = measures.map(({ percent, points }) => (percent || points ? null : ZERO));
  const keyOf = keyReader(whole.columns, keys);
  const cellOf = (values: readonly Value[] | undefined, place: number) => (values ?? zeros)[place] ?? null;
  const rows = whole.rows.map((row) => [
    ...row,
    ...added.map(({ periods, start, place }) => cellOf(periods.cells.get(`${start} ${keyOf(row)}`), place)),
  ]);
  const totals = [
    ...whole.totals,
    ...added.map(({ periods, start, place }) => cellOf(periods.totals.get(start), place)),
  ];
  const sums = { columns: [...whole.columns, ...added.map(({ column }) => column)], rows, totals };
  return {
    ...sums,
    offered: offer(query.selection, whole, added),
    ties: [...whole.ties, ...tiePeriods(query.grouping, sums)],
  };
}

/** Tests whether a measure is of the lines of a period; a budget is of the whole life of its project. */
function hasPeriods({ selection: { catalogue }, presentation: { fields } }: Query, measure: Measure): boolean {
  const isShown = fields?.includes(measure.name) ?? true;
  return isShown && !withParts(catalogue, [measure]).some(({ budget }) => budget);
}

/** Tests whether a column names the row. */
export function isKey({ catalogue }: Selection, name: string): boolean {
  return !catalogue.measures.has(name) && name !== 'budget_unit' && !name.startsWith('_');
}

async function readPeriods(
  context: ReportContext,
  query: Query,
  dimension: Dimension,
  keys: readonly Column[],
): Promise<Periods> {
  const { measures, dimensions, crewDimensions = dimensions } = query.grouping;
  const ofPeriods = { dimensions: [dimension], across: [], crewDimensions, interval: undefined, hasAllPeriods: true };
  const totals = await readSums(context, regroup(query, ofPeriods));
  assertColumnsFit(totals.rows.length * measures.length);
  const cells = await readSums(context, regroup(query, { dimensions: [...dimensions, dimension], across: [] }));
  const keyOf = keyReader(cells.columns, keys);
  const [start, cellStart] = [totals, cells].map(({ columns }) =>
    columns.findIndex(({ name }) => name === dimension.key),
  );
  const valuesOf = (row: readonly Value[]) => row.slice(row.length - measures.length);
  return {
    dimension,
    cells: new Map(cells.rows.map((row) => [`${row[cellStart ?? -1]} ${keyOf(row)}`, valuesOf(row)])),
    totals: new Map(totals.rows.map((row) => [String(row[start ?? -1]), valuesOf(row)])),
  };
}

/** @throws AppError limit for more columns than a pivot may have. */
function assertColumnsFit(count: number): void {
  if (count <= MAX_PERIOD_COLUMNS) return;
  const message = `columns: the periods of the window make ${count} columns, and a pivot has at most ${MAX_PERIOD_COLUMNS} of them`;
  throw tooLarge(message, ['columns', 'measures', 'start_date', 'end_date']);
}

/** @throws AppError limit for more cells than a pivot may have. */
function assertCellsFit(rows: number, columns: number): void {
  const cells = rows * columns;
  if (cells <= MAX_PERIOD_CELLS) return;
  const message = `columns: ${rows} rows by ${columns} columns of periods make ${cells} cells, and a pivot has at most ${MAX_PERIOD_CELLS} of them`;
  throw tooLarge(message, ['columns', 'group_by', 'measures', 'start_date', 'end_date']);
}

function tooLarge(message: string, fields: readonly string[]): AppError {
  return new AppError('limit', message, {
    fields: fields.map((field) => ({ field, message })),
    hint: 'Name fewer measures, longer periods in columns, or a shorter window.',
  });
}

/** Returns a function that reads the values of a row's keys as one text. */
export function keyReader(columns: readonly Column[], keys: readonly Column[]): (row: readonly Value[]) => string {
  const places = keys.map((key) => columns.findIndex(({ name }) => name === key.name));
  return (row) => JSON.stringify(places.map((place) => row[place] ?? null));
}

/** Returns the columns of all periods, in their order. */
function placeColumns(measures: readonly Measure[], all: readonly Periods[]): PlacedPeriod[] {
  const spans = all.flatMap((periods) => {
    const { period = 'day' } = periods.dimension;
    return [...periods.totals.keys()].map((start) => ({ period, start, periods }));
  });
  assertColumnsFit(spans.length * measures.length);
  return sortPeriods(spans).flatMap(({ periods, ...span }) =>
    measures.map((measure, place) => ({ column: periodColumn(measure, span), place, start: span.start, periods })),
  );
}

/** Offers the periods between the names of a row and its measures, which are the totals. */
function offer({ catalogue }: Selection, { columns, offered }: Sums, added: readonly PlacedPeriod[]): Sums['offered'] {
  const first = offered.findIndex(({ column }) => catalogue.measures.has(column.name));
  const summed = new Set(added.map(({ column }) => column.measure));
  return [
    ...offered.slice(0, first),
    ...added.map(({ column }, index) => ({ column, index: columns.length + index })),
    ...offered.slice(first).map(({ column, index }) => ({
      column: summed.has(column.name) ? { ...column, label: `${column.label} total` } : column,
      index,
    })),
  ];
}
