/*
 * A query becomes a plan: `plan-summary` for reports that sum, `plan-list` for lists, `plan-number` for one number.
 * `compile-summary` adds up the facts of its measures by the keys of rows and for the totals; `levels` does it for rows, subtotals and
 * periods across in one statement; `contributions` lists the facts of one number.
 * Other parts never import this room.
 */

import type { Calendar } from '../../../base/calendar/index.ts';
import { AMOUNTS } from '../catalogue/catalogue.ts';
import { termsOf } from '../catalogue/measure-meaning.ts';
import { amountsOf, factsOfAll, isOfLives } from '../kinds/kinds.ts';
import type { Query } from '../request/query.ts';
import { type QuerySql, querySqlOf } from '../source/query-sql.ts';
import { stateSource } from '../source/state-source.ts';
import { hasCrew, isOfPeople, type RowKey, type SummaryPlan } from '../source/summary-plan.ts';
import { withParts } from './measure-sql.ts';
import { outsideFacts } from './outside.ts';

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
  const summed = new Set(needed.flatMap(amountsOf));
  // Rows that have the numbers of whole lives are the same, whatever else is asked: some have no lines but those of kind revenue (K4).
  if (report.lines?.includes('revenue') && needed.some(isOfLives)) summed.add('earned_fee').add('planned_fee');
  const facts = new Set([...factsOfAll(needed), ...outsideFacts(selection, needed)]);
  const ofPeople = isOfPeople(grouping.rowDimensions ?? grouping.dimensions);
  return {
    query,
    source: stateSource(selection),
    querySql: querySql ?? querySqlOf(selection),
    hasFixedDays: querySql === undefined,
    calendar,
    keys,
    amounts: AMOUNTS.filter((amount) => summed.has(amount)),
    isOfPeople: ofPeople,
    hasOverlap: grouping.dimensions.some(({ overlaps }) => overlaps),
    facts,
    properties: new Set(needed.flatMap(termsOf).flatMap(({ lines }) => Object.keys(catalogue.lines.get(lines) ?? {}))),
    hasMembers: grouping.includesEmpty || report.population?.always !== undefined || (ofPeople && hasCrew({ facts })),
    hasAllPeriods: grouping.hasAllPeriods,
  };
}
