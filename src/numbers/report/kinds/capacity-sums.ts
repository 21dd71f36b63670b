import { periodStart } from '../catalogue/period.ts';
import { readRule } from '../source/fact-rules.ts';
import { isInWindow } from '../source/query-sql.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, groupBy, list } from '../source/sql-columns.ts';
import {
  type Facts,
  keyNames,
  periodKeys,
  type RowKey,
  type SummaryPlan,
  type SumScope,
} from '../source/summary-plan.ts';

/** The range of work hours in which a day has capacity (D5). */
const ON_A_DAY = 'work_hours.valid_from <= days.date AND work_hours.capacity_to > days.date';

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

/** Returns the work hours from `first_day`, a `weekday`, to a last day by counting its weekdays: a window may have 130 years. */
function hoursUntil(last: string, isDaily: boolean): string {
  if (isDaily) return 'pl_hours_on(week_hours, first_day)';
  return WEEKDAYS.map((weekday) => {
    const firstAfter = `(${weekday + 7} - weekday) % 7`;
    return `week_hours[${weekday + 1}] * ((pl_days_between(first_day, ${last}) + 7 - ${firstAfter}) // 7)`;
  }).join(' + ');
}

/**
 * Returns each person's capacity in the periods of the rows in which the crew has that person (`people_capacity`), and
 * in the whole window (`window_capacity`).
 */
export function capacitySumParts(plan: SummaryPlan): string[] {
  const periods = periodKeys(plan);
  const keys = periods.map(({ name }) => name);
  const isSame = keys.map((name) => `periods.${name} IS NOT DISTINCT FROM crew.${name}`);
  const spans = `SELECT DISTINCT ${list(['crew.people_id'], keys.map(ofCrew), ['first_day', 'last_day'])}
      FROM crew JOIN periods ON ${isSame.join(' AND ') || 'TRUE'}`;
  const { start, end } = plan.querySql;
  const whole = `SELECT DISTINCT people_id, ${start} AS first_day, ${end} AS last_day FROM crew`;
  return [
    sumPart(plan, 'people_capacity', spans, periods),
    ...(keys.length > 0 ? [sumPart(plan, 'window_capacity', whole, [])] : []),
  ];
}

const ofCrew = (name: string) => `crew.${name}`;

/** Returns where the capacity of a scope is. Needs the parts of `capacitySumParts`. */
export function capacityOf(plan: SummaryPlan, scope: SumScope): ReturnType<Facts['of']> {
  if (scope.name === 'total' && periodKeys(plan).length > 0) return { from: 'window_capacity' };
  return factsOfCrew(plan, scope, 'people_capacity');
}

/** Returns the facts of the people of each row in its periods, and for the totals each once. @param relation The facts, by person and period. */
export function factsOfCrew(plan: SummaryPlan, { name: scope }: SumScope, relation: string): ReturnType<Facts['of']> {
  if (scope === 'total') return { from: relation };
  const same = periodKeys(plan).map(({ name }) => `${relation}.${name} IS NOT DISTINCT FROM crew.${name}`);
  return {
    from: `crew JOIN ${relation} ON ${[`${relation}.people_id = crew.people_id`, ...same].join(' AND ')}`,
    keys: keyNames(plan).map(ofCrew),
  };
}

/** Returns sums over the days of each person, by the periods of the rows. @param from The days, and a condition of them if not all count. */
export function perPersonPart(plan: SummaryPlan, name: string, from: string, sums: readonly SqlColumn[]): string {
  const periods = periodKeys(plan);
  const keys = periods.map(
    ({ name: key, period }) => `${periodStart(period ?? 'day', 'date', plan.calendar)} AS ${key}`,
  );
  return `${name} AS (
  SELECT ${list(['people_id'], keys, sums.map(aliased))}
  FROM ${from} ${groupBy(['people_id', ...periods.map(({ name: key }) => key)])}
)`;
}

/**
 * Adds up the work hours of spans less the time off of their days.
 * @param spans People with a first and a last day, by the keys of periods.
 */
function sumPart(
  { source, querySql, calendar }: SummaryPlan,
  name: string,
  spans: string,
  periods: readonly RowKey[],
): string {
  const { cutoff } = querySql;
  const keys = periods.map(({ name: key }) => key);
  const starts = periods.map(({ period }) => periodStart(period ?? 'day', 'days.date', calendar));
  const isDaily = periods.some(({ period }) => period === 'day');
  return `${name} AS (
  SELECT ${list(['people_id'], keys, ['SUM(hours) AS capacity', 'SUM(hours_to_date) AS capacity_to_date', 'SUM(time_off_hours) AS time_off'])}
  FROM (
    SELECT ${list(['people_id'], keys)}, ${hoursUntil('last_day', isDaily)} AS hours,
      CASE WHEN first_day <= ${cutoff} THEN ${hoursUntil(`LEAST(last_day, ${cutoff})`, isDaily)} END AS hours_to_date, 0 AS time_off_hours
    FROM (
      SELECT *, pl_weekday(first_day) AS weekday
      FROM (
        SELECT ${list(['spans.people_id'], keys, ['week_hours'])}, GREATEST(valid_from, first_day) AS first_day,
          LEAST(pl_add_days(capacity_to, -1), last_day) AS last_day
        FROM (${spans}) AS spans
        JOIN ${source.relation('work_hours')} AS work_hours ON work_hours.people_id = spans.people_id AND valid_from <= last_day AND capacity_to > first_day
      ) AS clipped
    ) AS worked
    UNION ALL
    SELECT ${list(['days.people_id'], starts)}, -days.time_off_hours,
      CASE WHEN days.date <= ${cutoff} THEN -days.time_off_hours END, days.time_off_hours
    FROM ${source.relation('time_off_days')} AS days
    JOIN ${source.relation('work_hours')} AS work_hours ON work_hours.people_id = days.people_id AND ${ON_A_DAY}
    WHERE ${isInWindow(querySql, 'days.date')} AND days.people_id IN (SELECT people_id FROM crew)
  ) AS hours
  ${groupBy(['people_id', ...keys])}
)`;
}

/** Returns all days on which those in the crew can work. @param last The last of them. */
export function workDays({ source, querySql }: SummaryPlan, last = querySql.end): string {
  const { start } = querySql;
  // Chooses people before listing their days: each has hundreds.
  return `
    SELECT people_id, pl_add_days(first_day, series.day) AS date
    FROM (
      SELECT people_id, GREATEST(valid_from, ${start}) AS first_day, LEAST(pl_add_days(capacity_to, -1), ${last}) AS last_day
      FROM ${source.relation('work_hours')}
      WHERE valid_from <= ${last} AND capacity_to > ${start} AND people_id IN (SELECT people_id FROM crew)
    ) AS spans
    CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(first_day, last_day))) AS series (day)`;
}

const CAPACITY_OF_DAYS = readRule('facts/capacity_days');

/** Returns days of people with their time off and capacity (D5), without those on which they can't work. */
export function withCapacity({ source, querySql: { cutoff } }: SummaryPlan, days: string): string {
  return `(
    WITH able_days AS (
      SELECT days.*, week_hours
      FROM (${days}) AS days
      JOIN ${source.relation('work_hours')} AS work_hours ON work_hours.people_id = days.people_id AND ${ON_A_DAY}
    )
    SELECT *, time_off_hours AS time_off, capacity_hours AS capacity,
      CASE WHEN date <= ${cutoff} THEN capacity_hours END AS capacity_to_date
    FROM (
${CAPACITY_OF_DAYS(source)}
    ) AS capacity_days
  )`;
}
