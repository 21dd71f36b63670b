import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const [ANN, BOB, PLACEHOLDER] = [1, 2, 3];
const ACCOUNT = 1;
const [BRIDGE, ARCH, FILTERED] = [1, 2, 3];
const [BRIDGE_PHASE, ARCH_PHASE] = [1, 2];

/** Allocations of a project used only by the filter tests. */
const WEEK = { project_id: FILTERED, people_id: ANN, start_date: '2026-03-02', end_date: '2026-03-06', hours: 4 };
const listed = [
  { task_id: 101, ...WEEK },
  { task_id: 102, ...WEEK, people_id: null, people_ids: [ANN, BOB], start_date: '2026-03-06', end_date: '2026-03-09' },
  { task_id: 103, ...WEEK, people_id: BOB, repeat_state: 1, repeat_end_date: '2026-03-31' },
];

let api: Api;
beforeAll(async () => {
  api = await openApi({
    accounts: [{ account_id: ACCOUNT, name: 'Olga' }],
    clients: [{ client_id: 5, name: 'Acme' }],
    roles: [{ role_id: 1, name: 'Designer' }],
    people: [
      { people_id: ANN, name: 'Ann', role_id: 1 },
      { people_id: BOB, name: 'Bob' },
      { people_id: PLACEHOLDER, name: 'Designer', people_type_id: 4, role_id: 1 },
    ],
    projects: [
      { project_id: BRIDGE, name: 'Bridge', client_id: 5 },
      { project_id: ARCH, name: 'Arch' },
      { project_id: FILTERED, name: 'Tunnel' },
    ],
    phases: [
      { phase_id: BRIDGE_PHASE, project_id: BRIDGE, name: 'Build', start_date: '2026-01-01', end_date: '2026-12-31' },
      { phase_id: ARCH_PHASE, project_id: ARCH, name: 'Draw', start_date: '2026-01-01', end_date: '2026-12-31' },
    ],
    project_tasks: [
      { task_meta_id: 1, project_id: BRIDGE, task_name: 'Sketch', billable: 1 },
      { task_meta_id: 2, project_id: BRIDGE, task_name: 'Clean', billable: 0 },
    ],
    tasks: listed,
  });
});
afterAll(() => api.close());

const NEW = { project_id: BRIDGE, people_id: ANN, start_date: '2026-07-06', end_date: '2026-07-10', hours: 4 };
const create = (fields: object = {}) => api.create('tasks', { ...NEW, ...fields });
const change = (task: Json, fields: object) => api.change(`tasks/${task.task_id}`, fields);
const found = async (query: string) => (await api.column(`tasks?project_id=${FILTERED}&${query}`, 'task_id')).sort();

it('API 2.4-1, API 4.2-18: POST returns 201 and a task_id that the service assigns', async () => {
  expect(Number.isInteger((await create()).task_id)).toBe(true);
});

it('API 2.4-2: phase_id is optional', async () => {
  expect((await create()).phase_id).toBeNull();
  expect((await create({ phase_id: BRIDGE_PHASE })).phase_id).toBe(BRIDGE_PHASE);
});

it.each(['project_id', 'start_date', 'end_date', 'hours'])('S 4.2-53: %s is required', async (field) => {
  const { [field as keyof typeof NEW]: _, ...rest } = NEW;
  expect(await api.refused('POST', 'tasks', rest)).toEqual([field]);
});

it('API 2.4-3, API 4.2-18, S 4.2-53: people_id or people_ids is required', async () => {
  const { people_id: _, ...rest } = NEW;
  expect((await api.send('POST', 'tasks', rest)).status).toBe(422);
  expect((await api.create('tasks', { ...rest, people_ids: [BOB] })).people_ids).toEqual([BOB]);
});

it('API 2.4-3: people_id may be a placeholder', async () => {
  expect((await create({ people_id: PLACEHOLDER })).people_id).toBe(PLACEHOLDER);
});

it('API 2.4-4: an allocation can have several people', async () => {
  const { people_id: _, ...rest } = NEW;
  expect((await api.create('tasks', { ...rest, people_ids: [ANN, BOB] })).people_ids).toEqual([ANN, BOB]);
});

it('API 2.4-5: hours are hours per day, as a decimal string', async () => {
  const project = await api.create('projects', { name: 'Only' });
  const task = await create({ project_id: project.project_id, hours: 7.5 });
  expect(task.hours).toBe('7.5000');
  const { totals } = await api.read(
    `reports/projects?project_id=${project.project_id}&start_date=2026-07-06&end_date=2026-07-10`,
  );
  expect(totals.scheduled_hours).toBe(37.5);
});

it.each([0, 1, 2, 3, 4])('API 2.4-7: status %d is kept', async (status) => {
  expect((await create({ status })).status).toBe(status);
});

it('API 2.4-8, API 9-4: billable is that of the project task', async () => {
  expect((await create({ task_meta_id: 1, billable: 0 })).billable).toBe(1);
  expect((await create({ task_meta_id: 2, billable: 1 })).billable).toBe(0);
});

it('API 9-4: billable of an allocation without a project task still works', async () => {
  const task = await create({ billable: 0 });
  expect(task.billable).toBe(0);
  expect((await change(task, { billable: 1 })).billable).toBe(1);
});

it('API 2.4-9: created_by and modified_by are account ids', async () => {
  expect(await create({ created_by: ACCOUNT, modified_by: ACCOUNT })).toMatchObject({
    created_by: ACCOUNT,
    modified_by: ACCOUNT,
  });
});

it('API 2.4-10: created and modified are timestamps, and a change moves modified', async () => {
  const task = await create();
  api.wait(5000);
  const changed = await change(task, { notes: 'Later' });
  for (const { created, modified } of [task, changed]) {
    expect([created, modified].join()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  }
  expect(changed.created).toBe(task.created);
  expect(changed.modified > task.modified).toBe(true);
});

it.each([
  ['2026-03-02', '2026-03-02', [101, 103]],
  ['2026-03-01', '2026-03-01', []],
  ['2026-03-06', '2026-03-06', [101, 102, 103]],
  ['2026-03-07', '2026-03-08', [102]],
  ['2026-02-01', '2026-12-31', [101, 102, 103]],
])(
  'API 4.2-17, API 4.2-30, S 4.2-54: start_date %s and end_date %s select the schedule of those dates, inclusively',
  async (start, end, expected) => {
    expect(await found(`start_date=${start}&end_date=${end}`)).toEqual(expected);
  },
);

it.each([
  ['an occurrence', '2026-03-17', '2026-03-17', [103]],
  ['the last occurrence', '2026-03-30', '2026-03-31', [103]],
  ['after the repeat end', '2026-04-06', '2026-04-30', []],
  ['a gap between occurrences', '2026-03-14', '2026-03-15', []],
])(
  'API 2.4-6, API 4.2-31, S 4.2-54: repeats are matched up to repeat_end_date: %s',
  async (_what, start, end, expected) => {
    expect(await found(`start_date=${start}&end_date=${end}`)).toEqual(expected);
  },
);

it('API 4.2-17, API 4.2-32, S 4.2-55: people_id matches people_id and people_ids', async () => {
  expect(await found(`people_id=${ANN}`)).toEqual([101, 102]);
  expect(await found(`people_id=${BOB}`)).toEqual([102, 103]);
});

it('API 4.2-17, API 4.2-33, S 4.2-56: phase_id refines within a project', async () => {
  const [inside, other] = [
    await create({ phase_id: BRIDGE_PHASE }),
    await create({ project_id: ARCH, phase_id: ARCH_PHASE }),
  ];
  const list = (query: string) => api.column(`tasks?per-page=200&${query}`, 'task_id');
  expect(await list(`project_id=${BRIDGE}`)).toContain(inside.task_id);
  expect(await list(`project_id=${BRIDGE}&phase_id=${BRIDGE_PHASE}`)).toContain(inside.task_id);
  expect(await list(`project_id=${BRIDGE}&phase_id=${ARCH_PHASE}`)).toEqual([]);
  expect(await list(`project_id=${ARCH}&phase_id=${ARCH_PHASE}`)).toEqual([other.task_id]);
});

it('API 4.2-17: sort, fields, expand, page and per-page work together', async () => {
  const query = `tasks?project_id=${FILTERED}&sort=task_id&fields=task_id,client_id&expand=client_id&per-page=2&page=2`;
  expect(await api.read(query)).toEqual([{ task_id: 103, client_id: null }]);
});

it('S 4.2-57: expand takes client_id, people and task_days', async () => {
  const task = await create({ start_date: '2026-07-10', end_date: '2026-07-13' });
  const path = `tasks/${task.task_id}`;
  for (const name of ['client_id', 'people', 'task_days']) expect(await api.read(path)).not.toHaveProperty(name);
  const expanded = await api.read(`${path}?expand=client_id,people,task_days`);
  expect(expanded).toMatchObject({ client_id: 5, people: [{ people_id: ANN, name: 'Ann' }] });
  // Friday to Monday, across a weekend.
  expect(JSON.stringify(expanded.task_days).match(/\d{4}-\d\d-\d\d/g)).toEqual(['2026-07-10', '2026-07-13']);
});
