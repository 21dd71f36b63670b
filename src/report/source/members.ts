import { periodStart } from '../catalogue/period.ts';
import { isScheduled } from './compared-lines.ts';
import { buildCondition, columnOfFilter, isNotGiven } from './filter.ts';
import { kindLiteral } from './query-sql.ts';
import { list } from './sql-columns.ts';
import { entityKeys, keyNames, periodKeys, type SummaryPlan } from './summary-plan.ts';

const PEOPLE = { relation: 'marts.people', columns: ['people_id', 'role_id'], always: 'active' };

/**
 * Returns the rows that need no line: the population (`members`) in every period (`periods`).
 * Idle people always appear, other members with include_empty; a filter they can't meet excludes all.
 */
export function memberParts(plan: SummaryPlan): string[] {
  return [
    ...(plan.hasMembers || plan.hasAllPeriods ? [periodsPart(plan)] : []),
    ...(plan.hasMembers ? [`members AS (${selectMembers(plan)})`] : []),
  ];
}

/** Returns the keys of all rows (`row_keys`): those of lines, of members and, if all are rows, of periods. */
export function rowKeysPart(plan: SummaryPlan): string {
  const keys = list(keyNames(plan)) || '1 AS whole_window';
  const sources = [
    `SELECT DISTINCT ${keys} FROM cells`,
    ...(plan.hasMembers
      ? [`SELECT ${keys} FROM ${plan.families.has('people') ? 'crew' : 'members'} CROSS JOIN periods`]
      : []),
    ...(plan.hasAllPeriods ? [`SELECT ${keys} FROM periods`] : []),
  ];
  return `row_keys AS (${sources.join(' UNION ')})`;
}

/**
 * Returns the people whose capacity a row counts (`crew`).
 * Rows of people: members and anyone with lines, in every period. Others: people with counted hours.
 */
export function crewPart(plan: SummaryPlan): string {
  const { selection } = plan.query;
  const keys = list(crewKeys(plan), ['people_id']);
  if (plan.isOfPeople) {
    return `crew AS (SELECT ${keys} FROM members UNION SELECT ${keys} FROM lines WHERE people_id IS NOT NULL${selection.baseline ? ' AND NOT is_baseline' : ''})`;
  }
  return `crew AS (
  SELECT DISTINCT ${keys} FROM ${plan.hasOverlap ? 'row_lines' : 'lines'}
  WHERE people_id IS NOT NULL AND (${isScheduled('current', selection)} AND ${plan.querySql.hasStatus('status')} OR kind = ${kindLiteral('actual')} AND is_to_date)
)`;
}

export function crewKeys(plan: SummaryPlan): string[] {
  return plan.isOfPeople ? entityKeys(plan).map(({ name }) => name) : keyNames(plan);
}

function periodsPart(plan: SummaryPlan): string {
  const {
    querySql: { start, end },
    calendar,
  } = plan;
  const periods = periodKeys(plan).map(
    ({ name, period }) => `${periodStart(period ?? 'day', 'date', calendar)} AS ${name}`,
  );
  return `periods AS (
  SELECT DISTINCT ${list(periods) || '1 AS whole_window'}
  FROM (SELECT pl_add_days(${start}, series.day) AS date FROM UNNEST(pl_number_series(0, pl_days_between(${start}, ${end}))) AS series (day)) AS days
)`;
}

function selectMembers({ query, isOfPeople, keys: allKeys }: SummaryPlan): string {
  const population = query.selection.report.population ?? PEOPLE;
  const keys = allKeys
    .filter(({ period }) => !period)
    .map(({ name, dimension }) => `member.${dimension?.line?.split('.')[1]} AS ${name}`);
  const always = population.always ? `member.${population.always}` : 'FALSE';
  const conditions = [
    'member.is_known',
    ...(query.grouping.includesEmpty ? [] : [always]),
    ...query.selection.filters.map((filter) =>
      population.columns.includes(columnOfFilter(filter, query.selection.report))
        ? buildCondition(filter, query.selection.report, 'member')
        : isNotGiven(filter),
    ),
  ];
  return `SELECT ${list(keys, isOfPeople ? ['member.people_id'] : [])} FROM ${population.relation} AS member WHERE ${conditions.join(' AND ')}`;
}
