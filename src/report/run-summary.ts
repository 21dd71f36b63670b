import type { Value } from '../database/database.ts';
import { AppError } from '../error.ts';
import type { Alias, Catalogue } from './catalogue.ts';
import { compileSummary } from './compile-summary.ts';
import { inChunks, metaOf, type ReportContext } from './context.ts';
import { checkColumns, type Query } from './parameters.ts';
import { PERIOD_DAYS } from './period.ts';
import type { Column, Nested, Table } from './table.ts';
import { assertTies, type Comparison, describeTies, readTies, tieRows } from './ties.ts';

/** Counting rows before computing them pays off from this number of periods. Unit: periods. */
const MANY_PERIODS = 1000;

const DAY_MS = 86_400_000;

interface PlacedColumn {
  readonly column: Column;
  readonly index: number;
}

/** The rows and totals of a report that sums, in memory. */
interface Sums {
  readonly columns: readonly Column[];
  /** The columns that a reader may choose from, aliases included. */
  readonly offered: readonly PlacedColumn[];
  readonly rows: readonly (readonly Value[])[];
  readonly totals: readonly Value[];
  readonly ties: readonly Comparison[];
}

/** Runs a report that sums, and checks its rows and totals against each other and the ledger. */
export async function runSummary(context: ReportContext, catalogue: Catalogue, seesRates: boolean): Promise<Table> {
  const { database, query } = context;
  const [sums, windowTies] = await both(readSums(context, catalogue), readTies(database, query, seesRates));
  const ties = [...sums.ties, ...windowTies];
  assertTies(ties);
  const nested = query.isExpanded ? await readNested(context, catalogue) : undefined;
  const rows = pageOf(query, sums.rows);
  const shown = shownColumns(query, sums.offered);
  const pick = (values: readonly Value[]): Value[] => shown.map(({ index }) => values[index] ?? null);
  return {
    name: query.report.name,
    label: query.report.label,
    columns: shown.map(({ column }) => column),
    rows: inChunks([rows.map(pick)]),
    totals: pick(sums.totals),
    nested,
    meta: { ...metaOf(context, describeTies(ties)), row_count: sums.rows.length },
  };
}

/** Waits until both reads have settled: the database's owner may close it after an error. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}

async function readSums(
  { database, query, company, maxRows, aliases }: ReportContext,
  catalogue: Catalogue,
): Promise<Sums> {
  const extra = aliases.map(({ measure }) => measure).filter((measure) => !query.measures.includes(measure));
  const read = { ...query, measures: [...query.measures, ...extra] };
  const { sql, columns, countSql } = compileSummary(catalogue, read, company);
  const offered = offerColumns(columns, extra.length, aliases);
  checkColumns(
    query,
    offered.map(({ column }) => column.name),
    columns.slice(0, columns.length - extra.length).map(({ name }) => name),
  );
  if (Number.isFinite(maxRows) && countPeriods(query) > MANY_PERIODS) {
    const [counted] = await database.rows<{ count: number }>(countSql);
    if ((counted?.count ?? 0) > maxRows) throw tooManyRows(query, maxRows);
  }
  const { chunks } = await database.stream(sql);
  const rows: Value[][] = [];
  let totals: Value[] | undefined;
  for await (const chunk of chunks) {
    for (const [isTotal, ...values] of chunk) {
      if (isTotal) totals = values;
      else rows.push(values);
    }
    if (rows.length > maxRows) throw tooManyRows(query, maxRows);
  }
  if (!totals) throw new AppError('internal', `The report ${query.report.name} was read without its totals`);
  const additive = query.measures.filter(({ sum }) => sum).map(({ name }) => name);
  const overlaps = query.dimensions.some((dimension) => dimension.overlaps);
  return { columns, offered, rows, totals, ties: overlaps ? [] : tieRows(columns, rows, totals, new Set(additive)) };
}

/** Returns the largest number of periods that the rows can have; 0 without periods. */
function countPeriods({ startDate, endDate, interval, dimensions }: Query): number {
  const lengths = [interval, ...dimensions.map(({ period }) => period)].flatMap((period) =>
    typeof period === 'string' ? [PERIOD_DAYS[period]] : [],
  );
  const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS;
  return lengths.length === 0 ? 0 : days / Math.min(...lengths);
}

function tooManyRows({ report, interval }: Query, maxRows: number): AppError {
  const message = `The report ${report.name} has more than ${maxRows} rows`;
  const narrowed = ['start_date', 'end_date', ...(interval ? ['interval'] : []), ...(report.rows ? [] : ['group_by'])];
  return new AppError('limit', message, {
    fields: narrowed.map((field) => ({ field, message })),
    hint: 'Ask for a shorter window, a longer interval, fewer dimensions or a filter.',
  });
}

async function readNested(context: ReportContext, catalogue: Catalogue): Promise<Nested | undefined> {
  const { query } = context;
  const report = catalogue.reports.get(query.report.nested ?? '');
  if (!report) return undefined;
  const dimensions = (report.rows ?? []).flatMap((name) => catalogue.dimensions.get(name) ?? []);
  const nested = { ...query, report, dimensions, isExpanded: false, fields: undefined, sort: undefined };
  const { columns, rows, ties } = await readSums({ ...context, query: nested, aliases: [] }, catalogue);
  assertTies(ties);
  const by = query.interval ? ['project_id', 'period_start'] : ['project_id'];
  return { name: report.name, by, columns, rows };
}

function offerColumns(columns: readonly Column[], extra: number, aliases: readonly Alias[]): PlacedColumn[] {
  const own = columns.slice(0, columns.length - extra).map((column, index) => ({ column, index }));
  const named = aliases.flatMap(({ name, measure }) => {
    const index = columns.findIndex((column) => column.name === measure.name);
    const column = columns[index];
    return column ? [{ column: { ...column, name }, index }] : [];
  });
  return [...own, ...named];
}

function shownColumns({ fields }: Query, offered: readonly PlacedColumn[]): readonly PlacedColumn[] {
  return fields ? fields.flatMap((field) => offered.find(({ column }) => column.name === field) ?? []) : offered;
}

function pageOf<Row>(query: Query, rows: readonly Row[]): readonly Row[] {
  if (query.perPage === undefined) return rows;
  return rows.slice((query.page - 1) * query.perPage, query.page * query.perPage);
}
