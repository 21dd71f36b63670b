import { countsAs } from '../../relation/line-kinds.ts';
import type { TimesheetPart } from '../catalogue/measure-kinds.ts';
import { crewPart, memberParts } from '../source/members.ts';
import { LINES_MART, relationName } from '../source/relations.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { loggedDays } from '../source/unlogged-days.ts';
import { lineParts } from '../source/window-lines.ts';
import { apartFromPeople, CAPACITY, totalOfCrew } from './capacity.ts';
import { factsOfCrew, perPersonPart, withCapacity, workDays } from './capacity-sums.ts';
import { type Kind, type TermSql, termOf } from './kind.ts';

/** Logged time up to the cutoff of the people who have capacity (D5). */
const WORKED: Facts = {
  name: 'worked',
  of: (plan, { lines }) => ({ from: `(SELECT * FROM ${lines} WHERE ${isWorked(plan)}) AS worked_lines` }),
  sums: () => [{ name: 'worked', expression: 'SUM(hours)' }],
};

/** Days with capacity up to the cutoff on which the person logged nothing, on any project. */
const SILENT_DAYS: Facts = {
  name: 'silent_days',
  population: 'crew',
  parts: (plan) => [
    perPersonPart(plan, 'people_silent_days', `${daysToCutoff(plan)} AS able_days WHERE ${isSilent(plan)}`, [
      { name: 'silent_days', expression: 'COUNT(*)' },
    ]),
  ],
  of: (plan, scope) => factsOfCrew(plan, scope, 'people_silent_days'),
  sums: () => [{ name: 'silent_days', expression: 'CAST(SUM(silent_days) AS BIGINT)' }],
};

/** The last day with logged time of people, up to the cutoff and before the window, too. */
const LAST_LOGGED: Facts = {
  name: 'last_logged',
  population: 'crew',
  parts: ({ source, querySql }) => [
    `people_last_logged AS (
  SELECT people_id, MAX(date) AS last_logged FROM ${source.alone.relation('ledger')}
  WHERE ${countsAs('work')} AND date <= ${querySql.cutoff} AND people_id IN (SELECT people_id FROM crew)
  GROUP BY people_id
)`,
  ],
  of: (_, { name, keys }) =>
    name === 'total'
      ? { from: 'people_last_logged' }
      : {
          from: 'crew JOIN people_last_logged ON people_last_logged.people_id = crew.people_id',
          keys: keys.map((key) => `crew.${key}`),
        },
  sums: () => [{ name: 'last_logged_day', expression: 'MAX(last_logged)' }],
};

/** Tests over the columns of lines that one is logged time of a person who has capacity. */
function isWorked({ source }: SummaryPlan): string {
  return `${countsAs('work')} AND is_to_date AND people_id IN (SELECT people_id FROM ${source.alone.relation('named_people')} WHERE has_capacity)`;
}

/** Returns the days up to the cutoff on which people can work, with their capacity. */
function daysToCutoff(plan: SummaryPlan): string {
  const { end, cutoff } = plan.querySql;
  return withCapacity(plan, workDays(plan, `LEAST(${end}, ${cutoff})`));
}

function isSilent(plan: SummaryPlan): string {
  return `capacity_to_date > 0 AND (people_id, date) NOT IN ${loggedDays(plan)}`;
}

const FACTS: Readonly<Record<TimesheetPart, readonly Facts[]>> = {
  worked: [WORKED],
  balance: [CAPACITY, WORKED],
  days_without_time: [SILENT_DAYS],
  last_logged: [LAST_LOGGED],
};

const AMOUNTS: Readonly<Record<TimesheetPart, string>> = {
  worked: 'COALESCE(worked, 0)',
  balance: 'COALESCE(worked, 0) - COALESCE(capacity_to_date, 0)',
  days_without_time: 'COALESCE(silent_days, 0)',
  last_logged: 'last_logged_day',
};

/** Parts of a person's day by name, with the days behind each. The last day with time isn't a sum of days. */
const DAYS: Readonly<
  Record<Exclude<TimesheetPart, 'last_logged'>, { readonly amount: string; readonly behind: string }>
> = {
  worked: { amount: 'actual_hours', behind: 'actual_hours > 0' },
  balance: {
    amount: 'actual_hours - capacity_to_date',
    behind: 'actual_hours > 0 OR capacity_to_date > 0',
  },
  days_without_time: { amount: '1', behind: 'is_silent' },
};

/** Returns the days behind a number, with the hours that the row's lines have of them. */
function dayRows(plan: SummaryPlan, part: TimesheetPart): string[] {
  const { amount, behind } = DAYS[part === 'last_logged' ? 'days_without_time' : part];
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    crewPart(plan),
    `worked_days AS (SELECT people_id, date, SUM(hours) AS actual_hours FROM lines WHERE ${isWorked(plan)} GROUP BY people_id, date)`,
    `person_days AS (
  SELECT COALESCE(capacity_days.people_id, worked_days.people_id) AS people_id, COALESCE(capacity_days.date, worked_days.date) AS date,
    COALESCE(capacity, 0) AS capacity, COALESCE(capacity_to_date, 0) AS capacity_to_date, COALESCE(actual_hours, 0) AS actual_hours, is_silent
  FROM (SELECT *, ${isSilent(plan)} AS is_silent FROM ${daysToCutoff(plan)} AS able_days) AS capacity_days
  FULL JOIN worked_days ON worked_days.people_id = capacity_days.people_id AND worked_days.date = capacity_days.date
)`,
    `whole AS (
  SELECT 'day' AS kind, CONCAT('d:', person_days.people_id, ':', person_days.date) AS line_id, person_days.date,
    person_days.people_id, people.person, capacity AS capacity_hours, actual_hours, ${amount} AS contribution
  FROM person_days
  LEFT JOIN ${plan.source.relation('named_people')} AS people ON people.people_id = person_days.people_id
  WHERE ${behind}
)`,
  ];
}

const ACTUAL = termOf('+', 'logged hours of people who have capacity', 'actual_hours', 'worked_hours');

const TERMS: Readonly<Record<TimesheetPart, readonly TermSql[]>> = {
  worked: [ACTUAL],
  balance: [ACTUAL, termOf('-', 'capacity up to the cutoff', 'capacity_hours', 'capacity_to_date_hours')],
  days_without_time: [termOf('+', 'days with capacity and without logged time', 'contribution', 'days_without_time')],
  last_logged: [],
};

const WORDS: Readonly<Record<TimesheetPart, string>> = {
  worked: 'hours of *actual* lines of people who have capacity',
  balance: '`worked_hours` less `capacity_to_date_hours`',
  days_without_time:
    "days up to the cutoff on which the row's employees and contractors have capacity and logged nothing on any project",
  last_logged: "the last day up to the cutoff on which one of the row's people logged time, before the window, too",
};

/** Logged and missing parts of people's capacity. */
export const TIMESHEET_KIND: Kind<TimesheetPart> = {
  wholes: () => ['people'],
  facts: (part) => FACTS[part],
  amounts: () => ['hours'],
  amount: (part) => AMOUNTS[part],
  rows: { parts: dayRows, columns: 'of_timesheets', item: () => 'day', terms: (part) => TERMS[part] },
  words: (part) => WORDS[part],
  addsUp: (part) => (part === 'last_logged' ? 'no' : 'over people'),
  apart: (part, grouping) =>
    part === 'balance' || part === 'days_without_time' ? apartFromPeople(grouping) : undefined,
  source: () => `${relationName('work_hours')}, ${relationName('time_off_days')}, ${LINES_MART}: hours`,
  total: (part, query) => (part === 'last_logged' ? 'given' : totalOfCrew(query)),
};
