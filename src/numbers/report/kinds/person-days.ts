import { countsAs } from '../../relation/line-kinds.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import type { Measure, PersonDaysPart } from '../catalogue/measure-kinds.ts';
import { periodStart } from '../catalogue/period.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { fromMoneyUnits, hourUnits, MINOR_UNIT, moneyUnits, quotient } from '../source/exact-units.ts';
import { LINES_MART } from '../source/relations.ts';
import { groupBy, list, type SqlColumn } from '../source/sql-columns.ts';
import { type Facts, factsOfDays, isOfPeople, isOncePerPerson, type SummaryPlan } from '../source/summary-plan.ts';
import { windowParts } from '../source/window-lines.ts';
import { type Kind, type TermSql, termOf } from './kind.ts';

/** The plan compared with logged time, by person and day. */
const LOGGED_DAYS: Facts = {
  name: 'logged_days',
  of: (plan, scope) => factsOfDays(plan, scope, 'person_days', ({ lines, keys }) => loggedDays(plan, lines, keys)),
  sums: (plan) => [...sumsOfDays(plan).map(sumOf), { name: 'has_unlogged', expression: 'BOOL_OR(unlogged > 0)' }],
};

/** The same by person and week. Its clauses follow those of `LOGGED_DAYS`. */
const LOGGED_WEEKS: Facts = {
  name: 'logged_weeks',
  of: (plan, scope) => ({ from: `${loggedWeeks(plan, LOGGED_DAYS.of(plan, scope).from, scope.keys)} AS person_weeks` }),
  sums: () => [sumOf('plan_error')],
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

function sumOf(name: string): SqlColumn {
  return { name: `person_days__${name}`, expression: `SUM(${name})` };
}

/** Compares scheduled with logged hours of each person on each day up to the cutoff. */
function loggedDays(plan: SummaryPlan, lines: string, keys: readonly string[]): string {
  const amounts = amountsOf(plan);
  const isPlanned = `${isScheduled('compared', plan.source)} AND ${plan.querySql.hasStatus('status')}`;
  const isActual = countsAs('work');
  const sum = (condition: string, amount: string) => `SUM(CASE WHEN ${condition} THEN ${amount} END)`;
  const day = [...keys, 'people_id', 'date'];
  return `(
  SELECT *, ${list(
    amounts.map(
      ({ amount, unlogged }) =>
        `CASE WHEN unlogged > 0 THEN ${fromMoneyUnits(`${quotient(`(${moneyUnits(`scheduled_${amount}`)} * ${hourUnits('unlogged')})`, `(${hourUnits('scheduled_hours')} * unit)`)} * unit`)} END AS ${unlogged}`,
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
function loggedWeeks(plan: SummaryPlan, days: string, keys: readonly string[]): string {
  const week = [...keys, 'people_id', 'week'];
  return `(
  SELECT ${list(week, [
    'SUM(scheduled_hours) AS scheduled_hours',
    'SUM(actual_hours) AS actual_hours',
    'abs(SUM(actual_hours) - SUM(scheduled_hours)) AS plan_error',
  ])}
  FROM (SELECT *, ${periodStart('week', 'date', plan.calendar)} AS week FROM ${days}) AS days
  ${groupBy(week)}
)`;
}

/** The amounts of lines that each measure compares. */
const READ_AMOUNTS: Readonly<Record<PersonDaysPart, readonly Amount[]>> = {
  unlogged: ['hours'],
  unlogged_cost: ['hours', 'cost'],
  unlogged_fees: ['hours', 'fee'],
  covered: ['hours'],
  plan_error: ['hours'],
};

/** Returns the SQL of a measure over the sums of a row; unknown if no unlogged day has the amount (R5). */
function amountOf(part: PersonDaysPart): string {
  const sum = `person_days__${part}`;
  const isMoney = READ_AMOUNTS[part].length > 1;
  return isMoney
    ? `CASE WHEN ${sum} IS NULL AND has_unlogged THEN NULL ELSE COALESCE(${sum}, 0) END`
    : `COALESCE(${sum}, 0)`;
}

/** Returns the facts of all lines, named by their day or by the first day of their week. */
function dayRows(plan: SummaryPlan, part: PersonDaysPart): string[] {
  const isWeek = part === 'plan_error';
  const [kind, day] = isWeek ? ['week', 'week'] : ['day', 'date'];
  const condition = isWeek || part === 'covered' ? `${part} <> 0` : 'unlogged > 0';
  return [
    ...windowParts(plan),
    `person_days AS ${loggedDays(plan, 'lines', [])}`,
    `whole AS (
  SELECT '${kind}' AS kind, CONCAT('${kind.charAt(0)}:', logged.people_id, ':', ${day}) AS line_id, ${day} AS date,
    logged.people_id, people.person, scheduled_hours, actual_hours, ${part} AS contribution
  FROM ${isWeek ? loggedWeeks(plan, 'person_days', []) : 'person_days'} AS logged
  LEFT JOIN ${plan.source.relation('named_people')} AS people ON people.people_id = logged.people_id
  WHERE ${condition}
)`,
  ];
}

/** Returns the terms. The hours of the compared days alone open no lines, since no measure is their sum: the days of the number itself have them as columns. */
function termsOfDays(part: PersonDaysPart, { name }: Measure): readonly TermSql[] {
  const scheduled = termOf('+', 'scheduled hours of these days', 'scheduled_hours');
  const whole = (label: string) => [termOf('+', label, 'contribution', name)];
  return {
    unlogged: [scheduled, termOf('-', 'hours logged on these days', 'actual_hours')],
    unlogged_cost: whole('scheduled cost of the unlogged hours'),
    unlogged_fees: whole('scheduled fees of the unlogged hours'),
    covered: [scheduled, termOf('-', 'unlogged hours of these days', 'scheduled_hours - contribution')],
    plan_error: whole('difference of each week'),
  }[part];
}

const WORDS: Readonly<Record<PersonDaysPart, string>> = {
  unlogged: 'scheduled less actual hours, person by person and day by day up to the cutoff, where they are more than 0',
  unlogged_cost:
    'the scheduled cost of each such day x unlogged hours / scheduled hours of the day, rounded once to the minor unit',
  unlogged_fees:
    'the scheduled fee of each such day x unlogged hours / scheduled hours of the day, rounded once to the minor unit',
  covered: 'scheduled or actual hours, whichever are fewer, person by person and day by day up to the cutoff',
  plan_error: 'actual less scheduled hours up to the cutoff without their sign, person by person and week by week',
};

/** Comparisons of the plan with logged time, person by person. */
export const PERSON_DAYS_KIND: Kind<PersonDaysPart> = {
  wholes: () => ['people'],
  facts: () => [LOGGED_DAYS, LOGGED_WEEKS],
  amounts: (part) => READ_AMOUNTS[part],
  amount: amountOf,
  rows: {
    parts: dayRows,
    columns: 'of_person_days',
    item: (part) => (part === 'plan_error' ? 'week' : 'day'),
    terms: termsOfDays,
  },
  words: (part) => WORDS[part],
  addsUp: (part) => (part === 'plan_error' ? 'over people and weeks' : 'over people'),
  apart: (_, { dimensions }) =>
    isOfPeople(dimensions)
      ? undefined
      : 'A row compares the plan with the time logged in that row, and the total with all logged time',
  source: () => `${LINES_MART}: hours, cost, fee`,
  // Weeks are shared by rows of periods.
  total: (part, { grouping }) => (part !== 'plan_error' && isOncePerPerson(grouping.dimensions) ? 'own' : 'given'),
};
