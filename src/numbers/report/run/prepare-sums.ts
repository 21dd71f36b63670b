import { type Calendar, daysBetween } from '../../../base/calendar/index.ts';
import type { Value } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Alias } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isAdditive } from '../catalogue/measure-meaning.ts';
import { PERIOD_DAYS } from '../catalogue/period.ts';
import type { Column, Subtotal } from '../catalogue/table.ts';
import { factsOf } from '../kinds/kinds.ts';
import { compileSummary, type SummaryStatement } from '../plan/compile-summary.ts';
import { ONE_LEVEL } from '../plan/levels.ts';
import { LINK_COLUMN } from '../plan/links.ts';
import { withParts } from '../plan/measure-sql.ts';
import { maySeeInPart } from '../plan/outside.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { regroup } from '../request/change-query.ts';
import { checkColumns, type Query } from '../request/query.ts';
import type { Facts } from '../source/summary-plan.ts';
import { isOfPeople, type SummaryPlan } from '../source/summary-plan.ts';
import type { ReportContext } from './context.ts';
import { tiePositions, tieRows } from './row-ties.ts';
import type { Comparison } from './ties.ts';

/** Counting rows before computing them pays off from this number of periods. Unit: periods. */
const MANY_PERIODS = 1000;

/** A column that a reader may choose, and its place in the rows. */
export interface PlacedColumn {
  readonly column: Column;
  readonly index: number;
}

/** The rows and totals of a report that sums, in memory. */
export interface Sums {
  readonly columns: readonly Column[];
  /** The columns that a reader may choose from, aliases included. */
  readonly offered: readonly PlacedColumn[];
  readonly rows: readonly (readonly Value[])[];
  readonly totals: readonly Value[];
  /** Those of the groups of rows, in the order in which they follow them: inner groups end first. Undefined if not asked for. */
  readonly subtotals: readonly Subtotal[] | undefined;
  readonly ties: readonly Comparison[];
}

/** Plan of a report that sums: what it reads, and how. */
export interface PreparedSums {
  readonly query: Query;
  readonly plan: SummaryPlan;
  readonly statement: SummaryStatement;
  /** The columns of the rows, the link of a row included. */
  readonly columns: readonly Column[];
  readonly offered: readonly PlacedColumn[];
}

/**
 * Plans the measures of a query that are shown, and those of its aliases.
 * @throws AppError usage for unknown columns.
 */
export function prepareSums(calendar: Calendar, query: Query): PreparedSums {
  const whole = planMeasures(calendar, query);
  const shown = queryShown(query);
  return shown === query ? whole : planMeasures(calendar, shown);
}

function planMeasures(calendar: Calendar, query: Query): PreparedSums {
  const { measures } = query.grouping;
  const { aliases, hasLinks } = query.presentation;
  const extra = aliases.map(({ measure }) => measure).filter((measure) => !measures.includes(measure));
  const plan = planSummary(regroup(query, { measures: [...measures, ...extra] }, query.presentation), calendar);
  const statement = compileSummary(plan, ONE_LEVEL);
  const { columns } = statement;
  const link = hasLinks ? [{ column: LINK_COLUMN, index: columns.length }] : [];
  const offered = [...offerColumns(columns, extra.length, aliases), ...link];
  checkColumns(
    query,
    offered.map(({ column }) => column.name),
    columns.slice(0, columns.length - extra.length).map(({ name }) => name),
  );
  return { query, plan, statement, columns: [...columns, ...link.map(({ column }) => column)], offered };
}

/**
 * Narrows a query to the measures that its `fields` and `sort` name; its rows stay the same. Names alone then take a tenth of the time.
 * Keeps one measure of capacity where that decides which people have rows.
 */
function queryShown(query: Query): Query {
  const { selection, grouping, presentation } = query;
  const { fields, sort = [], aliases } = presentation;
  if (!fields) return query;
  const named = new Set([...fields, ...sort.map(({ column }) => column)]);
  const some = (isOne: (facts: Facts) => boolean) => (measure: Measure) =>
    withParts(selection.catalogue, [measure]).flatMap(factsOf).some(isOne);
  const isOfCrew = some(({ population }) => population === 'crew');
  const hasColumn = some(({ columns = [] }) => columns.some(({ name }) => named.has(name)));
  const asked = grouping.measures.filter((measure) => named.has(measure.name) || hasColumn(measure));
  const hasPeople = selection.report.population?.always !== undefined;
  const isDecided = hasPeople || !isOfPeople(grouping.dimensions) || asked.some(isOfCrew);
  const deciding = isDecided ? [] : grouping.measures.filter(isOfCrew).slice(0, 1);
  const measures = grouping.measures.filter((measure) => asked.includes(measure) || deciding.includes(measure));
  return regroup(query, { measures }, { ...presentation, aliases: aliases.filter(({ name }) => named.has(name)) });
}

/** Compares the rows with the totals, unless a line can be in several rows. */
export async function tieTotals(
  { selection, grouping: { measures, dimensions } }: Query,
  columns: readonly Column[],
  rows: Sums['rows'],
  totals: readonly Value[],
): Promise<Comparison[]> {
  // A reader of a part sees positions of whole projects alone, and revenue of others beside them (L2).
  const positions = selection.part ? [] : await tiePositions(columns, rows, totals);
  if (dimensions.some(({ overlaps }) => overlaps)) return positions;
  const placeOf = (measure: Measure) => columns.findIndex(({ name }) => name === measure.name);
  const isBlank = (measure: Measure) => maySeeInPart(selection, measure) && (totals[placeOf(measure)] ?? null) === null;
  const additive = measures.filter((measure) => isAdditive(measure) && !isBlank(measure)).map(({ name }) => name);
  return [...(await tieRows(columns, rows, totals, new Set(additive))), ...positions];
}

/** Tests whether the rows are counted before they are computed. */
export function hasManyPeriods({ maxRows }: ReportContext, query: Query): boolean {
  return maxRows !== undefined && countPeriods(query) > MANY_PERIODS;
}

/** @throws AppError limit for more rows than the reader may have. */
export async function assertFewRows(
  { database, maxRows = Number.POSITIVE_INFINITY }: ReportContext,
  query: Query,
  countSql: string,
): Promise<void> {
  const [counted] = await database.rows<{ count: number }>(countSql);
  if ((counted?.count ?? 0) > maxRows) throw tooManyRows(query, maxRows);
}

/** Returns the largest number of periods that the rows can have; 0 without periods. */
function countPeriods({ selection, grouping: { interval, dimensions } }: Query): number {
  const { startDate, endDate } = selection;
  const lengths = [interval, ...dimensions.map(({ period }) => period)].flatMap((period) =>
    typeof period === 'string' ? [PERIOD_DAYS[period]] : [],
  );
  return lengths.length === 0 ? 0 : daysBetween(startDate, endDate) / Math.min(...lengths);
}

export function tooManyRows({ selection: { report }, grouping: { interval } }: Query, maxRows: number): AppError {
  const message = `The report ${report.name} has more than ${maxRows} rows`;
  const narrowed = ['start_date', 'end_date', ...(interval ? ['interval'] : []), ...(report.rows ? [] : ['group_by'])];
  return new AppError('limit', message, {
    fields: narrowed.map((field) => ({ field, message })),
    hint: 'Ask for a shorter window, a longer interval, fewer dimensions or a filter.',
  });
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
