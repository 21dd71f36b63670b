import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const [ANN, BOB] = [1, 2];
const [BRIDGE, ARCH] = [1, 2];
const DAYS = { start_date: '2026-07-06', end_date: '2026-07-10' };
const WEEK = [0, 8, 8, 8, 8, 8, 0];

/** A new record of each resource, with every required field. */
const RECORDS: Readonly<Record<string, { readonly id: string; readonly fields: Readonly<Record<string, unknown>> }>> = {
  people: { id: 'people_id', fields: { name: 'Eve' } },
  projects: { id: 'project_id', fields: { name: 'Tunnel' } },
  roles: { id: 'role_id', fields: { name: 'Designer' } },
  phases: { id: 'phase_id', fields: { project_id: BRIDGE, name: 'Build', ...DAYS } },
  milestones: { id: 'milestone_id', fields: { project_id: BRIDGE, name: 'Done', date: '2026-07-10' } },
  tasks: { id: 'task_id', fields: { project_id: BRIDGE, people_id: ANN, hours: 4, ...DAYS } },
  'logged-time': {
    id: 'logged_time_id',
    fields: { people_id: ANN, project_id: BRIDGE, date: '2026-06-01', hours: 4 },
  },
  'project-expenses': {
    id: 'project_expense_id',
    fields: { project_id: BRIDGE, name: 'Train', date: '2026-07-06', cost: 120, billable: 1 },
  },
};

/** Values that a field takes, each as sent and as shown, at create and at update. */
const taken: [ids: string, path: string, field: string, values: readonly (readonly [unknown, unknown])[]][] = [
  [
    'API 2.1-9, S 4.2-11',
    'people',
    'department_id',
    [
      [1, 1],
      ['1', 1],
      [null, null],
    ],
  ],
  [
    'API 2.1-13, API 2.1-14',
    'people',
    'work_days_hours',
    [
      [WEEK, WEEK],
      [Array(7).fill(24), Array(7).fill(24)],
      [null, null],
    ],
  ],
  [
    'API 2.1-15',
    'people',
    'contractor',
    [
      [1, 1],
      ['0', 0],
      [true, 1],
      [null, 0],
    ],
  ],
  [
    'API 2.1-18, S 4.2-10',
    'people',
    'tags',
    [
      [
        ['ÄÖ Ü', 'B'],
        ['äö ü', 'b'],
      ],
      [[], []],
      [null, []],
    ],
  ],
  [
    'API 2.1-19',
    'people',
    'start_date',
    [
      ['2024-02-29', '2024-02-29'],
      [null, null],
    ],
  ],
  [
    'API 2.1-22, API 2-5',
    'people',
    'default_hourly_rate',
    [
      [0, '0.0000'],
      ['0.0001', '0.0001'],
      [null, null],
    ],
  ],
  [
    'API 2.2-7',
    'projects',
    'client_id',
    [
      ['5', 5],
      [null, null],
    ],
  ],
  [
    'API 2.2-8, IN 1.5-3',
    'projects',
    'color',
    [
      ['#FF8800', 'FF8800'],
      [null, '4a90d9'],
    ],
  ],
  [
    'API 2.2-11',
    'projects',
    'budget_total',
    [
      [0, 0],
      ['99.25', 99.25],
      [null, null],
    ],
  ],
  [
    'API 2.2-13, API 2-5',
    'projects',
    'default_hourly_rate',
    [
      [1.5, '1.5000'],
      [null, null],
    ],
  ],
  [
    'API 2.2-14',
    'projects',
    'locked_task_list',
    [
      [1, 1],
      ['0', 0],
      [true, 1],
    ],
  ],
  [
    'API 2.2-16',
    'projects',
    'status',
    [0, 1, 2, 3, 4].flatMap(
      (each) =>
        [
          [each, each],
          [String(each), each],
        ] as const,
    ),
  ],
  ['API 2.7-2', 'phases', 'status', [0, 1, 2, 3, 4].map((each) => [each, each] as const)],
  [
    'API 2.4-5, API 2-4',
    'tasks',
    'hours',
    [
      [24, '24.0000'],
      ['0.25', '0.2500'],
    ],
  ],
  [
    'API 2.10-4',
    'project-expenses',
    'markup_type',
    [
      [0, 0],
      ['1', 1],
    ],
  ],
  [
    'API 2.10-3',
    'project-expenses',
    'markup',
    [
      [0, '0.0000'],
      ['12.3456', '12.3456'],
      [null, null],
    ],
  ],
];

const DATES = ['2026-02-30', '2026-13-01', '06.07.2026', 5];
const NO_NAMES = ['', null];

/** Values that a field refuses at create and at update. */
const refused: [ids: string, path: string, field: string, values: readonly unknown[]][] = [
  ['API 2.1-2, S 4.2-8', 'people', 'name', NO_NAMES],
  ['API 2.1-3, API 8-2', 'people', 'people_code', ['x'.repeat(33), '🦉'.repeat(33)]],
  ['API 2.1-9', 'people', 'department_id', [77, 'x', 1.5]],
  ['API 2.1-11', 'people', 'role_id', [77, 'x', 1.5]],
  ['API 2.1-13', 'people', 'work_days_hours', [[8], [...WEEK, 0], [25, ...WEEK.slice(1)], [-1, ...WEEK.slice(1)], 'x']],
  ['API 2.1-15', 'people', 'contractor', [2, 'x']],
  ['API 2.1-19', 'people', 'start_date', DATES],
  ['API 2.1-22', 'people', 'default_hourly_rate', ['x', '1,5', 'NaN', true]],
  ['API 2.2-2, S 4.2-27', 'projects', 'name', NO_NAMES],
  ['API 2.2-3, API 8-3', 'projects', 'project_code', ['x'.repeat(33), '🦉'.repeat(33)]],
  ['API 2.2-7', 'projects', 'client_id', [77, 'x']],
  ['API 2.2-11', 'projects', 'budget_type', ['x', 1.5]],
  ['API 2.2-14', 'projects', 'non_billable', [2, 'x']],
  ['API 2.2-16', 'projects', 'status', [5, -1, 1.5, 'x']],
  ['API 2.2-17', 'projects', 'stage_id', [77, 'x']],
  ['API 2.2-18', 'projects', 'project_manager', [77, 'x']],
  ['API 2.2-21', 'projects', 'end_date', DATES],
  ['API 2.11-1', 'roles', 'name', NO_NAMES],
  ['API 2.7-1, S 4.2-44', 'phases', 'project_id', [null, 77]],
  ['API 2.7-1, S 4.2-44', 'phases', 'name', NO_NAMES],
  ['API 2.7-1, S 4.2-44', 'phases', 'start_date', [null, ...DATES]],
  ['API 2.7-1, S 4.2-44', 'phases', 'end_date', [null, ...DATES]],
  ['API 2.7-2', 'phases', 'status', [5, -1, 'x']],
  ['API 2.8-1, S 4.2-48', 'milestones', 'name', NO_NAMES],
  ['API 2.8-1, S 4.2-48', 'milestones', 'date', [null, ...DATES]],
  ['API 2.4-3, S 4.2-53', 'tasks', 'people_id', [77, 'x']],
  ['API 2.4-4', 'tasks', 'people_ids', [[ANN, 77]]],
  ['S 4.2-53', 'tasks', 'project_id', [null, 77]],
  ['API 2.4-5', 'tasks', 'hours', [null, -1, 24.01, 'x', true]],
  ['API 2.4-7', 'tasks', 'status', [5, -1, 'x']],
  ['API 2.5-2', 'logged-time', 'hours', [-1, 24.5, 'x']],
  ['API 2.5-5', 'logged-time', 'reference_date', DATES],
  ['API 2.10-1, S 4.2-65', 'project-expenses', 'name', NO_NAMES],
  ['API 2.10-1, S 4.2-65', 'project-expenses', 'cost', [null, 'x']],
  ['API 2.10-1, S 4.2-65', 'project-expenses', 'date', [null, ...DATES]],
  ['API 2.10-4', 'project-expenses', 'markup_type', [2, -1, 'x']],
];

let api: Api;
const made = new Map<string, Json>();
beforeAll(async () => {
  api = await openApi({
    accounts: [{ account_id: 1, name: 'Olga', account_type: 1 }],
    clients: [{ client_id: 5, name: 'Acme' }],
    departments: [{ department_id: 1, name: 'Studio' }],
    people: [
      { people_id: ANN, name: 'Ann' },
      { people_id: BOB, name: 'Bob' },
    ],
    projects: [
      { project_id: BRIDGE, name: 'Bridge' },
      { project_id: ARCH, name: 'Arch' },
    ],
    phases: [{ phase_id: 900, project_id: ARCH, name: 'Draw', ...DAYS }],
  });
  for (const [path, { fields }] of Object.entries(RECORDS)) made.set(path, await api.create(path, fields));
});
afterAll(() => api.close());

const pathOf = (path: string) => `${path}/${made.get(path)[RECORDS[path]?.id ?? '']}`;
const newRecord = (path: string, field: string, value: unknown) => ({ ...RECORDS[path]?.fields, [field]: value });

describe('values that are taken', { tags: ['slow'] }, () => {
  it.each(taken)('%s: %s.%s, at create and at update, alone and in a list', async (_ids, path, field, values) => {
    const { id = '' } = RECORDS[path] ?? {};
    for (const [sent, shown] of values) {
      const created = await api.create(path, newRecord(path, field, sent));
      const changed = await api.change(pathOf(path), { [field]: sent });
      const listed = await api.read(`${path}?${id}=${created[id]},${changed[id]}&fields=${field}`);
      expect([created[field], changed[field], ...listed.map((each: Json) => each[field])]).toEqual(
        Array(4).fill(shown),
      );
    }
  });
});

describe('values that are refused', () => {
  it.each(refused)('%s: %s.%s, at create and at update', async (_ids, path, field, values) => {
    for (const value of values) {
      expect(await api.refused('POST', path, newRecord(path, field, value))).toEqual([field]);
      expect(await api.refused('PATCH', pathOf(path), { [field]: value })).toEqual([field]);
    }
  });

  it.each([
    ['API 2.1-19', 'people', { start_date: '2026-05-02', end_date: '2026-05-01' }],
    ['API 2.2-21', 'projects', { start_date: '2026-05-02', end_date: '2026-05-01' }],
    ['API 2.7-1', 'phases', { start_date: '2026-05-02', end_date: '2026-05-01' }],
    ['API 2.8-2, S 4.2-49', 'milestones', { phase_id: 900 }],
    ['API 2.4-2', 'tasks', { phase_id: 900 }],
    ['API 2.10-3, S 4.2-67', 'project-expenses', { billable: 0, markup: '5' }],
  ])('%s: %s with %j, at create and at update', async (_ids, path, fields) => {
    const sent = { ...RECORDS[path]?.fields, ...fields };
    expect((await api.refused('POST', path, sent)).length).toBeGreaterThan(0);
    expect((await api.refused('PATCH', pathOf(path), fields)).length).toBeGreaterThan(0);
  });
});
