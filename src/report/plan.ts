import { AMOUNTS, type Amount, type Catalogue, type Dimension, parseSum } from './catalogue.ts';
import { withParts } from './measure.ts';
import type { Query } from './parameters.ts';
import type { Calendar, Interval } from './period.ts';
import type { QuerySql } from './query-sql.ts';

/** A grouping key: one for each dimension, and one for the interval. */
export interface RowKey {
  readonly name: string;
  readonly dimension: Dimension | undefined;
  readonly period: Interval | undefined;
}

/** The plan of a summary's statement; each `...Parts` function turns it into WITH clauses. */
export interface SummaryPlan {
  readonly catalogue: Catalogue;
  readonly query: Query;
  readonly querySql: QuerySql;
  readonly calendar: Calendar;
  readonly keys: readonly RowKey[];
  readonly amounts: readonly Amount[];
  /** All dimensions are periods or attributes of people, so idle people count in a row's capacity. */
  readonly isOfPeople: boolean;
  /** A line may belong to several rows. */
  readonly hasOverlap: boolean;
  readonly hasCapacity: boolean;
  readonly hasBudget: boolean;
  /** A measure sums lines after today. */
  readonly hasFuture: boolean;
  /** Rows can exist without lines: idle people, or everything with include_empty. */
  readonly hasMembers: boolean;
}

export function planSummary(catalogue: Catalogue, query: Query, calendar: Calendar, querySql: QuerySql): SummaryPlan {
  const keys: RowKey[] = query.dimensions.map((dimension) => ({
    name: `key_${dimension.name}`,
    dimension,
    period: dimension.period,
  }));
  if (query.interval) keys.push({ name: 'key_interval', dimension: undefined, period: query.interval });
  const needed = withParts(catalogue, query.measures);
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

export function keyNames({ keys }: SummaryPlan): string[] {
  return keys.map(({ name }) => name);
}

/** Returns the period keys, which every day of the window has. */
export function periodKeys({ keys }: SummaryPlan): RowKey[] {
  return keys.filter(({ period }) => period);
}

export function entityKeys({ keys }: SummaryPlan): RowKey[] {
  return keys.filter(({ period }) => !period);
}

/** Returns the name of the relation with a line for every row it belongs to. */
export function rowLines({ hasOverlap }: SummaryPlan): string {
  return hasOverlap ? 'row_lines' : 'lines';
}

export function list(...parts: readonly (readonly string[])[]): string {
  return parts.flat().join(', ');
}

/** Returns a GROUP BY clause; empty without columns, which makes all rows one group. */
export function groupBy(columns: readonly string[]): string {
  return columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : '';
}
