import { type Calendar, periodOf } from '../../../base/calendar/index.ts';
import type { Value } from '../../../base/database/index.ts';
import { Exact, mapInTurns } from '../../../base/index.ts';
import { findReport } from '../catalogue/catalogue.ts';
import { nameQuarter } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import type { ListSource } from '../layout/block-definition.ts';
import { queryOther, regroup, reselect } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runSummary } from '../run/run-summary.ts';
import { nameNone, nameUnknown, nameUnknownId } from '../run/unknown-ids.ts';
import { stateSource } from '../source/state-source.ts';
import type { ReadFact } from './block-words.ts';
import type { Cause } from './estimated-causes.ts';
import { type ListRow, layOver, type SourceRows } from './list-rows.ts';
import { findWindow } from './other-windows.ts';
import { outlookFacts } from './outlook.ts';
import type { BookPlan } from './plan-book.ts';
import type { ReadBook } from './read-book.ts';
import type { Standing } from './standings.ts';

export interface ListInputs {
  readonly context: ReportContext;
  readonly plan: BookPlan;
  readonly book: ReadBook;
  readonly causes: readonly Cause[];
  /** The query of the months; undefined for a book without lines. */
  readonly months: Query | undefined;
  /** The query whose totals are the figures. */
  readonly summed: Query | undefined;
}

/** Opens the sources of lists, each of which is read once. The result is undefined for rows that a request doesn't have. */
export function openSources(given: ListInputs): (source: ListSource) => Promise<SourceRows | undefined> {
  const known = new Map<string, Promise<SourceRows | undefined>>();
  const shown = new Set(given.months?.grouping.measures.map(({ name }) => name));
  return async ({ with: needed, ...source }) => {
    if (needed !== undefined && !shown.has(needed)) return undefined;
    const key = JSON.stringify(source);
    const read = known.get(key) ?? readSource(given, source);
    known.set(key, read);
    return read;
  };
}

async function readSource(given: ListInputs, source: Omit<ListSource, 'with'>): Promise<SourceRows | undefined> {
  if (source.report === OWN) return readOwn(given, source);
  if (source.report === OUTLOOK) return readOutlook(given);
  if (source.report === 'causes') return { rows: given.causes.map(causeFacts), shared: new Map() };
  const query = queryOf(given, source);
  if (!query) return undefined;
  const table = await runSummary(given.context, query);
  const read: (readonly Value[])[] = [];
  for await (const chunk of table.rows) read.push(...chunk);
  const named = await nameUnknown(query, table.columns, read);
  const rows = await mapInTurns(named, factReader(given, query, table.columns));
  const { startDate, endDate } = query.selection;
  const begins = source.window === undefined ? null : await readFirstDay(given.context, query);
  const shared = new Map<string, string | null>([
    ['begins_on', begins !== null && begins > startDate ? begins : null],
    ['first_day', startDate],
    ['last_day', endDate],
    ...table.columns.map(({ name }, i) => [`total.${name}`, textOf(table.totals?.[i])] as const),
  ]);
  if (source.group_by !== ALL) return { rows, shared };
  return { rows: [new Map(table.columns.map(({ name }, i) => [name, textOf(table.totals?.[i])] as const))], shared };
}

/** Reads the first day with a line of the data; null for none. */
async function readFirstDay({ database }: ReportContext, { selection }: Query): Promise<string | null> {
  const source = stateSource(selection).alone;
  // The sums of months are few; only the lines of the first month tell the day.
  const [found] = await database.rows<{ day: string | null }>(
    `SELECT CAST(MIN(date) AS VARCHAR) AS day FROM ${source.relation('ledger')}
     WHERE date < pl_add_months((SELECT MIN(month) FROM ${source.relation('ledger_months')}), 1)`,
  );
  return found?.day ?? null;
}

/** Returns the query of a source; undefined if a filter or a measure that the reader doesn't see makes it partial. */
function queryOf({ context, months, summed }: ListInputs, source: Omit<ListSource, 'with'>): Query | undefined {
  const { report, group_by, filters, interval, window, measures: names = [] } = source;
  const whole = group_by === undefined ? summed : months;
  const days = whole && window && findWindow(whole.selection, window, context);
  const base = whole && days ? reselect(whole, days) : window ? undefined : whole;
  if (!base) return undefined;
  const { catalogue, filters: asked } = base.selection;
  if (filters && asked.some(({ parameter }) => !filters.includes(parameter.name))) return undefined;
  const measures = names.flatMap((name) => catalogue.measures.get(name) ?? []);
  // A cell of totals is left out with its measure, and a list of rows with one of its measures.
  if (measures.length < names.length && group_by !== ALL) return undefined;
  if (group_by === undefined) {
    const other = queryOther(base, findReport(catalogue, report));
    return regroup(other, { measures, ...(interval && { interval }) });
  }
  if (group_by === ALL) return regroup(base, { ...PLAIN_ROWS, dimensions: [], measures });
  const dimensions = group_by.split(',').flatMap((name) => catalogue.dimensions.get(name) ?? []);
  return regroup(base, { ...PLAIN_ROWS, dimensions, measures });
}

/** The grouping of totals alone. */
export const ALL = 'all';

const PLAIN_ROWS = { interval: undefined, across: [], hasSubtotals: false, includesEmpty: false, hasAllPeriods: false };

async function readOwn(given: ListInputs, { whole }: ListSource): Promise<SourceRows | undefined> {
  const { plan, book } = given;
  const { report } = plan.main.selection;
  const isWhole = plan.main.grouping.interval === undefined && report.rows?.some((name) => whole?.includes(name));
  if (whole && !isWhole) return undefined;
  const { columns } = book.own.table;
  const key = columns.findIndex(({ name }) => name === 'project_id');
  const indexes = new Map(book.own.rows.map((row, index) => [row, String(index)]));
  const factsOf = factReader(given, plan.main, columns, { index: (row) => indexes.get(row) ?? null });
  const rows = await mapInTurns(book.own.rows, (row) => {
    const standing = book.standings?.byProject.get(String(row[key] ?? ''));
    return standing ? layOver(factsOf(row), new Map(standingFacts(standing))) : factsOf(row);
  });
  const own = book.sheets.find(({ definition }) => definition.name === OWN);
  return { rows, shared: new Map([...(book.standings?.overall ?? []), ['sheet', own?.name ?? null]]) };
}

/** The name of the sheet of the report's own rows. */
export const OWN = 'own';

/** The name of the sheet of months around the window. */
export const OUTLOOK = 'outlook';

/** Reads the months around the window, each with the parts of the outlook that it is in; undefined for a book without them. */
async function readOutlook(given: ListInputs): Promise<SourceRows | undefined> {
  const { context, plan, book } = given;
  const sheet = book.sheets.find(({ definition }) => definition.name === OUTLOOK);
  if (!sheet?.kept) return undefined;
  const factsOf = factReader(given, sheet.query, sheet.kept.table.columns);
  const rows = await mapInTurns(sheet.kept.rows, (row) => {
    const facts = factsOf(row);
    return layOver(outlookFacts(plan.main.selection, context.company, facts), facts);
  });
  return { rows, shared: new Map([['cutoff', plan.main.selection.cutoffDate]]) };
}

/** The gravity of standings, by which the worst are the largest. */
const GRAVITY: Readonly<Record<string, string>> = { over: '3', at_risk: '2', none: '1', on_plan: '0' };

function standingFacts(standing: Standing): [string, string | null][] {
  const status = standing.status ?? 'none';
  return [
    ...standing.facts,
    ['rank', standing.rank === undefined ? null : String(standing.rank)],
    ['standing', status.replaceAll('_', ' ')],
    ['gravity', GRAVITY[status] ?? null],
    ['manager', standing.manager ?? ''],
    ['reason', standing.reason ?? ''],
    ['stake', standing.costliest?.stake ?? null],
    ['costliest_reason', standing.costliest?.reason ?? standing.reason ?? ''],
  ];
}

function causeFacts(cause: Cause, index: number): ListRow {
  const { person, first_date: first, findings, scheduled_days: days, hours, scheduled_hours: planned } = cause;
  const isOfBoth = person !== null && days < findings && hours !== null && planned !== null;
  const facts = Object.entries(cause).map(([name, value]) => [name, textOf(value as Value)] as const);
  return new Map<string, string | null>([
    ...facts,
    ['place', String(index + 1)],
    ['since', person === null ? null : first],
    // Only findings about a person are of records and of scheduled days.
    ['records', person === null ? null : String(findings - days)],
    // Planned hours stand apart: nothing is booked for them.
    ['logged_hours', isOfBoth ? new Exact(hours).minus(planned).toFixed() : null],
    ['planned_hours', isOfBoth ? planned : null],
  ]);
}

/** Reads a value that is made of a row. */
type ValueOfRow = (row: readonly Value[]) => string | null;

/** Returns a function that reads the values of rows by name. @param further Values that are made, beside the label of a row. */
function factReader(
  { context: { company } }: ListInputs,
  query: Query,
  columns: readonly Column[],
  further: Readonly<Record<string, ValueOfRow>> = {},
): (row: readonly Value[]) => ListRow {
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  const valueIn = (row: readonly Value[], name: string) => textOf(row[places.get(name) ?? -1]);
  const names = namingColumns(query).filter((name) => places.has(name));
  const period: ValueOfRow = (row) => {
    const start = valueIn(row, 'period_start');
    return start && namePart(start, valueIn(row, 'period_end') ?? '', company);
  };
  const made = new Map<string, ValueOfRow>([
    ...(query.grouping.interval === 'quarter' && places.has('period_start') ? [['period', period] as const] : []),
    ['label', (row) => labelOf(query, columns, names, (name) => valueIn(row, name))],
    ...Object.entries(further),
  ]);
  const has = (name: string) => made.has(name) || places.has(name);
  const read = (row: readonly Value[], name: string) =>
    made.get(name)?.(row) ?? (has(name) ? valueIn(row, name) : undefined);
  return (row) => ({ has, get: (name) => read(row, name) });
}

/** Names a quarter, and a part of one by its days. */
function namePart(start: string, end: string, calendar: Calendar): string {
  const { startDate, endDate } = periodOf('quarter', start, calendar);
  const isWhole = startDate === start && endDate === end;
  return isWhole ? `fiscal ${nameQuarter(start, calendar.fiscalYearStartsIn)}` : `${start} to ${end}`;
}

function textOf(value: Value | undefined): string | null {
  return value == null ? null : String(value);
}

/** Names a row by its names, and where it has none, by what it is of. @param names The columns that name it. */
function labelOf(query: Query, [first]: readonly Column[], names: readonly string[], read: ReadFact): string {
  const found = names.flatMap((name) => read(name) ?? []);
  if (found.length > 0) return found.filter((name) => name !== '').join(', ');
  const id = read(first?.name ?? '');
  if (id === null) return nameNone(query.grouping.dimensions[0]?.label ?? 'name');
  return names.length > 0 ? nameUnknownId(query.grouping.dimensions[0]?.label, id) : `${first?.label} ${id}`;
}

/** Returns the columns that name a row: those called like their dimension, and the period. */
function namingColumns({ selection: { report }, grouping: { dimensions, interval } }: Query): string[] {
  const shown = report.columns
    ? Object.entries(report.columns)
    : dimensions.flatMap(({ name, shown }) => shown.map((column) => [column, `${name}.${column}`] as const));
  const named = shown.flatMap(([column, target]) => {
    const [dimension, attribute] = target.split('.');
    return dimension === attribute ? [column] : [];
  });
  return interval ? [...named, 'period_start'] : named;
}
