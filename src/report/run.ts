import { differenceInCalendarDays } from 'date-fns';
import type { Database, Value } from '../database.ts';
import { AppError } from '../error.ts';
import type { Catalogue, Report } from './catalogue.ts';
import { type Company, readCompany, todayOf } from './company.ts';
import { compileList } from './list.ts';
import { checkColumns, parseParameters, type Query } from './parameters.ts';
import { PERIOD_DAYS } from './period.ts';
import { assertVisible, hiddenColumns, hideRates } from './rates.ts';
import { sliceList } from './slice.ts';
import { compileSummary } from './summary.ts';
import type { Column, Meta, Nested, Selection, Table, Tie } from './table.ts';
import { assertTies, readTies, tieRows } from './ties.ts';

/** Who reads a report, and when. */
export interface Reading {
  /** The moment that "today" is taken from. Default: now. */
  readonly now?: Date;
  /**
   * Whether the reader may see what work costs. Without, no statement names a column that a cost could be read from, so the database may be
   * the copy that hasn't got them. Default: true.
   */
  readonly seesRates?: boolean;
  /** The most rows that a report that sums may have, for it is held in memory. Default: no limit. */
  readonly maxRows?: number;
}

/** One run of a report. */
interface Context {
  readonly database: Database;
  readonly query: Query;
  readonly company: Company;
  readonly now: Date;
  /** Columns that the reader may not see. */
  readonly hidden: readonly string[];
  readonly maxRows: number;
}

/** From here on it pays to count rows before they are computed, where their number is bounded. Unit: periods. */
const MANY_PERIODS = 1000;

/** The rows and totals of a report that sums, read whole. */
interface Sums {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
  readonly totals: readonly Value[];
  readonly ties: readonly Tie[];
}

/**
 * Runs a report.
 * @param sent Its parameters as typed.
 * @throws AppError unknown for a report that there isn't, usage for a wrong parameter, forbidden for a column that the reader may not see,
 *   limit when it has more rows than it may, check when the numbers don't tie out.
 */
export async function runReport(
  database: Database,
  catalogue: Catalogue,
  name: string,
  sent: Readonly<Record<string, string>>,
  { now = new Date(), seesRates = true, maxRows = Number.POSITIVE_INFINITY }: Reading = {},
): Promise<Table> {
  const hidden = seesRates ? [] : hiddenColumns(catalogue, findReport(catalogue, name));
  assertVisible(sent, hidden);
  const shown = seesRates ? catalogue : hideRates(catalogue);
  const report = findReport(shown, name);
  const company = await readCompany(database);
  const query = parseParameters(shown, report, sent, todayOf(company, now));
  const context = { database, query, company, now, hidden, maxRows };
  return report.relation ? runList(context) : runSummary(context, shown, seesRates);
}

/** The report of a name. @throws AppError unknown, naming those that there are. */
export function findReport(catalogue: Catalogue, name: string): Report {
  const report = catalogue.reports.get(name);
  if (report) return report;
  throw new AppError('unknown', `There is no report "${name}"`, {
    hint: `The reports are ${[...catalogue.reports.keys()].join(', ')}.`,
  });
}

async function runSummary(context: Context, catalogue: Catalogue, seesRates: boolean): Promise<Table> {
  const { database, query } = context;
  const [sums, windowTies] = await both(readSums(context, catalogue), readTies(database, query, seesRates));
  const ties = [...sums.ties, ...windowTies];
  assertTies(ties);
  const nested = query.isExpanded ? await readNested(context, catalogue) : undefined;
  const rows = pageOf(query, sums.rows);
  const shown = shownIndexes(query, sums.columns);
  const pick = <T>(values: readonly T[]): T[] => shown.map((index) => values[index] as T);
  return {
    name: query.report.name,
    label: query.report.label,
    columns: pick(sums.columns),
    rows: inChunks([rows.map(pick)]),
    totals: pick(sums.totals),
    nested,
    meta: { ...metaOf(context, ties), row_count: sums.rows.length },
  };
}

/** Waits for two reads at once. Nothing may still be running on a database when an error makes its owner close it. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}

async function readSums({ database, query, company, maxRows }: Context, catalogue: Catalogue): Promise<Sums> {
  const { sql, columns, countSql } = compileSummary(catalogue, query, company);
  checkColumns(
    query,
    columns.map(({ name }) => name),
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
  return { columns, rows, totals, ties: overlaps ? [] : tieRows(columns, rows, totals, new Set(additive)) };
}

/** How many periods the rows of a query may be made by; none where none are asked for. */
function countPeriods({ startDate, endDate, interval, dimensions }: Query): number {
  const lengths = [interval, ...dimensions.map(({ period }) => period)].flatMap((period) =>
    typeof period === 'string' ? [PERIOD_DAYS[period]] : [],
  );
  return lengths.length === 0 ? 0 : differenceInCalendarDays(endDate, startDate) / Math.min(...lengths);
}

function tooManyRows({ report }: Query, maxRows: number): AppError {
  return new AppError('limit', `The report ${report.name} has more than ${maxRows} rows`, {
    hint: 'Ask for a shorter window, a longer interval, fewer dimensions or a filter.',
  });
}

async function readNested(context: Context, catalogue: Catalogue): Promise<Nested | undefined> {
  const { query } = context;
  const report = catalogue.reports.get(query.report.nested ?? '');
  if (!report) return undefined;
  const dimensions = (report.rows ?? []).flatMap((name) => catalogue.dimensions.get(name) ?? []);
  const nested = { ...query, report, dimensions, isExpanded: false, fields: undefined, sort: undefined };
  const { columns, rows, ties } = await readSums({ ...context, query: nested }, catalogue);
  assertTies(ties);
  const by = query.interval ? ['project_id', 'period_start'] : ['project_id'];
  return { name: report.name, by, columns, rows };
}

async function runList(context: Context): Promise<Table> {
  const { database, query } = context;
  const { sql, columns, countSql, readCursor } = compileList(query);
  const [counted] = countSql ? await database.rows<{ count: number }>(countSql) : [];
  const meta = { ...metaOf(context, []), ...(counted && { row_count: counted.count }) };
  if (!readCursor) {
    const selection = { database, statements: await sliceList(database, query) };
    return { ...listTable(query, columns, readSelection(selection), meta), selection };
  }
  const { chunks } = await database.stream(sql);
  const rows: Value[][] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  const cursor = readCursor(rows);
  const page = rows.slice(0, query.limit);
  return listTable(query, columns, inChunks([page]), cursor === undefined ? meta : { ...meta, next_cursor: cursor });
}

async function* readSelection({ database, statements }: Selection): Table['rows'] {
  for (const statement of statements) yield* (await database.stream(statement)).chunks;
}

function listTable(query: Query, columns: readonly Column[], rows: Table['rows'], meta: Meta): Table {
  return {
    name: query.report.name,
    label: query.report.label,
    columns,
    rows,
    totals: undefined,
    nested: undefined,
    meta,
  };
}

function metaOf({ query, company, now, hidden }: Context, checks: readonly Tie[]): Meta {
  const overlapping = query.dimensions.filter(({ overlaps }) => overlaps).map(({ label }) => label.toLowerCase());
  return {
    report: query.report.name,
    parameters: query.understood,
    currency: company.currency,
    minor_units: company.minorUnits,
    generated_at: `${now.toISOString().slice(0, 19)}Z`,
    data_version: company.dataVersion,
    loaded_at: company.loadedAt,
    notes: overlapping.map(
      (label) => `Rows by ${label} overlap: a line may stand in several of them. The totals count it once.`,
    ),
    checks,
    ...(hidden.length > 0 && { hidden_columns: hidden }),
  };
}

function shownIndexes(query: Query, columns: readonly Column[]): number[] {
  const { fields } = query;
  if (!fields) return columns.map((_, index) => index);
  return fields.map((field) => columns.findIndex(({ name }) => name === field));
}

function pageOf<Row>(query: Query, rows: readonly Row[]): readonly Row[] {
  if (query.perPage === undefined) return rows;
  return rows.slice((query.page - 1) * query.perPage, query.page * query.perPage);
}

async function* inChunks<Chunk>(chunks: readonly Chunk[]): AsyncIterable<Chunk> {
  yield* chunks;
}
