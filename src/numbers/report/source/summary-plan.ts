/*
 * The relations that a report reads, which a `state-source` names: lines in the window (`window-lines`) or their sums by month
 * (`month-sums`), within the filters (`filter`), of the reported state and its baseline (`compared-lines`), and the rows that need no
 * line (`members`).
 * A plan, the type of this file, says which of them a statement needs; `exact-units` has the arithmetic of decimals.
 */
import type { Calendar } from '../../../base/calendar/index.ts';
import type { Amount, Dimension } from '../catalogue/catalogue.ts';
import type { Interval } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import type { QuerySql } from './query-sql.ts';
import type { SqlColumn } from './sql-columns.ts';
import type { StateSource } from './state-source.ts';

/** A grouping key: one for each dimension, and one for the interval. */
export interface RowKey {
  readonly name: string;
  readonly dimension: Dimension | undefined;
  readonly period: Interval | undefined;
}

/** Whose facts are added up: those of each row, by its keys, or all together. */
export interface SumScope {
  readonly name: 'row' | 'total';
  readonly keys: readonly string[];
  /** The relation of the lines: for rows, a line stands in it for each row that it belongs to. */
  readonly lines: string;
}

/** Rows behind numbers: the numbers of a row are sums of its facts, those of the totals sums of all facts, each once. */
export interface Facts {
  /** The end of the names of the sums: row_NAME and total_NAME. */
  readonly name: string;
  /** Whose facts a row has: those of the people who count in it, or of the whole life of the projects in it. Default: of its lines. */
  readonly population?: 'crew' | 'lives';
  /** True if the sums of whole months are enough to know the row's lines. */
  readonly takesMonths?: true;
  /** The columns of a line that the facts read, beside its ids and amounts. */
  readonly lineColumns?: readonly string[];
  /** The columns that the facts add to the rows, beside the measures. */
  readonly columns?: readonly Column[];
  /** Returns a relation that all levels share, whose keys are rows beside those of lines. Default: none. */
  rowKeys?(plan: SummaryPlan): string | undefined;
  /** Returns the clauses that all levels of a report share, at the grain of all their keys. */
  shared?(plan: SummaryPlan): string[];
  /** Returns the clauses WITH that rows and totals share. */
  parts?(plan: SummaryPlan): string[];
  /** Returns the facts of a scope, with the clauses that they need. The scope's keys may be qualified. */
  of(plan: SummaryPlan, scope: SumScope): FactsOfScope;
  sums(plan: SummaryPlan): readonly SqlColumn[];
}

interface FactsOfScope {
  readonly parts?: readonly string[];
  readonly from: string;
  readonly keys?: readonly string[];
}

/** The plan of a report that sums; each `...Parts` function turns it into WITH clauses. */
export interface SummaryPlan {
  readonly query: Query;
  readonly source: StateSource;
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
  /** The facts that its measures add up, besides lines. */
  readonly facts: ReadonlySet<Facts>;
  /** The properties by which the sets of lines that its measures sum are told apart. */
  readonly properties: ReadonlySet<string>;
  /** Rows can exist without lines: idle people, or everything with include_empty. */
  readonly hasMembers: boolean;
  /** Every period of the window is a row. */
  readonly hasAllPeriods: boolean;
}

/** Returns whether all dimensions are periods or attributes of people: everybody counts in their rows, idle or not. */
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
export function periodKeys({ keys }: Pick<SummaryPlan, 'keys'>): RowKey[] {
  return keys.filter(({ period }) => period);
}

/** Tests whether a plan counts the people of its rows. */
export function hasCrew({ facts }: Pick<SummaryPlan, 'facts'>): boolean {
  return [...facts].some(({ population }) => population === 'crew');
}

/**
 * Returns facts by person and day. If each person is in one row, the totals add up the days of the rows.
 * @param select Selects the days of a scope by its keys, in parentheses.
 */
export function factsOfDays(
  { query }: SummaryPlan,
  scope: SumScope,
  name: string,
  select: (scope: SumScope) => string,
): FactsOfScope {
  const shared = isOncePerPerson(query.grouping.dimensions) ? 'row' : scope.name;
  const days = `${shared}_${name}`;
  return { parts: shared === scope.name ? [`${days} AS ${select(scope)}`] : [], from: days };
}

/** Returns whether each person is in one row of a period, so that the totals add up the people of the rows. */
export function isOncePerPerson(dimensions: readonly Dimension[]): boolean {
  return isOfPeople(dimensions) && !dimensions.some(({ overlaps }) => overlaps);
}

/** Returns the name of the relation with a line for every row it belongs to. */
export function rowLines({ hasOverlap }: SummaryPlan): string {
  return hasOverlap ? 'row_lines' : 'lines';
}
