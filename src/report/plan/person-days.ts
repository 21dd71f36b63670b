import type { Amount } from '../catalogue/catalogue.ts';
import { periodStart } from '../catalogue/period.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { fromUnits, MINOR_UNIT, quotient, toUnits } from '../source/exact-units.ts';
import { kindLiteral } from '../source/query-sql.ts';
import { groupBy, list } from '../source/sql-columns.ts';
import { type Family, keyNames, rowLines, type SummaryPlan } from '../source/summary-plan.ts';

/** The plan compared with logged time: `logged_days` by person and day, and `logged_weeks` by person and week. */
export const PERSON_DAYS: Family = {
  values: (plan) => ['has_unlogged', ...[...sumsOfDays(plan), 'plan_error'].map(columnOf)],
  parts: personDaysParts,
  ofRows: ['row_logged_days', 'row_logged_weeks'],
  ofTotals: ['total_logged_days', 'total_logged_weeks'],
};

/** The amounts of money of an hour, with the columns of what is unlogged of them. Readers without rates have no cost. */
function amountsOf({ amounts }: SummaryPlan): { readonly amount: Amount; readonly unlogged: string }[] {
  return [
    { amount: 'cost' as const, unlogged: 'unlogged_cost' },
    { amount: 'fee' as const, unlogged: 'unlogged_fees' },
  ].filter(({ amount }) => amounts.includes(amount));
}

function sumsOfDays(plan: SummaryPlan): string[] {
  return ['unlogged', 'covered', ...amountsOf(plan).map(({ unlogged }) => unlogged)];
}

function columnOf(name: string): string {
  return `person_days__${name}`;
}

function sumOf(name: string): string {
  return `SUM(${name}) AS ${columnOf(name)}`;
}

function personDaysParts(plan: SummaryPlan): string[] {
  const keys = keyNames(plan);
  return [...loggedParts(plan, 'row', rowLines(plan), keys), ...loggedParts(plan, 'total', 'lines', [])];
}

/** @param prefix Begins the names of the relations. */
function loggedParts(plan: SummaryPlan, prefix: string, lines: string, keys: readonly string[]): string[] {
  const [days, weeks] = [`${prefix}_person_days`, `${prefix}_person_weeks`];
  const sums = [...sumsOfDays(plan).map(sumOf), 'BOOL_OR(unlogged > 0) AS has_unlogged'];
  return [
    loggedDaysPart(plan, days, lines, keys),
    loggedWeeksPart(plan, weeks, days, keys),
    `${prefix}_logged_days AS (SELECT ${list(keys, sums)} FROM ${days} ${groupBy(keys)})`,
    `${prefix}_logged_weeks AS (SELECT ${list(keys, [sumOf('plan_error')])} FROM ${weeks} ${groupBy(keys)})`,
  ];
}

/** Compares scheduled with logged hours of each person on each day up to the cutoff. */
export function loggedDaysPart(plan: SummaryPlan, name: string, lines: string, keys: readonly string[]): string {
  const amounts = amountsOf(plan);
  const isPlanned = `${isScheduled('compared', plan.query.selection)} AND ${plan.querySql.hasStatus('status')}`;
  const isActual = `kind = ${kindLiteral('actual')}`;
  const sum = (condition: string, amount: string) => `SUM(CASE WHEN ${condition} THEN ${amount} END)`;
  const day = [...keys, 'people_id', 'date'];
  return `${name} AS (
  SELECT *, ${list(
    amounts.map(
      ({ amount, unlogged }) =>
        `CASE WHEN unlogged > 0 THEN ${fromUnits(`${quotient(`(${toUnits(`scheduled_${amount}`)} * ${toUnits('unlogged')})`, `(${toUnits('scheduled_hours')} * unit)`)} * unit`)} END AS ${unlogged}`,
    ),
    ['scheduled_hours - unlogged AS covered'],
  )}
  FROM (
    SELECT *, GREATEST(scheduled_hours - actual_hours, 0) AS unlogged
    FROM (
      SELECT ${list(
        day,
        [
          `COALESCE(${sum(isPlanned, 'hours')}, 0) AS scheduled_hours`,
          `COALESCE(${sum(isActual, 'hours')}, 0) AS actual_hours`,
        ],
        amounts.map(({ amount }) => `${sum(isPlanned, amount)} AS scheduled_${amount}`),
      )}
      FROM ${lines} WHERE is_to_date AND (${isPlanned} OR ${isActual}) ${groupBy(day)}
    ) AS worked
  ) AS compared
  CROSS JOIN ${MINOR_UNIT}
)`;
}

/** Compares the hours of each person in each week, of the days that a relation has. */
export function loggedWeeksPart(plan: SummaryPlan, name: string, days: string, keys: readonly string[]): string {
  const week = [...keys, 'people_id', 'week'];
  return `${name} AS (
  SELECT ${list(week, [
    'SUM(scheduled_hours) AS scheduled_hours',
    'SUM(actual_hours) AS actual_hours',
    'abs(SUM(actual_hours) - SUM(scheduled_hours)) AS plan_error',
  ])}
  FROM (SELECT *, ${periodStart('week', 'date', plan.calendar)} AS week FROM ${days}) AS days
  ${groupBy(week)}
)`;
}
