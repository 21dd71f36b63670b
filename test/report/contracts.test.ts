import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany, type Row } from '../sql/company.ts';

/** A project with what belongs to it; its parts get its number, and their ids from it. */
interface Case {
  readonly project: object;
  /** Phases 1, 2 ... of the project. */
  readonly phases?: readonly object[];
  /** Project tasks 1, 2 ... of the project. */
  readonly tasks?: readonly object[];
  /** The amounts of milestones, in the order of their ids. */
  readonly milestones?: readonly object[];
  /** Logged hours, each of a day. */
  readonly logged?: readonly (readonly [
    day: string,
    hours: number,
    more?: { phase_id?: number; task_meta_id?: number },
  ])[];
  /** Ten hours that are scheduled on each of these days. */
  readonly planned?: readonly string[];
  readonly expenses?: readonly (readonly [day: string, cost: string])[];
}

const AUGUST = { start_date: '2025-08-01', end_date: '2025-08-31' };
const F = { contract: 'fixed', budget_total: '15500', ...AUGUST };
const E = {
  contract: 'fixed',
  budget_total: '9000',
  start_date: '2025-01-01',
  end_date: '2025-03-31',
  recognise: 'evenly',
};
const C = { contract: 'capped', budget_total: '40000' };
const SIXTY_HOURS = [4, 5, 6, 7, 8, 11].map((day) => [`2025-08-${String(day).padStart(2, '0')}`, 10] as const);
/** Hours that are worth 42,939.19 at 100.00. */
const TOO_MUCH = [
  ...Array.from({ length: 17 }, (_, index) => [`2025-08-${index + 10}`, 24] as const),
  ['2025-08-28', 21.3919],
] as const;
const DAY = '2025-08-04';

/** Fixed fees of 1,000.00 that are agreed for August. */
const fixed = (more: object = {}) => ({ contract: 'fixed', budget_total: '1000', ...AUGUST, ...more });
const TWO_MILESTONES = [
  { date: '2025-08-20', amount: '300' },
  { date: '2025-08-06', amount: '200' },
];

const CASES = {
  F: { project: F },
  'F with work': { project: F, logged: SIXTY_HOURS, planned: ['2025-08-25', '2025-08-26', '2025-08-27', '2025-08-28'] },
  C: { project: C, logged: TOO_MUCH },
  'C completed': {
    project: { ...C, status: 3 },
    logged: [...TOO_MUCH.slice(0, 15), ['2025-08-28', 20]],
  },
  'C after its end': {
    project: { ...C, budget_total: '150', ...AUGUST },
    logged: [
      ['2025-08-20', 1],
      ['2025-09-03', 1],
    ],
  },
  E: { project: E },
  'E with work': { project: E, logged: [['2025-02-03', 8]], planned: ['2025-03-03'] },
  'F with a budget': { project: { ...F, budget_type: 2 } },
  pitch: { project: { ...F, budget_total: '200000', status: 1 } },

  'by records': { project: { budget_type: 2, budget_total: '1000', status: 3 }, logged: [[DAY, 1]] },
  'fixed with a budget of fees': { project: { ...fixed({ status: 3 }), budget_type: 3 }, logged: [[DAY, 1]] },
  'time with an agreed fee': { project: { contract: ' Time', budget_type: 2, budget_total: '50' }, logged: [[DAY, 1]] },
  'capped without an amount': { project: { contract: 'capped', budget_type: 3 }, logged: [[DAY, 1]] },
  'fixed in hours': { project: { ...fixed(), budget_type: 1 }, logged: [[DAY, 1]] },
  'internal by field': { project: { contract: 'INTERNAL' }, logged: [[DAY, 1]], expenses: [[DAY, '40']] },
  'not billable, fixed by field': { project: fixed({ non_billable: 1 }), logged: [[DAY, 1]] },
  'a phase in a budget of the project': {
    project: { contract: 'capped', budget_total: '150' },
    phases: [{ contract: 'internal' }],
    logged: [[DAY, 2, { phase_id: 1 }]],
  },
  'phases with and without a contract': {
    project: { contract: 'capped', budget_priority: 1 },
    phases: [
      { budget_total: '150' },
      { budget_total: '150', contract: 'fixed', completed_on: '2025-08-20', status: 3 },
      { budget_total: '150', contract: 'internal' },
      { contract: 'fixed' },
    ],
    logged: [1, 2, 3, 4, 0].map((phase_id) => [DAY, 2, { phase_id }] as const),
    expenses: [[DAY, '40']],
  },
  'tasks of a phase with a contract': {
    project: { contract: 'capped', budget_priority: 2 },
    phases: [{ contract: 'fixed', end_date: '2025-08-20' }],
    tasks: [{ budget: '150', phase_id: 1 }, { budget: '150' }],
    logged: [1, 2].map((task_meta_id) => [DAY, 2, { task_meta_id }] as const),
  },

  'evenly without days': {
    project: { contract: 'fixed', budget_total: '1000', recognise: 'evenly', end_date: '2025-08-31' },
    logged: [[DAY, 1]],
  },
  'evenly, ended early': { project: fixed({ recognise: 'evenly', status: 3, completed_on: '2025-08-10' }) },
  done: { project: fixed({ recognise: 'done' }), logged: [[DAY, 1]] },
  milestones: { project: fixed({ recognise: 'milestones' }), milestones: TWO_MILESTONES },
  'milestones beyond the fee': {
    project: fixed({ recognise: 'milestones', budget_total: '450' }),
    milestones: TWO_MILESTONES,
  },
  'milestones of several on a day': {
    project: fixed({ recognise: 'milestones', budget_total: '100' }),
    milestones: [70, 50].map((amount) => ({ date: '2025-08-06', amount })),
  },
  'milestones after the end': {
    project: fixed({ recognise: 'milestones', status: 3, completed_on: '2025-08-10' }),
    milestones: TWO_MILESTONES,
  },
  'milestones of phases': {
    project: { contract: 'fixed', recognise: 'milestones', budget_priority: 1, ...AUGUST },
    phases: [{ budget_total: '1000' }],
    milestones: TWO_MILESTONES.map((milestone, index) => ({ ...milestone, phase_id: index })),
  },
  'expenses inside': { project: fixed({ recognise: 'done' }), expenses: [[DAY, '1200']] },
  'expenses on top': { project: fixed({ recognise: 'done', fee_expenses: 'on_top' }), expenses: [[DAY, '1200']] },
  'capped, expenses on top': {
    project: { contract: 'capped', budget_total: '150', fee_expenses: 'on_top' },
    logged: [[DAY, 2]],
    expenses: [[DAY, '40']],
  },

  'completed on a day': {
    project: fixed({ status: 3, completed_on: '2025-08-15' }),
    logged: [
      ['2025-08-04', 3],
      ['2025-08-05', 1],
      ['2025-08-18', 4],
    ],
    planned: ['2025-08-25'],
  },
  'completed without hours': {
    project: fixed({ status: 3, completed_on: '2025-08-15' }),
    logged: [['2025-08-18', 1]],
    expenses: [
      [DAY, '40'],
      ['2025-08-20', '100'],
    ],
  },
  'completed at its end': { project: fixed({ status: 3 }) },
  'completed on its last day': { project: fixed({ status: 3, end_date: null }), expenses: [['2025-08-19', '0']] },
  'completed without any day': { project: fixed({ status: 3, end_date: null }) },
  'completed before an end to come': {
    project: fixed({ recognise: 'done', status: 3, end_date: '2099-12-31' }),
    logged: [['2025-08-19', 1]],
  },
  'work that is left after the end': {
    project: fixed({ end_date: '2025-08-15' }),
    logged: [[DAY, 10]],
    planned: ['2025-08-25'],
  },
  'draft, evenly': { project: fixed({ recognise: 'evenly', status: 0 }), logged: [[DAY, 1]] },
  'canceled, evenly': { project: fixed({ recognise: 'evenly', status: 4 }), logged: [[DAY, 1]] },
} satisfies Record<string, Case>;

type Name = keyof typeof CASES;

const NAMES = Object.keys(CASES) as Name[];
const idOf = (name: Name): number => NAMES.indexOf(name) + 1;

/** Ids of parts: those of one project never meet those of another. */
const partId = (project: number, part: number | undefined): number | undefined =>
  part ? project * 100 + part : undefined;

function makeCompany(): Parameters<typeof openCompany>[0] {
  const parts = NAMES.map((name): Required<Case> & { project_id: number } => {
    const empty = { phases: [], tasks: [], milestones: [], logged: [], planned: [], expenses: [] };
    return { ...empty, ...(CASES[name] as Case), project_id: idOf(name) };
  });
  const each = <Part>(
    list: (part: (typeof parts)[number]) => readonly Part[],
    make: (item: Part, id: number) => object,
  ) =>
    parts.flatMap((part) =>
      list(part).map((item, index) => ({
        project_id: part.project_id,
        ...make(item, part.project_id * 100 + index + 1),
        ...ownParts(part.project_id, item),
      })),
    );
  return {
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', cost_rate: '50' }],
    projects: parts.map(({ project, project_id }) => ({
      project_id,
      name: NAMES[project_id - 1],
      default_hourly_rate: '100',
      ...project,
    })),
    phases: each(
      ({ phases }) => phases,
      (phase, phase_id) => ({ ...phase, phase_id, name: `Phase ${phase_id}` }),
    ),
    project_tasks: each(
      ({ tasks }) => tasks,
      (task, task_meta_id) => ({ ...task, task_meta_id, task_name: 'Task' }),
    ),
    milestones: each(
      ({ milestones }) => milestones,
      (milestone, milestone_id) => ({ ...milestone, milestone_id, name: 'M' }),
    ),
    logged_time: each(
      ({ logged }) => logged,
      ([date, hours], id) => ({ logged_time_id: String(id), people_id: 1, date, hours }),
    ),
    tasks: each(
      ({ planned }) => planned,
      (day, task_id) => ({ task_id, people_id: 1, start_date: day, end_date: day, hours: 10 }),
    ),
    project_expenses: each(
      ({ expenses }) => expenses,
      ([date, cost], id) => ({ project_expense_id: id, name: 'Train', date, cost, billable: 1 }),
    ),
  };
}

/** Returns the ids of the phase and project task that a part names by their numbers. */
function ownParts(project: number, item: unknown): object {
  const named = (Array.isArray(item) ? item[2] : item) as { phase_id?: number; task_meta_id?: number } | undefined;
  return {
    ...(typeof named === 'object' && 'phase_id' in named && { phase_id: partId(project, named.phase_id) }),
    ...(typeof named === 'object' && 'task_meta_id' in named && { task_meta_id: partId(project, named.task_meta_id) }),
  };
}

let company: Company;

beforeAll(async () => {
  company = await openCompany(makeCompany());
});

afterAll(() => company.close());

interface Asked {
  readonly measure?: string;
  readonly cutoff?: string;
  readonly by?: string;
  readonly status?: string;
}

const END = '2025-12-31';

/** Returns the values of a measure of a project by `by`, e.g. `2025-08-31: 15500`, of all days up to the end of the year. */
async function earn(name: Name, { measure = 'earned_revenue', cutoff = END, by = 'day', status }: Asked = {}) {
  const { rows } = await company.report('pivot', {
    ...{ start_date: '2025-01-01', end_date: END, cutoff_date: cutoff },
    ...{ group_by: by, measures: measure, project_id: String(idOf(name)) },
    ...(status !== undefined && { status }),
  });
  const key = by === 'phase' ? 'phase_id' : by === 'task' ? 'task_meta_id' : by;
  return rows.filter((row) => row[measure] !== '0').map((row) => `${keyOf(row[key])}: ${row[measure]}`);
}

const keyOf = (value: Row[string] | undefined) => (typeof value === 'number' ? value % 100 : value);

/** Returns what projects earn up to a cutoff, and what they are forecast to. */
async function totals(names: readonly Name[], { cutoff = END, status }: Asked = {}) {
  const { rows } = await company.report('pivot', {
    ...{ start_date: '2025-01-01', end_date: END, cutoff_date: cutoff, group_by: 'project' },
    ...{ measures: 'earned_revenue,forecast_earned_revenue,fees_beyond_budget' },
    ...{ project_id: names.map(idOf).join(',') },
    ...(status !== undefined && { status }),
  });
  const found = new Map(rows.map((row) => [row['project'], row]));
  return names.map((name) => {
    const row = found.get(name);
    return [
      name,
      row?.['earned_revenue'] ?? '0',
      row?.['forecast_earned_revenue'] ?? '0',
      row?.['fees_beyond_budget'] ?? '0',
    ];
  });
}

const ALL = 'draft,tentative,confirmed,completed';

test('a fixed fee that nobody works on is earned on the last day', { tags: ['slow'] }, async () => {
  expect(await earn('F')).toEqual(['2025-08-31: 15500']);
  expect(await earn('F', { cutoff: '2025-08-30' })).toEqual([]);
  expect(await earn('F', { cutoff: '2025-08-30', measure: 'forecast_earned_revenue' })).toEqual(['2025-08-31: 15500']);
});

test('the budget of a row that only revenue makes opens its lines', { tags: ['slow'] }, async () => {
  const asked = {
    start_date: '2025-01-01',
    end_date: END,
    cutoff_date: END,
    project_id: String(idOf('F with a budget')),
  };
  for (const fields of ['actual_revenue,budget_total', 'budget_total']) {
    const { rows } = await company.report('projects', { ...asked, fields });
    expect(rows.map((row) => row['budget_total'])).toEqual(['15500']);
  }
  const number = { ...asked, report: 'projects', measure: 'budget_total' };
  expect((await company.report('lines', number)).totals['contribution']).toBe('15500');
});

test('a fixed fee with work left is earned by hours, at its end in full', { tags: ['slow'] }, async () => {
  expect(await totals(['F with work'], { cutoff: '2025-08-22' })).toEqual([['F with work', '9300', '15500', '0']]);
  expect(await totals(['F with work'])).toEqual([['F with work', '15500', '15500', '0']]);
});

test('a capped fee is what is worked, up to the cap', { tags: ['slow'] }, async () => {
  expect(await totals(['C', 'C completed', 'C after its end'])).toEqual([
    ['C', '40000', '40000', '2939.19'],
    ['C completed', '38000', '38000', '0'],
    ['C after its end', '150', '150', '50'],
  ]);
});

test('a fee that is earned evenly has the days of a month in it, with or without work', {
  tags: ['slow'],
}, async () => {
  for (const name of ['E', 'E with work'] as const) {
    const months = ['2025-01-01: 3100', '2025-02-01: 2800', '2025-03-01: 3100'];
    expect(await earn(name, { by: 'month' })).toEqual(months);
    const asked = { by: 'month', cutoff: '2025-02-14' };
    expect(await earn(name, asked)).toEqual(['2025-01-01: 3100', '2025-02-01: 1400']);
    expect(await earn(name, { ...asked, measure: 'forecast_earned_revenue' })).toEqual(months);
  }
});

test('a tentative pitch past its end earns nothing', { tags: ['slow'] }, async () => {
  expect(await totals(['pitch'], { status: ALL })).toEqual([['pitch', '0', '0', '0']]);
  const before = { cutoff: '2025-08-30' };
  expect(await totals(['pitch'], before)).toEqual([['pitch', '0', '0', '0']]);
  expect(await totals(['pitch'], { ...before, status: ALL })).toEqual([['pitch', '0', '200000', '0']]);
});

test('K1: the kind of a contract is that of the records, unless the field says otherwise', {
  tags: ['slow'],
}, async () => {
  const kinds = [
    ['by records', '1000', '1000', '0'],
    ['fixed with a budget of fees', '1000', '1000', '0'],
    ['time with an agreed fee', '100', '100', '0'],
    ['capped without an amount', '100', '100', '0'],
    ['fixed in hours', '100', '100', '0'],
    ['internal by field', '0', '0', '0'],
    ['not billable, fixed by field', '0', '0', '0'],
    ['a phase in a budget of the project', '150', '150', '50'],
  ] as const;
  expect(await totals(kinds.map(([name]) => name))).toEqual(kinds);
});

test('K1: work of a contract that is internal is not billable', { tags: ['slow'] }, async () => {
  const lines = await company.rows(`
    SELECT kind, billable, fee FROM marts.lines WHERE project_id = ${idOf('internal by field')} ORDER BY line_id`);
  expect(lines.map(Object.values)).toEqual([
    ['actual', false, '0'],
    ['expense', false, '0'],
  ]);
});

test('K1: a phase says its own contract, else its project says it; work in no place earns its fees', {
  tags: ['slow'],
}, async () => {
  const name = 'phases with and without a contract';
  expect(await earn(name, { by: 'phase' })).toEqual(['0: 240', '1: 150', '2: 150', '4: 200']);
  expect(await earn(name, { by: 'phase', measure: 'fees_beyond_budget' })).toEqual(['1: 50', '2: 50']);
});

test('K1: a project task takes the contract and the days of its phase, else of its project', {
  tags: ['slow'],
}, async () => {
  const name = 'tasks of a phase with a contract';
  expect(await earn(name, { by: 'task' })).toEqual(['1: 150', '2: 150']);
  expect(await earn(name, { by: 'task', measure: 'fees_beyond_budget' })).toEqual(['1: 50', '2: 50']);
});

test('K2: a fee that is earned evenly has all of it by the day on which it ends', { tags: ['slow'] }, async () => {
  const days = await earn('evenly, ended early');
  expect([days.length, days[0], days.at(-1)]).toEqual([10, '2025-08-01: 32.26', '2025-08-10: 709.68']);
  // Without a first day it is earned by progress: an hour at 100.00, and the rest on the last day.
  const asked = { cutoff: '2025-08-20' };
  expect(await totals(['evenly without days'], asked)).toEqual([['evenly without days', '100', '1000', '0']]);
});

test('K2: a fee may be earned on the day on which it ends', { tags: ['slow'] }, async () => {
  expect(await earn('done')).toEqual(['2025-08-31: 1000']);
  expect(await totals(['done'], { cutoff: '2025-08-30' })).toEqual([['done', '0', '1000', '0']]);
});

test('K2: a fee may be earned by milestones, and what is left of it on the last day', { tags: ['slow'] }, async () => {
  expect(await earn('milestones')).toEqual(['2025-08-06: 200', '2025-08-20: 300', '2025-08-31: 500']);
  expect(await totals(['milestones'], { cutoff: '2025-08-19' })).toEqual([['milestones', '200', '1000', '0']]);
  expect(await earn('milestones beyond the fee')).toEqual(['2025-08-06: 200', '2025-08-20: 250']);
  expect(await earn('milestones of several on a day')).toEqual(['2025-08-06: 100']);
  expect(await earn('milestones after the end')).toEqual(['2025-08-06: 200', '2025-08-10: 800']);
  expect(await earn('milestones of phases')).toEqual(['2025-08-06: 200', '2025-08-31: 800']);
});

test('K2: billed expenses are inside the fee of a project or on top of it', { tags: ['slow'] }, async () => {
  expect(await totals(['expenses inside', 'expenses on top', 'capped, expenses on top'])).toEqual([
    ['expenses inside', '1000', '1000', '200'],
    ['expenses on top', '2200', '2200', '0'],
    ['capped, expenses on top', '190', '190', '50'],
  ]);
});

test('K3: a completed project has earned its fee on the day on which it ended', { tags: ['slow'] }, async () => {
  expect(await earn('completed on a day')).toEqual(['2025-08-04: 750', '2025-08-05: 250']);
  // Up to the day before it has not ended: 4 of the 14 hours that are known then.
  expect(await earn('completed on a day', { cutoff: '2025-08-14' })).toEqual([
    '2025-08-04: 214.29',
    '2025-08-05: 71.42',
  ]);
  expect(await earn('completed without hours')).toEqual(['2025-08-04: 40', '2025-08-15: 960']);
  expect(await earn('completed without hours', { by: 'month' })).toEqual(['2025-08-01: 1000']);
  expect(await earn('completed at its end')).toEqual(['2025-08-31: 1000']);
  expect(await earn('completed on its last day')).toEqual(['2025-08-19: 1000']);
  expect(await earn('completed without any day')).toEqual([]);
  expect(await earn('completed before an end to come')).toEqual(['2025-08-19: 1000']);
});

test('K3: a project has not ended while work is left', { tags: ['slow'] }, async () => {
  const name = 'work that is left after the end';
  expect(await totals([name], { cutoff: '2025-08-22' })).toEqual([[name, '500', '1000', '0']]);
  expect(await totals([name], { cutoff: '2025-08-25' })).toEqual([[name, '1000', '1000', '0']]);
});

test('K4: a project that is not firm earns by days ahead alone, a canceled one as it is used', {
  tags: ['slow'],
}, async () => {
  const asked = { cutoff: '2025-08-30' };
  expect(await totals(['draft, evenly', 'canceled, evenly'], asked)).toEqual([
    ['draft, evenly', '0', '0', '0'],
    ['canceled, evenly', '100', '100', '0'],
  ]);
  expect(await totals(['draft, evenly'], { ...asked, status: ALL })).toEqual([['draft, evenly', '0', '32.26', '0']]);
});

test('K4: what no work carries is a line of its own, under no person, in reports of what is earned', {
  tags: ['slow'],
}, async () => {
  const window = { start_date: '2025-01-01', end_date: END, cutoff_date: END };
  const id = idOf('milestones of phases');
  const asked = { ...window, project_id: String(id) };
  const { rows } = await company.report('lines', { ...asked, measure: 'earned_revenue' });
  const columns = ['kind', 'line_id', 'status', 'people_id', 'hours', 'cost', 'fee', 'contribution'];
  const [phase, none] = [id * 100 + 1, [null, null, null, null]];
  expect(rows.map((row) => columns.map((column) => row[column]))).toEqual([
    ['revenue', `f:${id}:${phase}:0:2025-08-06`, 'confirmed', ...none, '200'],
    ['revenue', `f:${id}:${phase}:0:2025-08-31`, 'confirmed', ...none, '800'],
  ]);
  const pivot = async (measures: string) => {
    const { rows } = await company.report('pivot', { ...asked, group_by: 'person', measures });
    return rows.map((row) => [row['people_id'], row[measures]]);
  };
  expect(await pivot('earned_revenue')).toEqual([[null, '1000']]);
  expect(await pivot('actual_fees')).toEqual([]);
});
