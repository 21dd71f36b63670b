/*
 * The relations that a report reads: lines in the window (`window-lines`) or their sums by month (`month-sums`), within the filters
 * (`filter`), of the reported state and its baseline (`compared-lines`), and the rows that need no line (`members`).
 * A plan, the type of this file, says which of them a statement needs; `exact-units` has the arithmetic of decimals.
 */
import type { Calendar } from '../../calendar/day.ts';
import type { Amount, Dimension } from '../catalogue/catalogue.ts';
import type { Interval } from '../catalogue/period.ts';
import type { Query } from '../request/query.ts';
import type { QuerySql } from './query-sql.ts';

/** A grouping key: one for each dimension, and one for the interval. */
export interface RowKey {
  readonly name: string;
  readonly dimension: Dimension | undefined;
  readonly period: Interval | undefined;
}

/** The families of measures that aren't sums of lines. */
export type FamilyName = 'people' | 'person_days' | 'budget' | 'effect' | 'earned' | 'overtime';

/** Measures that are computed from the same values. */
export interface Family {
  /** Returns the columns of the values, in each relation of rows or of totals. */
  values(plan: SummaryPlan): readonly string[];
  /** Returns the clauses WITH that define those relations. */
  parts(plan: SummaryPlan): string[];
  /** Relations with one row for each row of the report, found by its keys. */
  readonly ofRows: readonly string[];
  /** Relations with one row, for the totals. */
  readonly ofTotals: readonly string[];
}

/** The plan of a report that sums; each `...Parts` function turns it into WITH clauses. */
export interface SummaryPlan {
  readonly query: Query;
  readonly querySql: QuerySql;
  /** False if the values are SQL that is known only when the statement runs. */
  readonly hasFixedDays: boolean;
  readonly calendar: Calendar;
  readonly keys: readonly RowKey[];
  readonly amounts: readonly Amount[];
  /** Idle people count in a row's capacity. */
  readonly isOfPeople: boolean;
  /** A line may belong to several rows. */
  readonly hasOverlap: boolean;
  /** The families of its measures. */
  readonly families: ReadonlySet<FamilyName>;
  /** A measure sums lines after today. */
  readonly hasFuture: boolean;
  /** Rows can exist without lines: idle people, or everything with include_empty. */
  readonly hasMembers: boolean;
  /** Every period of the window is a row. */
  readonly hasAllPeriods: boolean;
}

/** Returns whether all dimensions are periods or attributes of people. */
export function isOfPeople(dimensions: readonly Dimension[]): boolean {
  return dimensions.every(({ person, period }) => person || period);
}

export function keyNames({ keys }: SummaryPlan): string[] {
  return keys.map(({ name }) => name);
}

/** Returns the keys of a plan's rows without those of which a line has several. */
export function keysOnce({ keys }: SummaryPlan): string[] {
  return keys.filter(({ dimension }) => !dimension?.overlaps).map(({ name }) => name);
}

/** Returns the period keys, which every day of the window has. */
export function periodKeys({ keys }: SummaryPlan): RowKey[] {
  return keys.filter(({ period }) => period);
}

/** Returns the name of the relation with a line for every row it belongs to. */
export function rowLines({ hasOverlap }: SummaryPlan): string {
  return hasOverlap ? 'row_lines' : 'lines';
}
