import fc from 'fast-check';
import type { StoredRecord, Working } from './working.ts';

type Step = (company: Working) => Promise<void>;

export interface NamedStep {
  readonly name: string;
  readonly step: Step;
}

/** The most records of a resource at once. Higher ids occur too, as dangling references. */
const COUNT = 4;

const knownId = (base: number) => fc.integer({ min: base + 1, max: base + COUNT });
const anyId = (base: number) => fc.integer({ min: base + 1, max: base + COUNT + 1 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });

const PEOPLE = 0;
const PROJECTS = 100;
const PHASES = 200;
const PROJECT_TASKS = 300;
const ALLOCATIONS = 400;
const ROLES = 500;
const DEPARTMENTS = 600;
const CLIENTS = 700;
const ACCOUNTS = 800;
const TIME_OFF = 900;
const EXPENSES = 1000;
const HOLIDAYS = 1100;
const REGIONS = 1200;

const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAYS = 75;

const name = fc.constantFrom('Ana', 'Ben', '');
const toDate = (day: number) => new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);
const day = fc.integer({ min: 0, max: DAYS });
const date = day.map(toDate);
const window = fc.tuple(day, fc.integer({ min: 0, max: 12 })).map(([start, length]) => ({
  start_date: toDate(start),
  end_date: toDate(start + length),
}));
const rate = maybe(fc.constantFrom('0', '50', '99.995', '33.3333'));
const status = maybe(fc.integer({ min: 0, max: 4 }));
const flag = maybe(fc.boolean());
const week = fc.constantFrom(
  [0, 8, 8, 8, 8, 8, 0],
  [0, 8, 0, 8, 0, 4, 0],
  [0, 0, 0, 0, 0, 0, 0],
  [8, 0, 0, 0, 0, 0, 8],
);
const hours = fc.constantFrom('0', '1', '7.5', '0.3333', '8');
const repeat = {
  repeat_state: maybe(fc.integer({ min: 0, max: 4 })),
  repeat_end_date: maybe(day.map((later) => toDate(later + 90))),
};
const member = { people_id: maybe(anyId(PEOPLE)), role_id: maybe(anyId(ROLES)), hourly_rate: rate };
const people = fc.uniqueArray(anyId(PEOPLE), { maxLength: 2 }).map((ids) => ids.map((people_id) => ({ people_id })));

const budget = maybe(fc.constantFrom('100', '0.5'));

/** Records of each resource as their tables hold them, and the weight of writing one. */
const RECORDS: Readonly<
  Record<string, { weight: number; id: string; record: Readonly<Record<string, fc.Arbitrary<unknown>>> }>
> = {
  departments: { weight: 1, id: 'department_id', record: { department_id: knownId(DEPARTMENTS), name: maybe(name) } },
  clients: { weight: 1, id: 'client_id', record: { client_id: knownId(CLIENTS), name } },
  accounts: { weight: 1, id: 'account_id', record: { account_id: knownId(ACCOUNTS), name } },
  roles: {
    weight: 2,
    id: 'role_id',
    record: {
      role_id: knownId(ROLES),
      name,
      default_hourly_rate: rate,
      cost_rate_history: fc.array(fc.record({ rate, effective_date: maybe(date) }), { maxLength: 2 }),
    },
  },
  people: {
    weight: 4,
    id: 'people_id',
    record: {
      people_id: knownId(PEOPLE),
      name,
      department_id: maybe(anyId(DEPARTMENTS)),
      department_name: maybe(name),
      region_id: maybe(anyId(REGIONS)),
      role_id: maybe(anyId(ROLES)),
      work_days_hours: maybe(week),
      start_date: maybe(fc.constantFrom('2025-06-01', '2026-01-20')),
      end_date: maybe(fc.constantFrom('2026-02-10', '2026-06-30')),
      default_hourly_rate: rate,
      cost_rate: rate,
      effective_date: maybe(date),
      contracts: fc.array(
        fc.record({
          effective_date: maybe(date),
          role_id: maybe(anyId(ROLES)),
          cost_rate: rate,
          cost_rate_from: maybe(fc.constantFrom('person', 'HR', 'payroll')),
        }),
        { maxLength: 2 },
      ),
      work_days_hours_history: fc.array(fc.record({ effective_date: date, work_days_hours: week }), { maxLength: 2 }),
    },
  },
  projects: {
    weight: 3,
    id: 'project_id',
    record: {
      project_id: knownId(PROJECTS),
      name,
      client_id: maybe(anyId(CLIENTS)),
      project_manager: maybe(anyId(ACCOUNTS)),
      budget_type: maybe(fc.integer({ min: 0, max: 3 })),
      budget_total: budget,
      budget_priority: maybe(fc.integer({ min: 0, max: 2 })),
      default_hourly_rate: rate,
      non_billable: flag,
      status,
      end_date: maybe(fc.constantFrom('2026-03-01', '2026-05-31')),
      project_team: fc.array(fc.record({ ...member, phase_id: maybe(anyId(PHASES)) }), { maxLength: 3 }),
    },
  },
  phases: {
    weight: 2,
    id: 'phase_id',
    record: {
      phase_id: knownId(PHASES),
      project_id: anyId(PROJECTS),
      name,
      status,
      non_billable: flag,
      default_hourly_rate: rate,
      budget_total: budget,
      phase_team: fc.array(fc.record(member), { maxLength: 2 }),
    },
  },
  project_tasks: {
    weight: 2,
    id: 'task_meta_id',
    record: {
      task_meta_id: knownId(PROJECT_TASKS),
      project_id: anyId(PROJECTS),
      phase_id: maybe(anyId(PHASES)),
      task_name: name,
      billable: flag,
      budget,
    },
  },
  tasks: {
    weight: 6,
    id: 'task_id',
    record: {
      task_id: knownId(ALLOCATIONS),
      project_id: anyId(PROJECTS),
      phase_id: maybe(anyId(PHASES)),
      people_id: anyId(PEOPLE),
      window,
      hours,
      ...repeat,
      status,
      billable: flag,
      task_meta_id: maybe(anyId(PROJECT_TASKS)),
      people_ids: people,
    },
  },
  holidays: {
    weight: 2,
    id: 'holiday_id',
    record: {
      holiday_id: knownId(HOLIDAYS),
      date: maybe(date),
      dates: fc.array(fc.record({ date }), { minLength: 1, maxLength: 2 }),
      region_id: maybe(anyId(REGIONS)),
    },
  },
  timeoffs: {
    weight: 3,
    id: 'timeoff_id',
    record: {
      timeoff_id: knownId(TIME_OFF),
      people_id: anyId(PEOPLE),
      window,
      hours: maybe(hours),
      full_day: flag,
      ...repeat,
      status: maybe(fc.integer({ min: 1, max: 3 })),
      people_ids: people,
    },
  },
  logged_time: {
    weight: 8,
    id: 'logged_time_id',
    record: {
      logged_time_id: fc.integer({ min: 1, max: 3 * COUNT }).map((number) => `l${number}`),
      people_id: anyId(PEOPLE),
      date,
      hours,
      billable: flag,
      project_id: maybe(anyId(PROJECTS)),
      phase_id: maybe(anyId(PHASES)),
      task_id: maybe(anyId(ALLOCATIONS)),
      task_meta_id: maybe(anyId(PROJECT_TASKS)),
    },
  },
  project_expenses: {
    weight: 2,
    id: 'project_expense_id',
    record: {
      project_expense_id: knownId(EXPENSES),
      project_id: anyId(PROJECTS),
      date,
      cost: fc.constantFrom('10', '0.015', '0', '-7.5'),
      billable: flag,
      markup: maybe(fc.constantFrom('10', '7.7777')),
      markup_type: maybe(fc.integer({ min: 0, max: 1 })),
    },
  },
};

const SETTINGS = ["currency = 'JPY'", "currency = 'EUR'", 'work_days_hours = [0, 6, 6, 6, 6, 6, 0]'];

/** A random write: a record replaced or removed, or other settings. */
export const randomWrite: fc.Arbitrary<NamedStep> = fc.oneof(
  ...Object.entries(RECORDS).flatMap(([resource, { weight, id, record }]) => [
    { weight: 3 * weight, arbitrary: fc.record(record).map((draft) => putStep(resource, flatten(draft))) },
    { weight, arbitrary: (record[id] as fc.Arbitrary<string | number>).map((value) => removeStep(resource, value)) },
  ]),
  { weight: 1, arbitrary: fc.constantFrom(...SETTINGS).map(settingsStep) },
);

/** Moves the days of a window into fields of the record itself. */
function flatten({ window: days, ...draft }: Record<string, unknown>): StoredRecord {
  return { ...draft, ...(days as object | undefined) } as StoredRecord;
}

function putStep(resource: string, record: StoredRecord): NamedStep {
  return { name: `put ${resource} ${JSON.stringify(record)}`, step: (company) => company.put(resource, record) };
}

function removeStep(resource: string, id: string | number): NamedStep {
  return { name: `remove ${resource} ${id}`, step: (company) => company.remove(resource, id) };
}

function settingsStep(assignments: string): NamedStep {
  return { name: `settings ${assignments}`, step: (company) => company.changeSettings(assignments) };
}
