import { countsAs } from '../../relation/line-kinds.ts';
import type { Report } from '../catalogue/catalogue.ts';
import { periodStart } from '../catalogue/period.ts';
import { isScheduled } from './compared-lines.ts';
import { buildCondition, columnOfFilter, isNotGiven } from './filter.ts';
import { repeatedKeys } from './lookups.ts';
import { relationName } from './relations.ts';
import { groupBy, list } from './sql-columns.ts';
import { hasCrew, keyNames, periodKeys, rowLines, type SummaryPlan } from './summary-plan.ts';

const PEOPLE: NonNullable<Report['population']> = {
  relation: relationName('named_people'),
  columns: ['people_id', 'role_id'],
  always: relationName('roster'),
};

/**
 * Returns the rows that need no line: the population (`members`) in each period (`periods`).
 * Idle people appear in the periods in which they are on the roster, other members with include_empty; a filter they can't meet
 * excludes all. So a period of a window has the rows that it has alone.
 */
export function memberParts(plan: SummaryPlan): string[] {
  return [
    ...(plan.hasMembers || plan.hasAllPeriods || hasCrew(plan) ? [periodsPart(plan)] : []),
    ...(plan.hasMembers ? [`members AS (${selectMembers(plan)})`] : []),
  ];
}

/** Returns the keys of all rows (`row_keys`): those of lines, of members and, if all are rows, of periods. */
export function rowKeysPart(plan: SummaryPlan): string {
  const keys = list(keyNames(plan)) || '1 AS whole_window';
  const sources = [
    `SELECT DISTINCT ${keys} FROM cells`,
    ...[...plan.facts].flatMap(({ rowKeys }) => rowKeys?.(plan) ?? []).map((from) => `SELECT ${keys} FROM ${from}`),
    ...(plan.hasMembers ? [`SELECT ${keys} FROM members`] : []),
    ...(plan.hasAllPeriods ? [`SELECT ${keys} FROM periods`] : []),
  ];
  return `row_keys AS (${sources.join(' UNION ')})`;
}

/**
 * Returns the people whose capacity a row counts (`crew`).
 * Rows of people: members, if any, and anyone with lines. Others: people with counted hours.
 */
export function crewPart(plan: SummaryPlan): string {
  const { source } = plan;
  const keys = list(keyNames(plan), ['people_id']);
  if (plan.isOfPeople) {
    const members = plan.hasMembers ? `SELECT ${keys} FROM members UNION ` : '';
    return `crew AS (${members}SELECT ${keys} FROM ${rowLines(plan)} WHERE people_id IS NOT NULL${source.baseline ? ' AND NOT is_baseline' : ''})`;
  }
  return `crew AS (
  SELECT DISTINCT ${keys} FROM ${rowLines(plan)}
  WHERE people_id IS NOT NULL AND (${isScheduled('current', source)} AND ${plan.querySql.hasStatus('status')} OR ${countsAs('work')} AND is_to_date)
)`;
}

function periodsPart(plan: SummaryPlan): string {
  return `periods AS (
  ${selectPeriods(plan)}
)`;
}

/** Selects the periods of a plan's rows in the window, with their first and last day; the whole window where rows have no period. */
export function selectPeriods(plan: Pick<SummaryPlan, 'keys' | 'querySql' | 'calendar'>): string {
  const {
    querySql: { start, end },
    calendar,
  } = plan;
  const keys = periodKeys(plan);
  const periods = keys.map(({ name, period }) => `${periodStart(period ?? 'day', 'date', calendar)} AS ${name}`);
  return `SELECT ${list(periods, ['MIN(date) AS first_day', 'MAX(date) AS last_day'])}
  FROM (SELECT pl_add_days(${start}, series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(${start}, ${end}))) AS series (day)) AS days
  ${groupBy(keys.map(({ name }) => name))}`;
}

/** A range of the roster has a day in a period (3.4). */
const IS_ON_ROSTER = `roster.valid_from <= periods.last_day AND roster.valid_to > periods.first_day
    AND pl_has_common_weekday(roster.weekdays, pl_weekdays_between(
      GREATEST(roster.valid_from, periods.first_day), LEAST(pl_add_days(roster.valid_to, -1), periods.last_day)))`;

function selectMembers(plan: SummaryPlan): string {
  const { query, source, isOfPeople, keys: allKeys } = plan;
  const population = query.selection.report.population ?? PEOPLE;
  const repeats = repeatedKeys(plan);
  const keys = allKeys.map(({ name, dimension, period }) => {
    if (period) return `periods.${name}`;
    const from = repeats.find((repeated) => repeated.name === name)?.relation ?? 'member';
    return `${from}.${dimension?.line?.split('.')[1]} AS ${name}`;
  });
  const joins = repeats.map(
    ({ relation, key }) =>
      `LEFT JOIN ${source.alone.relation(relation)} AS ${relation} ON ${relation}.${key} = member.${key} `,
  );
  const { always } = population;
  const needsRoster = always !== undefined && !query.grouping.includesEmpty;
  const roster = needsRoster
    ? `JOIN ${source.alone.defined(always)} AS roster ON roster.people_id = member.people_id `
    : '';
  const conditions = [
    'member.is_known',
    ...(population.only === undefined ? [] : [`member.${population.only}`]),
    ...(needsRoster ? [IS_ON_ROSTER] : []),
    ...(query.grouping.includesEmpty || always ? [] : ['FALSE']),
    ...query.selection.filters.map((filter) =>
      population.columns.includes(columnOfFilter(filter, query.selection.report))
        ? buildCondition(filter, query.selection.report, 'member', source)
        : isNotGiven(filter),
    ),
  ];
  return `SELECT DISTINCT ${list(keys, isOfPeople ? ['member.people_id'] : [])} FROM ${source.alone.defined(population.relation)} AS member ${joins.join('')}${roster}CROSS JOIN periods WHERE ${conditions.join(' AND ')}`;
}
