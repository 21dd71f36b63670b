import { periodStart } from '../catalogue/period.ts';
import { isScheduled } from '../source/compared-lines.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { groupBy, list } from '../source/sql-columns.ts';
import { type Family, keyNames, periodKeys, rowLines, type SummaryPlan } from '../source/summary-plan.ts';

/** Capacity (D5: work hours less time off, of those who have any) and time off. Each person counts once over the days of the window. */
export const CAPACITY: Family = {
  values: () => ['capacity', 'capacity_to_date', 'time_off'],
  parts: (plan) => [
    workDaysPart(plan),
    capacityDaysPart(plan),
    peopleCapacityPart(plan),
    rowCapacityPart(plan),
    `total_capacity AS (SELECT ${list(CAPACITY_SUMS)} FROM people_capacity)`,
  ],
  ofRows: ['row_capacity'],
  ofTotals: ['total_capacity'],
};

/**
 * Scheduled hours above capacity, and within it (`covered`), by person and day. Its clauses follow those of `CAPACITY`.
 * Separate, because it takes as long as capacity, and most reports of people don't show it.
 */
export const OVERTIME: Family = {
  values: () => ['overtime', 'covered', 'future_overtime'],
  parts: (plan) => [
    overtimePart(plan, 'row_overtime', rowLines(plan), keyNames(plan)),
    overtimePart(plan, 'total_overtime', 'lines', []),
  ],
  ofRows: ['row_overtime'],
  ofTotals: ['total_overtime'],
};

const CAPACITY_SUMS = ['capacity', 'capacity_to_date', 'time_off'].map((name) => `SUM(${name}) AS ${name}`);

/** Returns the days on which those in the crew can work. */
function workDaysPart({ querySql: { start, end } }: SummaryPlan): string {
  const first = `GREATEST(valid_from, ${start})`;
  const last = `LEAST(pl_add_days(capacity_to, -1), ${end})`;
  // Chooses people before listing their days: each has hundreds.
  return `work_days AS (
  SELECT people_id, pl_add_days(first_day, series.day) AS date, week_hours
  FROM (
    SELECT people_id, ${first} AS first_day, ${last} AS last_day, week_hours
    FROM core.work_hours
    WHERE valid_from <= ${end} AND capacity_to > ${start} AND people_id IN (SELECT people_id FROM crew)
  ) AS spans
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(first_day, last_day))) AS series (day)
)`;
}

function capacityDaysPart({ querySql }: SummaryPlan): string {
  return `capacity_days AS (
  SELECT *, CASE WHEN date <= ${querySql.cutoff} THEN capacity END AS capacity_to_date
  FROM (
    SELECT work_days.people_id, work_days.date, COALESCE(time_off_hours, 0) AS time_off,
      pl_hours_on(week_hours, work_days.date) - COALESCE(time_off_hours, 0) AS capacity
    FROM work_days
    LEFT JOIN core.time_off_days ON time_off_days.people_id = work_days.people_id AND time_off_days.date = work_days.date
  ) AS days
)`;
}

function peopleCapacityPart(plan: SummaryPlan): string {
  const periods = periodKeys(plan);
  const keys = periods.map(({ name, period }) => `${periodStart(period ?? 'day', 'date', plan.calendar)} AS ${name}`);
  return `people_capacity AS (
  SELECT ${list(['people_id'], keys, CAPACITY_SUMS)}
  FROM capacity_days ${groupBy(['people_id', ...periods.map(({ name }) => name)])}
)`;
}

function rowCapacityPart(plan: SummaryPlan): string {
  const keys = keyNames(plan).map((name) => `crew.${name}`);
  const same = periodKeys(plan).map(({ name }) => `people_capacity.${name} IS NOT DISTINCT FROM crew.${name}`);
  return `row_capacity AS (
  SELECT ${list(keys, CAPACITY_SUMS)}
  FROM crew JOIN people_capacity ON ${['people_capacity.people_id = crew.people_id', ...same].join(' AND ')}
  ${groupBy(keys)}
)`;
}

/** A scheduled day on which the person can't work (D5) is no overtime. */
function overtimePart(plan: SummaryPlan, name: string, lines: string, keys: readonly string[]): string {
  return `${name} AS (
  SELECT ${list(
    keys,
    splitAtCapacity(plan).map(({ name, expression }) => `SUM(${expression}) AS ${name}`),
  )}
  FROM (${scheduledByDay(plan, lines, keys)}) AS scheduled
  JOIN capacity_days ON capacity_days.people_id = scheduled.people_id AND capacity_days.date = scheduled.date
  ${groupBy(keys)}
)`;
}

/**
 * Returns the days behind a row's capacity, time off and overtime (`person_days`): each day of each person of the row with capacity.
 * Needs the parts of the plan's lines, members and crew.
 */
export function capacityDayParts(plan: SummaryPlan): string[] {
  const split = splitAtCapacity(plan).map(({ name, expression }) => `${expression} AS ${name}`);
  return [
    workDaysPart(plan),
    capacityDaysPart(plan),
    `person_days AS (
  SELECT capacity_days.*, scheduled.hours AS scheduled_hours, ${split.join(', ')}
  FROM capacity_days
  LEFT JOIN (${scheduledByDay(plan, 'lines', [])}) AS scheduled
    ON scheduled.people_id = capacity_days.people_id AND scheduled.date = capacity_days.date
)`,
  ];
}

/** Returns the scheduled hours of a day above and within capacity. */
function splitAtCapacity({ querySql }: SummaryPlan): SqlColumn[] {
  const hours = 'COALESCE(scheduled.hours, 0)';
  const overtime = `GREATEST(${hours} - capacity, 0)`;
  return [
    { name: 'overtime', expression: overtime },
    { name: 'future_overtime', expression: `CASE WHEN capacity_days.date > ${querySql.today} THEN ${overtime} END` },
    { name: 'covered', expression: `LEAST(${hours}, capacity)` },
  ];
}

function scheduledByDay({ query, querySql }: SummaryPlan, lines: string, keys: readonly string[]): string {
  return `
    SELECT ${list(keys, ['people_id', 'date', 'SUM(hours) AS hours'])}
    FROM ${lines} WHERE ${isScheduled('current', query.selection)} AND ${querySql.hasStatus('status')} ${groupBy([...keys, 'people_id', 'date'])}
  `;
}
