import type { CapacityPart } from '../catalogue/measure-kinds.ts';
import { periodStart } from '../catalogue/period.ts';
import type { Grouping, Query } from '../request/query.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { crewPart, memberParts } from '../source/members.ts';
import { LINES_MART, relationName } from '../source/relations.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, groupBy, list } from '../source/sql-columns.ts';
import type { Facts } from '../source/summary-plan.ts';
import { isOfPeople, keyNames, periodKeys, type SummaryPlan, type SumScope } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import { type Kind, type TermSql, type Total, termOf } from './kind.ts';

/** Capacity (D5: work hours less time off, of those who have any) and time off. Each person counts once over the days of the window. */
export const CAPACITY: Facts = {
  name: 'capacity',
  population: 'crew',
  parts: (plan) => [workDaysPart(plan), capacityDaysPart(plan), peopleCapacityPart(plan)],
  of: (plan, scope) => ofCrew(plan, scope, 'people_capacity'),
  sums: () => CAPACITY_SUMS,
};

/**
 * Scheduled hours above capacity, and within it (`covered`), by person and day. Its clauses follow those of `CAPACITY`.
 * Separate, because it takes as long as capacity, and most reports of people don't show it.
 */
const OVERTIME: Facts = {
  name: 'overtime',
  population: 'crew',
  of: (plan, { lines, keys }) => ({
    from: `(${scheduledByDay(plan, lines, keys)}) AS scheduled
  JOIN capacity_days ON capacity_days.people_id = scheduled.people_id AND capacity_days.date = scheduled.date`,
  }),
  // A scheduled day on which the person can't work (D5) is no overtime.
  sums: (plan) => splitAtCapacity(plan).map(summed),
};

const summed = ({ name, expression }: SqlColumn): SqlColumn => ({ name, expression: `SUM(${expression})` });

const CAPACITY_SUMS = ['capacity', 'capacity_to_date', 'time_off'].map((name) => summed({ name, expression: name }));

/** Returns the days on which those in the crew can work. */
export function workDaysPart({ source, querySql: { start, end } }: SummaryPlan): string {
  const first = `GREATEST(valid_from, ${start})`;
  const last = `LEAST(pl_add_days(capacity_to, -1), ${end})`;
  // Chooses people before listing their days: each has hundreds.
  return `work_days AS (
  SELECT people_id, pl_add_days(first_day, series.day) AS date, week_hours
  FROM (
    SELECT people_id, ${first} AS first_day, ${last} AS last_day, week_hours
    FROM ${source.relation('work_hours')}
    WHERE valid_from <= ${end} AND capacity_to > ${start} AND people_id IN (SELECT people_id FROM crew)
  ) AS spans
  CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(first_day, last_day))) AS series (day)
)`;
}

export function capacityDaysPart({ source, querySql }: SummaryPlan): string {
  return `capacity_days AS (
  SELECT *, CASE WHEN date <= ${querySql.cutoff} THEN capacity END AS capacity_to_date
  FROM (
    SELECT work_days.people_id, work_days.date, COALESCE(time_off_hours, 0) AS time_off,
      pl_hours_on(week_hours, work_days.date) - COALESCE(time_off_hours, 0) AS capacity
    FROM work_days
    LEFT JOIN ${source.relation('time_off_days')} AS time_off_days ON time_off_days.people_id = work_days.people_id AND time_off_days.date = work_days.date
  ) AS days
)`;
}

function peopleCapacityPart(plan: SummaryPlan): string {
  return perPersonPart(plan, 'people_capacity', 'capacity_days', CAPACITY_SUMS);
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

/** Returns the facts of the people of each row in its periods, and for the totals each once. @param relation What `perPersonPart` made. */
export function ofCrew(plan: SummaryPlan, { name: scope }: SumScope, relation: string): ReturnType<Facts['of']> {
  if (scope === 'total') return { from: relation };
  const same = periodKeys(plan).map(({ name }) => `${relation}.${name} IS NOT DISTINCT FROM crew.${name}`);
  return {
    from: `crew JOIN ${relation} ON ${[`${relation}.people_id = crew.people_id`, ...same].join(' AND ')}`,
    keys: keyNames(plan).map((name) => `crew.${name}`),
  };
}

/**
 * Returns the days behind a row's capacity, time off and overtime (`person_days`): each day of each person of the row with capacity.
 * Needs the parts of the plan's lines, members and crew.
 */
function capacityDayParts(plan: SummaryPlan): string[] {
  return [
    workDaysPart(plan),
    capacityDaysPart(plan),
    `person_days AS (
  SELECT capacity_days.*, scheduled.hours AS scheduled_hours, ${list(splitAtCapacity(plan).map(aliased))}
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

function scheduledByDay({ source, querySql }: SummaryPlan, lines: string, keys: readonly string[]): string {
  return `
    SELECT ${list(keys, ['people_id', 'date', 'SUM(hours) AS hours'])}
    FROM ${lines} WHERE ${isScheduled('current', source)} AND ${querySql.hasStatus('status')} ${groupBy([...keys, 'people_id', 'date'])}
  `;
}

/** The SQL of each part, over the columns of a row or of a person's day. */
const PARTS: Readonly<Record<CapacityPart, string>> = {
  capacity: 'COALESCE(capacity, 0)',
  capacity_to_date: 'COALESCE(capacity_to_date, 0)',
  time_off: 'COALESCE(time_off, 0)',
  overtime: 'COALESCE(overtime, 0)',
  future_overtime: 'COALESCE(future_overtime, 0)',
  unscheduled: 'COALESCE(capacity, 0) - COALESCE(covered, 0)',
};

/** The parts that read the columns of `OVERTIME`, too. */
const OF_OVERTIME: readonly CapacityPart[] = ['overtime', 'future_overtime', 'unscheduled'];

/** The days of whose hours a part is a part, or else those of the part itself. */
const BEHIND: Partial<Record<CapacityPart, string>> = {
  capacity: 'capacity + time_off',
  capacity_to_date: 'capacity_to_date + time_off',
  unscheduled: 'capacity',
};

/** Returns each day of each person behind a number. */
function dayRows(plan: SummaryPlan, part: CapacityPart): string[] {
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    crewPart(plan),
    ...capacityDayParts(plan),
    `whole AS (
  SELECT 'day' AS kind, CONCAT('d:', person_days.people_id, ':', person_days.date) AS line_id, person_days.date,
    person_days.people_id, people.person, capacity + time_off AS work_hours, time_off AS time_off_hours,
    capacity AS capacity_hours, scheduled_hours, ${PARTS[part]} AS contribution
  FROM person_days
  LEFT JOIN ${plan.source.relation('named_people')} AS people ON people.people_id = person_days.people_id
  WHERE ${BEHIND[part] ?? PARTS[part]} <> 0
)`,
  ];
}

const CAPACITY_TERMS = [
  termOf('+', 'work hours', 'work_hours'),
  termOf('-', 'time off and holidays', 'time_off_hours', 'time_off_hours'),
];

const TERMS: Readonly<Record<Exclude<CapacityPart, 'capacity_to_date'>, TermSql[]>> = {
  capacity: CAPACITY_TERMS,
  time_off: [termOf('+', 'time off and holidays', 'contribution', 'time_off_hours')],
  overtime: [termOf('+', 'scheduled hours above capacity', 'contribution', 'overtime_hours')],
  future_overtime: [termOf('+', 'scheduled hours above capacity after today', 'contribution')],
  unscheduled: [
    termOf('+', 'capacity', 'capacity_hours', 'capacity_hours'),
    termOf('-', 'scheduled hours within capacity', 'capacity_hours - contribution'),
  ],
};

const WORDS: Readonly<Record<CapacityPart, string>> = {
  capacity: "work hours less time off, over the row's employees and contractors and its days",
  capacity_to_date: 'the same up to the cutoff',
  time_off: "time off within work hours, over the row's employees and contractors and its days",
  overtime:
    "scheduled hours above capacity, person by person and day by day, over the row's employees and contractors and its days",
  future_overtime: 'the same after today',
  unscheduled:
    "capacity above scheduled hours, person by person and day by day, over the row's employees and contractors and its days",
};

/** Derives the total of a number of people: rows of people and periods add up to it. */
export const totalOfCrew: (query: Pick<Query, 'selection' | 'grouping'>) => Total = ({
  selection: { filters },
  grouping: { dimensions, interval },
}) => {
  // Each period has its own people: behind a filter of lines, fewer than the window.
  const hasPeriods = interval !== undefined || dimensions.some(({ period }) => period);
  return isOfPeople(dimensions) && !(hasPeriods && filters.length > 0) ? 'own' : 'given';
};

/** Says why rows that aren't people count a person's days more than once. */
export function apartFromPeople({ dimensions }: Pick<Grouping, 'dimensions'>): string | undefined {
  if (isOfPeople(dimensions)) return undefined;
  return 'rows can exceed the total, which counts each person once: a person counts in every row with hours of theirs';
}

/** Hours of the days of people, whether they have lines or not. */
export const CAPACITY_KIND: Kind<CapacityPart> = {
  facts: (part) => (OF_OVERTIME.includes(part) ? [CAPACITY, OVERTIME] : [CAPACITY]),
  amount: (part) => PARTS[part],
  rows: {
    parts: dayRows,
    columns: 'of_people',
    item: () => 'day',
    terms: (part, _, { cutoffDate }) =>
      part === 'capacity_to_date'
        ? CAPACITY_TERMS.map((each) => ({ ...each, part: { by: 'until', key: cutoffDate } }))
        : TERMS[part],
  },
  words: (part) => WORDS[part],
  addsUp: () => 'over people',
  apart: (_, grouping) => apartFromPeople(grouping),
  source: () => `${relationName('work_hours')}, ${relationName('time_off_days')}, ${LINES_MART}: hours`,
  total: (_, query) => totalOfCrew(query),
};
