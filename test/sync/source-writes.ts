import type { Prng } from '../oracle/prng.ts';
import type { Records } from '../sql/company.ts';

/** Tasks of the company at first, all of one second. */
export const OLD_TASKS = 500;

const AT = { created: '2026-01-01 08:00:00', modified: '2026-01-02 08:00:00' };

/** A company with some records of every resource, which stay, and many tasks of one second. */
export const steadyCompany: Records = Object.fromEntries(
  Object.entries({
    departments: [{ department_id: 1, name: 'Studio' }],
    clients: [{ client_id: 1, name: 'Harbor' }],
    accounts: [{ account_id: 1, name: 'Owner', email: 'owner@example.com', account_type: 1 }],
    roles: [{ role_id: 1, name: 'Engineer', cost_rate_history: [{ rate: '61.0001', effective_date: '2026-01-01' }] }],
    people: [
      { people_id: 1, name: 'Ada', role_id: 1, people_type_id: 1, default_hourly_rate: '90.5' },
      { people_id: 2, name: 'Engineer wanted', role_id: 1, people_type_id: 4 },
    ],
    project_stages: [{ stage_id: 1, name: 'Won', status: 2 }],
    projects: [{ project_id: 1, name: 'Bridge', client_id: 1 }],
    phases: [{ phase_id: 1, project_id: 1, name: 'Build', start_date: '2026-01-01', end_date: '2026-06-30' }],
    milestones: [{ milestone_id: 1, project_id: 1, name: 'Opening', date: '2026-05-01' }],
    project_tasks: [{ task_meta_id: 1, project_id: 1, task_name: 'Design' }],
    timeoff_types: [{ timeoff_type_id: 1, timeoff_type_name: 'Vacation' }],
    holidays: [{ holiday_id: 1, name: 'New Year', date: '2026-01-01' }],
    status: [{ status_id: 1, people_id: 1, status_type_id: 1, start_date: '2026-01-05', end_date: '2026-01-09' }],
    project_expenses: [{ project_expense_id: 1, project_id: 1, name: 'Train', date: '2026-01-07', cost: '99.9999' }],
    tasks: Array.from({ length: OLD_TASKS }, (_, index) => ({
      task_id: index + 1,
      project_id: 1,
      people_id: 1,
      people_ids: [1],
      start_date: '2026-01-05',
      end_date: '2026-01-09',
      hours: '0.0101',
    })),
    timeoffs: [{ timeoff_id: 1, people_ids: [1], start_date: '2026-02-02', end_date: '2026-02-03', full_day: 1 }],
    logged_time: [{ logged_time_id: 'a1', people_id: 1, project_id: 1, date: '2026-01-05', hours: '5.2501' }],
  }).map(([name, list]) => [name, list.map((record) => ({ ...record, ...AT }))]),
);

/** The ids of the records that writes have created, by resource. */
export type CreatedIds = Map<string, (number | string)[]>;

/** A write to the source over its API. */
export interface SourceWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly resource: string;
  /** Undefined for a new record. */
  readonly id: number | string | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** The resources of large lists, which most writes change. */
export const LARGE = ['tasks', 'timeoffs', 'logged_time'] as const;

/** The resources of the other lists, each read whole. */
export const SMALL = [
  'departments',
  'clients',
  'roles',
  'people',
  'project_stages',
  'projects',
  'phases',
  'milestones',
  'project_tasks',
  'timeoff_types',
  'holidays',
  'status',
  'project_expenses',
] as const;

/** The resources whose records show parts of others: the cost rate of a role, the last day of an allocation. */
export const COMPOSED: readonly string[] = ['people', 'projects', 'phases'];

/** The most records of a resource that writes create, so that few deletions stay below the guard. */
const MAX_CREATED = 12;

const TEXTS = ['Bridge', 'Übergang', 'ends with a quote"', '東京', 'a\nb', "it's", ''];

/** Chooses a write to one of some resources. */
export function chooseWrite(random: Prng, created: CreatedIds, from: readonly string[]): SourceWrite {
  const resource = random.pick(from);
  const ids = created.get(resource) ?? [];
  const draw = random.next();
  if (ids.length === 0 || (draw < 0.4 && ids.length < MAX_CREATED))
    return { method: 'POST', resource, id: undefined, body: makeBody(random, resource, created) };
  if (draw < 0.75)
    return { method: 'PATCH', resource, id: random.pick(ids), body: pickFields(random, resource, created) };
  return { method: 'DELETE', resource, id: random.pick(ids), body: undefined };
}

/** Notes what a write has done to the source. */
export function noteWrite(created: CreatedIds, { method, resource, id }: SourceWrite, made: number | string): void {
  const ids = created.get(resource) ?? [];
  if (method === 'POST') created.set(resource, [...ids, made]);
  if (method === 'DELETE')
    created.set(
      resource,
      ids.filter((other) => other !== id),
    );
}

/** Chooses some fields of a new record, or of its change. */
function pickFields(random: Prng, resource: string, created: CreatedIds): Record<string, unknown> {
  const fields = Object.entries(makeBody(random, resource, created));
  return Object.fromEntries(random.some(fields, 1, 3));
}

function makeBody(random: Prng, resource: string, created: CreatedIds): Record<string, unknown> {
  const make = BODIES[resource];
  if (!make) throw new Error(`There are no writes to ${resource}`);
  return make({
    id: (other) => random.pick([1, ...(created.get(other) ?? [])]),
    text: () => `${random.pick(TEXTS)} ${random.int(1, 9)}`,
    day: () => `2026-0${random.int(1, 3)}-${String(random.int(10, 28))}`,
    hours: () => `${random.int(0, 7)}.${random.int(1, 9999)}`,
    rate: () => random.pick([null, '0', '40', '55.5001', '120.25']),
    flag: () => random.chance(0.5),
    int: (least, most) => random.int(least, most),
    chance: (probability) => random.chance(probability),
  });
}

interface Draw {
  id(resource: string): number | string;
  text(): string;
  /** From 2026-01-10 to 2026-03-28. */
  day(): string;
  hours(): string;
  rate(): string | null;
  flag(): boolean;
  int(least: number, most: number): number;
  chance(probability: number): boolean;
}

const END = '2026-04-10';

const BODIES: Readonly<Record<string, (draw: Draw) => Record<string, unknown>>> = {
  departments: ({ text }) => ({ name: text() }),
  clients: ({ text }) => ({ name: text() }),
  roles: ({ text, rate, day }) => ({
    name: text(),
    default_hourly_rate: rate(),
    cost_rate_history: [{ rate: rate(), effective_date: day() }],
  }),
  people: ({ text, id, rate, day, flag }) => ({
    name: text(),
    department_id: id('departments'),
    role_id: id('roles'),
    cost_rate: rate(),
    effective_date: day(),
    default_hourly_rate: rate(),
    active: flag(),
    tags: [text(), text()],
    work_days_hours: [0, 8, 8, 8, 8, 4.5, 0],
  }),
  project_stages: ({ text, int }) => ({ name: text(), status: int(0, 2) }),
  projects: ({ text, id, rate, int, flag }) => ({
    name: text(),
    client_id: id('clients'),
    stage_id: id('project_stages'),
    default_hourly_rate: rate(),
    budget_type: int(0, 2),
    budget_total: `${int(0, 9999)}.05`,
    tentative: flag(),
    tags: [text()],
    project_team: [{ people_id: id('people'), hourly_rate: rate() }],
  }),
  phases: ({ text, id, rate, day }) => ({
    project_id: id('projects'),
    name: text(),
    start_date: day(),
    end_date: END,
    default_hourly_rate: rate(),
    phase_team: [{ people_id: id('people'), hourly_rate: rate() }],
  }),
  milestones: ({ text, id, day }) => ({ project_id: id('projects'), name: text(), date: day() }),
  project_tasks: ({ text, id, flag }) => ({ project_id: id('projects'), task_name: text(), billable: flag() }),
  timeoff_types: ({ text, flag }) => ({ timeoff_type_name: text(), active: flag() }),
  holidays: ({ text, day }) => ({ name: text(), date: day() }),
  status: ({ id, day, int }) => ({
    people_id: id('people'),
    status_type_id: int(1, 4),
    start_date: day(),
    end_date: END,
  }),
  project_expenses: ({ text, id, day, int, flag }) => ({
    name: text(),
    project_id: id('projects'),
    date: day(),
    cost: `${flag() ? '-' : ''}${int(0, 99_999_999)}.${int(1, 9999)}`,
    billable: flag(),
  }),
  tasks: ({ id, text, day, hours, int, flag, chance }) => ({
    project_id: id('projects'),
    people_ids: chance(0.3) ? [id('people'), 1] : [id('people')],
    start_date: day(),
    end_date: END,
    hours: hours(),
    name: text(),
    status: int(1, 3),
    billable: flag(),
  }),
  timeoffs: ({ id, day, text }) => ({
    people_ids: [id('people')],
    timeoff_type_id: id('timeoff_types'),
    start_date: day(),
    end_date: END,
    timeoff_notes: text(),
  }),
  logged_time: ({ id, day, hours, text, flag }) => ({
    people_id: id('people'),
    project_id: id('projects'),
    date: day(),
    hours: hours(),
    notes: text(),
    billable: flag(),
  }),
};
