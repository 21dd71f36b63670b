import type { CapacityPart } from '../catalogue/measure-kinds.ts';
import type { Grouping, Query } from '../request/query.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { crewPart, memberParts } from '../source/members.ts';
import { isInWindow } from '../source/query-sql.ts';
import { LINES_MART, relationName } from '../source/relations.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import { aliased, groupBy, list } from '../source/sql-columns.ts';
import type { Facts } from '../source/summary-plan.ts';
import { factsOfDays, isOfPeople, isOncePerPerson, type SummaryPlan } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import { capacityOf, capacitySumParts, withCapacity, workDays } from './capacity-sums.ts';
import { type Kind, type TermSql, type Total, termOf } from './kind.ts';

/** Capacity (D5: work hours less time off, of those who have any) and time off. Each person counts once over the days of the window. */
export const CAPACITY: Facts = {
  name: 'capacity',
  population: 'crew',
  parts: capacitySumParts,
  of: capacityOf,
  sums: () => ['capacity', 'capacity_to_date', 'time_off'].map((name) => summed({ name, expression: name })),
};

/** Scheduled hours above capacity, and within it (`covered`), by person and day. Separate, because most reports of people don't show it. */
const OVERTIME: Facts = {
  name: 'overtime',
  population: 'crew',
  of: (plan, scope) =>
    factsOfDays(plan, scope, 'worked_days', ({ lines, keys }) => withCapacity(plan, scheduledByDay(plan, lines, keys))),
  // A scheduled day on which the person can't work (D5) is no overtime.
  sums: (plan) => splitAtCapacity(plan).map(summed),
};

const summed = ({ name, expression }: SqlColumn): SqlColumn => ({ name, expression: `SUM(${expression})` });

/** Returns the scheduled hours of a day above and within capacity. */
function splitAtCapacity({ querySql }: SummaryPlan): SqlColumn[] {
  const hours = 'COALESCE(scheduled_hours, 0)';
  const overtime = `GREATEST(${hours} - capacity, 0)`;
  return [
    { name: 'overtime', expression: overtime },
    { name: 'future_overtime', expression: `CASE WHEN date > ${querySql.today} THEN ${overtime} END` },
    { name: 'covered', expression: `LEAST(${hours}, capacity)` },
  ];
}

function scheduledByDay({ source, querySql }: SummaryPlan, lines: string, keys: readonly string[]): string {
  return `
    SELECT ${list(keys, ['people_id', 'date', 'SUM(hours) AS scheduled_hours'])}
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

/** Returns the days of people that may be behind a number: where few have it, no others are listed. */
function daysBehind(plan: SummaryPlan, part: CapacityPart): string {
  if (part === 'overtime' || part === 'future_overtime') return 'SELECT people_id, date FROM scheduled';
  if (part !== 'time_off') return workDays(plan);
  return `SELECT people_id, date FROM ${plan.source.relation('time_off_days')}
    WHERE ${isInWindow(plan.querySql, 'date')} AND people_id IN (SELECT people_id FROM crew)`;
}

/** Returns each day of each person behind a number. */
function dayRows(plan: SummaryPlan, part: CapacityPart): string[] {
  return [
    ...lineParts(plan),
    ...memberParts(plan),
    crewPart(plan),
    `scheduled AS (${scheduledByDay(plan, 'lines', [])})`,
    `person_days AS (
  SELECT *, ${list(splitAtCapacity(plan).map(aliased))}
  FROM (
    SELECT worked.*, scheduled.scheduled_hours
    FROM ${withCapacity(plan, daysBehind(plan, part))} AS worked
    LEFT JOIN scheduled ON scheduled.people_id = worked.people_id AND scheduled.date = worked.date
  ) AS days
)`,
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
  return isOncePerPerson(dimensions) && !(hasPeriods && filters.length > 0) ? 'own' : 'given';
};

/** Says why rows that aren't people don't add up: a person's days count in several of them. */
export function apartFromPeople({ dimensions }: Pick<Grouping, 'dimensions'>): string | undefined {
  if (isOfPeople(dimensions)) return undefined;
  return 'Each row counts all days of every person with hours in it, and the total counts each person once';
}

/** Hours of the days of people, whether they have lines or not. */
export const CAPACITY_KIND: Kind<CapacityPart> = {
  wholes: () => ['people'],
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
