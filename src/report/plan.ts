import {
  AMOUNTS,
  type Amount,
  type Catalogue,
  type Dimension,
  type Measure,
  parsePercent,
  parseSum,
} from './catalogue.ts';
import type { Query } from './parameters.ts';
import type { Calendar, Interval } from './period.ts';
import type { QuerySql } from './query-sql.ts';

/** What rows are grouped by: one per dimension, and one for the interval. */
export interface RowKey {
  readonly name: string;
  readonly dimension: Dimension | undefined;
  readonly period: Interval | undefined;
}

/** Everything that the parts of a summary's statement are made from. Each part is one or more named queries of its WITH clause. */
export interface SummaryPlan {
  readonly catalogue: Catalogue;
  readonly query: Query;
  readonly querySql: QuerySql;
  readonly calendar: Calendar;
  readonly keys: readonly RowKey[];
  /** What is summed of the lines. */
  readonly amounts: readonly Amount[];
  /** Every dimension is the person's or a period: a row's people are all people with its attributes, idle ones too. */
  readonly isOfPeople: boolean;
  /** A line may stand in several rows. */
  readonly hasOverlap: boolean;
  readonly hasCapacity: boolean;
  readonly hasBudget: boolean;
  /** Something is summed after today. */
  readonly hasFuture: boolean;
  /** Rows may have no lines: people who are idle, and, asked for, whatever has no lines. */
  readonly hasMembers: boolean;
}

/** Says what a summary is made of. */
export function planSummary(catalogue: Catalogue, query: Query, calendar: Calendar, querySql: QuerySql): SummaryPlan {
  const keys: RowKey[] = query.dimensions.map((dimension) => ({
    name: `key_${dimension.name}`,
    dimension,
    period: dimension.period,
  }));
  if (query.interval) keys.push({ name: 'key_interval', dimension: undefined, period: query.interval });
  const needed = query.measures.flatMap((measure) => [measure, ...partsOf(catalogue, measure)]);
  const summed = new Set(needed.flatMap(({ sum }) => parseSum(sum ?? '').map(({ amount }) => amount)));
  const isOfPeople = keys.every(({ dimension, period }) => period || dimension?.person);
  const hasCapacity = needed.some(({ people }) => people);
  return {
    catalogue,
    query,
    querySql,
    calendar,
    keys,
    amounts: AMOUNTS.filter((amount) => summed.has(amount)),
    isOfPeople,
    hasOverlap: query.dimensions.some(({ overlaps }) => overlaps),
    hasCapacity,
    hasBudget: needed.some(({ budget }) => budget),
    hasFuture: needed.some(({ sum = '' }) =>
      parseSum(sum).some(({ lines }) => catalogue.lines.get(lines)?.includes('is_future')),
    ),
    hasMembers: query.includesEmpty || query.report.population?.always !== undefined || (isOfPeople && hasCapacity),
  };
}

function partsOf(catalogue: Catalogue, measure: Measure): Measure[] {
  return (measure.percent ? parsePercent(measure.percent) : []).flatMap((name) => catalogue.measures.get(name) ?? []);
}

/** The names of all keys. */
export function keyNames({ keys }: SummaryPlan): string[] {
  return keys.map(({ name }) => name);
}

/** The keys that are periods, which every day of the window has. */
export function periodKeys({ keys }: SummaryPlan): RowKey[] {
  return keys.filter(({ period }) => period);
}

/** The keys that are not. */
export function entityKeys({ keys }: SummaryPlan): RowKey[] {
  return keys.filter(({ period }) => !period);
}

/** The query that has the lines once for every row that they stand in. */
export function rowLines({ hasOverlap }: SummaryPlan): string {
  return hasOverlap ? 'row_lines' : 'lines';
}

/** Parts of an SQL list, with commas. */
export function list(...parts: readonly (readonly string[])[]): string {
  return parts.flat().join(', ');
}

/** GROUP BY some columns; by none, all rows are one group. */
export function groupBy(columns: readonly string[]): string {
  return columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : '';
}
