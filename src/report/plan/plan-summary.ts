/*
 * A query becomes a plan: `plan-summary` for reports that sum, `plan-list` for lists, `plan-number` for one number.
 * Families of measures (`capacity`, `person-days`, `budget`, `effects`, `earned`, and the sums of lines) give clauses for rows and totals,
 * which `compile-summary` joins; `levels` does it for rows, subtotals and periods across in one statement.
 * Other parts never import this room.
 */
import type { Calendar } from '../../calendar/day.ts';
import { AMOUNTS, type Amount, type Dimension } from '../catalogue/catalogue.ts';
import { termsOf } from '../catalogue/measure-formula.ts';
import type { CapacityPart } from '../catalogue/measure-kinds.ts';
import type { Interval } from '../catalogue/period.ts';
import type { Query } from '../request/query.ts';
import { amountsOfEffect, EFFECT_AMOUNTS, PERSON_DAY_AMOUNTS, withParts } from './measure.ts';
import { type QuerySql, querySqlOf } from './query-sql.ts';

/** A grouping key: one for each dimension, and one for the interval. */
export interface RowKey {
  readonly name: string;
  readonly dimension: Dimension | undefined;
  readonly period: Interval | undefined;
}

/** The kinds of measures that aren't sums of lines, each of which names a family. */
const FAMILY_NAMES = ['people', 'person_days', 'budget', 'effect', 'earned'] as const;

export type FamilyName = (typeof FAMILY_NAMES)[number] | 'overtime';

/** Measures of people that need the family of overtime, too: their SQL in `PEOPLE` reads its columns. */
const OF_OVERTIME: readonly CapacityPart[] = ['overtime', 'future_overtime', 'unscheduled'];

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

/** Plans a report that sums. @param querySql The query's values as SQL. Default: literals. */
export function planSummary(query: Query, calendar: Calendar, querySql?: QuerySql): SummaryPlan {
  const { selection, grouping } = query;
  const { catalogue, report } = selection;
  const keys: RowKey[] = grouping.dimensions.map((dimension) => ({
    name: `key_${dimension.name}`,
    dimension,
    period: dimension.period,
  }));
  if (grouping.interval) keys.push({ name: 'key_interval', dimension: undefined, period: grouping.interval });
  const needed = withParts(catalogue, grouping.measures);
  const summed = new Set<string>(
    needed.flatMap((measure): readonly string[] => {
      if (measure.kind === 'person_days') return PERSON_DAY_AMOUNTS[measure.of];
      if (measure.kind === 'effect')
        return ['hours', ...amountsOfEffect(measure.of).map((amount) => EFFECT_AMOUNTS[amount])];
      return termsOf(measure).map(({ amount }) => amount);
    }),
  );
  const families = new Set<FamilyName>(FAMILY_NAMES.filter((name) => needed.some(({ kind }) => kind === name)));
  // Last, as its clauses read those of capacity.
  if (needed.some(({ kind, of }) => kind === 'people' && OF_OVERTIME.includes(of))) families.add('overtime');
  const ofPeople = isOfPeople(grouping.crewDimensions ?? grouping.dimensions);
  return {
    query,
    querySql: querySql ?? querySqlOf(query.selection),
    hasFixedDays: querySql === undefined,
    calendar,
    keys,
    amounts: AMOUNTS.filter((amount) => summed.has(amount)),
    isOfPeople: ofPeople,
    hasOverlap: grouping.dimensions.some(({ overlaps }) => overlaps),
    families,
    hasFuture: needed.some((measure) =>
      termsOf(measure).some(({ lines }) => catalogue.lines.get(lines)?.is_future !== undefined),
    ),
    hasMembers:
      grouping.includesEmpty || report.population?.always !== undefined || (ofPeople && families.has('people')),
    hasAllPeriods: grouping.hasAllPeriods,
  };
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
