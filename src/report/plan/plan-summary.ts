/*
 * A query becomes a plan: `plan-summary` for reports that sum, `plan-list` for lists, `plan-number` for one number.
 * Families of measures (`capacity`, `person-days`, `budget`, `effects`, `earned`, and the sums of lines) give clauses for rows and totals,
 * which `compile-summary` joins; `levels` does it for rows, subtotals and periods across in one statement.
 * Other parts never import this room.
 */
import type { Calendar } from '../../calendar/day.ts';
import { AMOUNTS } from '../catalogue/catalogue.ts';
import { termsOf } from '../catalogue/measure-formula.ts';
import type { CapacityPart } from '../catalogue/measure-kinds.ts';
import type { Query } from '../request/query.ts';
import { type QuerySql, querySqlOf } from '../source/query-sql.ts';
import { type FamilyName, isOfPeople, type RowKey, type SummaryPlan } from '../source/summary-plan.ts';
import { amountsOfEffect, EFFECT_AMOUNTS, PERSON_DAY_AMOUNTS, withParts } from './measure.ts';

/** The kinds of measures that aren't sums of lines, each of which names a family. */
const FAMILY_NAMES = ['people', 'person_days', 'budget', 'effect', 'earned'] as const;

/** Measures of people that need the family of overtime, too: their SQL in `PEOPLE` reads its columns. */
const OF_OVERTIME: readonly CapacityPart[] = ['overtime', 'future_overtime', 'unscheduled'];

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
