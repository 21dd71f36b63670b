import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const ACME = 1;
const [MEMBER, OWNER] = [1, 2];
const ANN = 1;

let api: Api;
beforeAll(async () => {
  api = await openApi({
    clients: [{ client_id: ACME, name: 'Acme' }],
    // Account type 1 is the owner of the account.
    accounts: [
      { account_id: MEMBER, name: 'Max', account_type: 4 },
      { account_id: OWNER, name: 'Olga', account_type: 1 },
    ],
    people: [{ people_id: ANN, name: 'Ann' }],
    project_stages: [
      { stage_id: 1, name: 'Pitch', status: 1, sort_order: 1 },
      { stage_id: 2, name: 'Build', status: 2, sort_order: 2 },
    ],
  });
});
afterAll(() => api.close());

const create = (fields: object = {}) => api.create('projects', { name: 'Bridge', ...fields });
const change = (project: Json, fields: object) => api.change(`projects/${project.project_id}`, fields);
const read = (project: Json) => api.read(`projects/${project.project_id}`);
const ids = (query: string) => api.column(`projects?per-page=200&${query}`, 'project_id');

it('API 2.2-1: project_id is an integer that the service assigns', async () => {
  const project = await create({ project_id: 7777 });
  expect(Number.isInteger(project.project_id)).toBe(true);
  expect((await api.send('GET', 'projects/7777')).status).toBe(404);
});

it('API 2.2-2, API 4.2-11, S 4.2-27: name is the only field required on create', async () => {
  expect(await api.refused('POST', 'projects', { notes: 'x' })).toEqual(['name']);
  expect(await api.create('projects', { name: 'Arch' })).toMatchObject({ name: 'Arch' });
});

it('API 2.2-3, API 8-3, S 4.2-28: project_code has at most 32 characters', async () => {
  expect((await create()).project_code).toBeNull();
  for (const project_code of ['x'.repeat(32), '🦉'.repeat(32)])
    expect(await create({ project_code })).toMatchObject({ project_code });
  expect(await api.refused('POST', 'projects', { name: 'P', project_code: 'x'.repeat(33) })).toEqual(['project_code']);
});

it('API 2.2-4, API 4.2-11, API 7-4, S 4.1-35, S 4.2-28: a used project_code is 422', async () => {
  await create({ project_code: 'DUP' });
  const other = await create();
  expect(await api.refused('POST', 'projects', { name: 'P', project_code: 'DUP' })).toEqual(['project_code']);
  expect(await api.refused('PATCH', `projects/${other.project_id}`, { project_code: 'DUP' })).toEqual(['project_code']);
});

it('API 2.2-5, API 4.4-4: a project is looked up by code with fields=project_id', async () => {
  const { project_id } = await create({ project_code: 'ERP/77' });
  expect(await api.read('projects?project_code=ERP%2F77&fields=project_id')).toEqual([{ project_id }]);
  expect(await ids('project_code=ERP')).toEqual([]);
});

it('API 2.2-6: an update addresses a project by its id, not by its code', async () => {
  await create({ project_code: 'NOT-A-PATH' });
  expect((await api.send('PATCH', 'projects/NOT-A-PATH', { name: 'P' })).status).toBe(404);
});

it('API 2.2-7: client_id is an integer or null, may be a string, and must reference a client', async () => {
  expect((await create()).client_id).toBeNull();
  expect((await create({ client_id: ACME })).client_id).toBe(ACME);
  expect((await create({ client_id: String(ACME) })).client_id).toBe(ACME);
  expect(await api.refused('POST', 'projects', { name: 'P', client_id: 77 })).toEqual(['client_id']);
});

it('API 2.2-8: color defaults to a blue', async () => {
  const { color } = await create();
  expect(color).toMatch(/^[0-9a-f]{6}$/i);
  const [red = 0, green = 0, blue = 0] = (color.match(/../g) ?? []).map((part: string) => Number.parseInt(part, 16));
  expect(blue).toBeGreaterThan(Math.max(red, green));
});

it('API 2.2-8, IN 1.5-3: color is six hex digits, without an optional leading #', async () => {
  const project = await create({ color: 'ff8800' });
  expect(project.color).toBe('ff8800');
  expect((await change(project, { color: '#00aa33' })).color).toBe('00aa33');
});

it.each(['green', 'ff88', '##ff8800', 'ff880g', '12345678'])('IN 1.5-4: color %s is refused', async (color) => {
  expect(await api.refused('POST', 'projects', { name: 'P', color })).toEqual(['color']);
});

it('API 2.2-9: tags are lowercase and may contain spaces', async () => {
  expect((await create({ tags: ['Key Account', 'URGENT'] })).tags).toEqual(['key account', 'urgent']);
});

it('API 2.2-10, API 4.2-10: tags is a list filter', async () => {
  const project = await create({ tags: ['only this one'] });
  await create({ tags: ['another'] });
  expect(await ids('tags=only%20this%20one')).toEqual([project.project_id]);
});

it('API 2.2-11: budget_type, budget_per_phase and budget_priority are integers, budget_total a number or null', async () => {
  const budget = { budget_type: 2, budget_per_phase: 1, budget_priority: 1, budget_total: 1200.5 };
  expect(await create(budget)).toMatchObject(budget);
  expect((await create()).budget_total).toBeNull();
  for (const [sent, shown] of [
    [true, 1],
    [false, 0],
    ['true', 1],
  ])
    expect(await create({ budget_per_phase: sent })).toMatchObject({ budget_per_phase: shown });
});

it('API 2.2-13: default_hourly_rate is a string or null', async () => {
  expect((await create()).default_hourly_rate).toBeNull();
  expect((await create({ default_hourly_rate: 80 })).default_hourly_rate).toBe('80.0000');
});

it('API 2.2-14: non_billable, locked_task_list and active are 1 or 0', async () => {
  const [on, off] = [1, 0].map((each) => ({ non_billable: each, locked_task_list: each, active: each }));
  const project = await create(on);
  expect(project).toMatchObject(on ?? {});
  expect(await change(project, off ?? {})).toMatchObject(off ?? {});
});

it('API 2.2-15, API 9-3, S 4.2-39: tentative works both ways', async () => {
  const project = await create({ tentative: 1 });
  expect(project).toMatchObject({ tentative: 1, status: 1 });
  expect(await change(project, { tentative: 0 })).toMatchObject({ tentative: 0, status: 2 });
  expect(await change(project, { status: 1 })).toMatchObject({ tentative: 1, status: 1 });
  expect(await change(project, { status: 2 })).toMatchObject({ tentative: 0, status: 2 });
});

it('API 2.2-16: status is 0 to 4', async () => {
  for (const status of [0, 1, 2, 3, 4]) expect((await create({ status })).status).toBe(status);
  for (const status of [5, -1, 'open']) {
    expect(await api.refused('POST', 'projects', { name: 'P', status })).toEqual(['status']);
  }
});

it('API 2.2-17: stage_id is set with status', async () => {
  expect(await create({ status: 1, stage_id: 1 })).toMatchObject({ status: 1, stage_id: 1 });
});

it('API 2.2-18, S 4.2-43: project_manager defaults to the account owner', async () => {
  expect((await create()).project_manager).toBe(OWNER);
  expect((await create({ project_manager: MEMBER })).project_manager).toBe(MEMBER);
});

it('API 2.2-19: all_pms_schedule is 1 or 0 and may be sent as a string', async () => {
  const project = await create({ all_pms_schedule: '1' });
  expect(project.all_pms_schedule).toBe(1);
  expect((await change(project, { all_pms_schedule: 0 })).all_pms_schedule).toBe(0);
});

it('API 2.2-20: created and modified are timestamps', async () => {
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(await create()).toMatchObject({ created: timestamp, modified: timestamp });
});

it('API 2.2-21: start_date and end_date can be set on create and update', async () => {
  const project = await create({ start_date: '2026-01-05', end_date: '2026-03-31' });
  expect(project).toMatchObject({ start_date: '2026-01-05', end_date: '2026-03-31' });
  const later = { start_date: '2026-02-02', end_date: '2026-04-30' };
  expect(await change(project, later)).toMatchObject(later);
});

const WHOLE = { start_date: '2026-02-02', end_date: '2026-02-06' };
it.each([
  ['phases', { name: 'Phase', ...WHOLE }, ['2026-02-02', '2026-02-06']],
  ['milestones', { name: 'Done', date: '2026-02-04' }, ['2026-02-04', '2026-02-04']],
  ['tasks', { people_id: ANN, hours: 4, ...WHOLE }, ['2026-02-02', '2026-02-06']],
  ['logged-time', { people_id: ANN, hours: 4, date: '2026-02-03' }, ['2026-02-03', '2026-02-03']],
])('API 2.2-22, S 4.2-40: dates not set default to those of its %s', async (path, fields, expected) => {
  const project = await create();
  expect([project.start_date, project.end_date]).toEqual([null, null]);
  await api.create(path, { project_id: project.project_id, ...fields });
  const { start_date: start, end_date: end } = await read(project);
  expect([start, end]).toEqual(expected);
});

it('API 2.2-23, API 4.2-12, S 4.2-35, IN projects.expenses: expenses are returned only with expand=expenses', async () => {
  const project = await create();
  const { project_id } = project;
  const expense = await api.create('project-expenses', { project_id, name: 'Train', date: '2026-02-02', cost: 120 });
  expect(await read(project)).not.toHaveProperty('expenses');
  const { expenses } = await api.read(`projects/${project_id}?expand=expenses`);
  expect(expenses).toEqual([expense]);
  const [listed] = await api.read(`projects?project_id=${project_id}&expand=expenses`);
  expect(listed.expenses).toEqual([expense]);
});

it('API 4.2-12, S 4.2-35: expand takes project_team and project_tasks', async () => {
  const { project_id } = await create({ project_team: [ANN] });
  const [task] = [await api.create('project-tasks', { project_id, task_names: 'Sketch' })].flat();
  const expanded = await api.read(`projects/${project_id}?expand=project_team,project_tasks`);
  expect(expanded.project_team).toMatchObject([{ people_id: ANN }]);
  expect(expanded.project_tasks).toEqual([task]);
});

it('API 4.2-10: projects are an array, filtered by status', async () => {
  const project = await create({ status: 0 });
  expect(await ids('status=0')).toContain(project.project_id);
  expect(await ids('status=2')).not.toContain(project.project_id);
  expect(await ids(`client_id=${ACME}`)).not.toContain(project.project_id);
});

it('API 4.2-11: POST takes a project_team and returns 201 with the project', async () => {
  expect(await create({ project_team: [ANN] })).toMatchObject({ name: 'Bridge' });
});
