import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import { findReport } from '../catalogue/catalogue.ts';
import { nameQuarter } from '../catalogue/period.ts';
import { queryOther, regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runSummary } from '../run/run-summary.ts';

/** The share of the capacity of a quarter from which a person is overbooked, and up to which idle. Unit: percent. */
const [OVERBOOKED_PERCENT, IDLE_PERCENT] = [120, 40];

/** The most people named as overbooked, and as idle. */
const MAX_LOADS = 3;

/** Filters of people: any other leaves a part of their work out, so that nobody could be called idle. */
const PEOPLE_FILTERS = [
  'people_id',
  'department_id',
  'people_type_id',
  'person_role_id',
  'people_tag',
  'people_active',
];

const MEASURES = ['scheduled_hours', 'capacity_hours', 'time_off_hours'] as const;

/** The shares of the whole window, as the people sheet has them. */
const PERCENTS = ['utilization_percent', 'scheduled_percent'] as const;

/** The scheduled hours of a person in a fiscal quarter of the window. */
export interface StaffLoad {
  readonly person: string;
  readonly quarter: string;
  /** The share of the capacity. Unit: percent. */
  readonly percent: string;
  readonly scheduled: string;
  readonly capacity: string;
}

/** The largest loads, or the smallest, and the number of further ones. */
export interface Loads {
  readonly listed: readonly StaffLoad[];
  readonly others: number;
}

/** The people with capacity in a window. */
export interface Staff {
  readonly headcount: number;
  /** Work hours before time off, by those of somebody with the company's own hours; null where these are 0. */
  readonly fullTime: string | null;
  /** Actual billable hours of the capacity to date. Unit: percent. */
  readonly utilization: string | null;
  /** Scheduled hours of the capacity. Unit: percent. */
  readonly scheduled: string | null;
  readonly overbooked: Loads;
  readonly idle: Loads;
  readonly overbookedPercent: number;
  readonly idlePercent: number;
}

/** Reads the people of a query's window; undefined if filters leave out a part of their work. */
export async function readStaff(context: ReportContext, query: Query): Promise<Staff | undefined> {
  const { catalogue, filters } = query.selection;
  if (filters.some(({ parameter: { name } }) => !PEOPLE_FILTERS.includes(name))) return undefined;
  const people = queryOther(query, findReport(catalogue, 'people'));
  const measures = [...MEASURES, ...PERCENTS].flatMap((name) => catalogue.measures.get(name) ?? []);
  const table = await runSummary(context, regroup(people, { measures, interval: 'quarter' }));
  const places = ['people_id', 'name', 'period_start', ...MEASURES].map((name) =>
    table.columns.findIndex((column) => column.name === name),
  );
  const loads: PersonQuarter[] = [];
  for await (const rows of table.rows) for (const row of rows) loads.push(quarterOf(row, places));
  const [utilization = null, scheduled = null] = PERCENTS.map((name) => {
    const total = table.totals?.[table.columns.findIndex((column) => column.name === name)];
    return total == null ? null : String(total);
  });
  return { ...(await summarize(context, query, loads)), utilization, scheduled };
}

/** A person in a quarter. */
interface PersonQuarter {
  readonly id: string;
  readonly person: string;
  readonly start: string;
  readonly hours: Readonly<Record<(typeof MEASURES)[number], InstanceType<typeof Exact>>>;
}

function quarterOf(row: readonly Value[], places: readonly number[]): PersonQuarter {
  const [id = '', person, start = '', ...numbers] = places.map((place) =>
    row[place] === null ? undefined : String(row[place]),
  );
  const hours = Object.fromEntries(MEASURES.map((name, i) => [name, new Exact(numbers[i] ?? 0)]));
  return { id, person: person ?? `Unknown person ${id}`, start, hours: hours as PersonQuarter['hours'] };
}

async function summarize(
  context: ReportContext,
  { selection }: Query,
  quarters: readonly PersonQuarter[],
): Promise<Omit<Staff, 'utilization' | 'scheduled'>> {
  const employed = quarters.filter(({ hours }) => hours.capacity_hours.plus(hours.time_off_hours).greaterThan(0));
  const sum = (name: (typeof MEASURES)[number]) =>
    employed.reduce((total, { hours }) => total.plus(hours[name]), new Exact(0));
  const [row] = await context.database.rows<{ hours: string | null }>(
    `SELECT SUM(pl_hours_on(settings.week_hours, pl_add_days(CAST($1 AS DATE), series.day))) AS hours
     FROM core.settings
     CROSS JOIN UNNEST(pl_number_series(0, pl_days_between(CAST($1 AS DATE), CAST($2 AS DATE)))) AS series (day)`,
    [selection.startDate, selection.endDate],
  );
  const standard = new Exact(row?.hours ?? 0);
  const work = sum('capacity_hours').plus(sum('time_off_hours'));
  const loads = employed
    .filter(({ hours }) => hours.capacity_hours.greaterThan(0))
    .map(({ person, start, hours: { scheduled_hours: scheduled, capacity_hours: capacity } }) => ({
      person,
      quarter: nameQuarter(start, context.company.fiscalYearStartsIn),
      load: scheduled.times(100).div(capacity),
      percent: scheduled.times(100).div(capacity).toDecimalPlaces(2).toFixed(),
      scheduled: scheduled.toFixed(),
      capacity: capacity.toFixed(),
    }))
    .sort((a, b) => b.load.comparedTo(a.load));
  return {
    headcount: new Set(employed.map(({ id }) => id)).size,
    fullTime: standard.isZero() ? null : work.div(standard).toDecimalPlaces(2).toFixed(),
    overbooked: cut(loads.filter(({ load }) => load.greaterThanOrEqualTo(OVERBOOKED_PERCENT))),
    idle: cut(loads.filter(({ load }) => load.lessThanOrEqualTo(IDLE_PERCENT)).reverse()),
    overbookedPercent: OVERBOOKED_PERCENT,
    idlePercent: IDLE_PERCENT,
  };
}

function cut(loads: readonly (StaffLoad & { readonly load: unknown })[]): Loads {
  const listed = loads.slice(0, MAX_LOADS).map(({ load: _, ...shown }) => shown);
  return { listed, others: Math.max(0, loads.length - MAX_LOADS) };
}
