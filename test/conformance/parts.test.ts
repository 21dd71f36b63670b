import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const ANN = 1;
const [BRIDGE, GIFT] = [1, 2];
const DAYS = { start_date: '2026-07-06', end_date: '2026-07-10' };

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [{ people_id: ANN, name: 'Ann' }],
    projects: [
      { project_id: BRIDGE, name: 'Bridge' },
      { project_id: GIFT, name: 'Gift', non_billable: 1 },
    ],
  });
});
afterAll(() => api.close());

const REQUIRED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  phases: { project_id: BRIDGE, name: 'Build', ...DAYS },
  milestones: { project_id: BRIDGE, name: 'Done', date: '2026-07-10' },
  'project-expenses': { project_id: BRIDGE, name: 'Train', date: '2026-07-06', cost: 120 },
};
const required = (path: string) => Object.keys(REQUIRED[path] ?? {}).map((field) => [field, path] as const);
const create = (path: string, fields: object = {}) => api.create(path, { ...REQUIRED[path], ...fields });

it.each(required('phases'))('API 2.7-1, S 4.2-44: %s of %s is required', refuseWithout);
it.each(required('milestones'))('API 2.8-1, S 4.2-48: %s of %s is required', refuseWithout);
it.each(required('project-expenses'))('API 2.10-1, S 4.2-65: %s of %s is required', refuseWithout);

async function refuseWithout(field: string, path: string): Promise<void> {
  const { [field]: _, ...rest } = REQUIRED[path] ?? {};
  expect(await api.refused('POST', path, rest)).toEqual([field]);
}

it('API 2.7-3: non_billable is 1 or 0, color a string or null, default_hourly_rate a string', async () => {
  expect((await create('phases')).color).toBeNull();
  const sent = { non_billable: 1, color: 'ff8800', default_hourly_rate: 80 };
  expect(await create('phases', sent)).toMatchObject({ ...sent, default_hourly_rate: '80.0000' });
  expect((await create('phases')).non_billable).toBe(0);
});

it('API 4.2-15: POST /phases takes status, notes, non_billable and color, and returns 201', async () => {
  const sent = { ...REQUIRED['phases'], status: 1, notes: 'Steel', non_billable: 1, color: 'ff8800' };
  expect(await create('phases', sent)).toMatchObject(sent);
});

it('S 4.2-46: expand takes phase_team and phase_tasks', async () => {
  const { phase_id } = await create('phases', { phase_team: [ANN] });
  const made = await api.create('project-tasks', { project_id: BRIDGE, phase_id, task_names: 'Weld' });
  const expanded = await api.read(`phases/${phase_id}?expand=phase_team,phase_tasks`);
  expect(expanded.phase_team).toMatchObject([{ people_id: ANN }]);
  expect(expanded.phase_tasks).toEqual([made].flat());
  expect(await api.read(`phases/${phase_id}`)).not.toHaveProperty('phase_team');
});

it('API 2.8-1, API 4.2-16: POST /milestones returns 201 with the milestone', async () => {
  expect(await create('milestones')).toMatchObject({ ...REQUIRED['milestones'], milestone_id: expect.any(Number) });
});

it('API 2.8-2, S 4.2-49: a milestone may belong to a phase', async () => {
  const { phase_id } = await create('phases');
  expect((await create('milestones')).phase_id).toBeNull();
  expect((await create('milestones', { phase_id })).phase_id).toBe(phase_id);
});

it('API 2.9-1, API 4.2-14, S 4.2-50: task_names goes in, task_name comes out, 201', async () => {
  const made = await api.create('project_tasks', { project_id: BRIDGE, task_names: 'Sketch' });
  const [task] = [made].flat();
  expect(task).toMatchObject({ project_id: BRIDGE, task_name: 'Sketch', task_meta_id: expect.any(Number) });
  expect(task).not.toHaveProperty('task_names');
});

it('API 2.9-2, API 2.9-3, S 4.2-51: a project task has a budget and a billable status', async () => {
  const [task] = [await api.create('project-tasks', { project_id: BRIDGE, task_names: 'Paint' })].flat();
  expect(task).toMatchObject({ budget: null, billable: 1 });
  expect(await api.change(`project-tasks/${task.task_meta_id}`, { budget: 40.5, billable: 0 })).toMatchObject({
    budget: 40.5,
    billable: 0,
  });
});

it('S 4.2-52: a change of billable reaches the allocations and logged time of the project task', async () => {
  const [{ task_meta_id }] = [await api.create('project-tasks', { project_id: BRIDGE, task_names: 'Carve' })].flat();
  const where = { project_id: BRIDGE, people_id: ANN, task_meta_id, hours: 4 };
  const { task_id } = await api.create('tasks', { ...where, ...DAYS });
  const { logged_time_id } = await api.create('logged-time', { ...where, date: '2026-06-01' });
  const read = async () => [
    (await api.read(`tasks/${task_id}`)).billable,
    (await api.read(`logged-time/${logged_time_id}`)).billable,
  ];
  expect(await read()).toEqual([1, 1]);
  await api.change(`project-tasks/${task_meta_id}`, { billable: 0 });
  expect(await read()).toEqual([0, 0]);
});

it('API 2.10-1, API 4.2-23, API 4.2-24: an expense is created with its id, and read by it', async () => {
  const expense = await create('project-expenses', { billable: 1, markup: '10', markup_type: 0 });
  expect(expense).toMatchObject({ ...REQUIRED['project-expenses'], billable: 1, markup: '10.0000', markup_type: 0 });
  expect(await api.read(`project-expenses/${expense.project_expense_id}`)).toEqual(expense);
});

it('API 2.10-2, S 4.2-66: billable is 1 or 0, and 1 on billable projects only (422)', async () => {
  expect((await create('project-expenses')).billable).toBe(0);
  const gift = { ...REQUIRED['project-expenses'], project_id: GIFT, billable: 1 };
  expect((await api.send('POST', 'project-expenses', gift)).status).toBe(422);
  const { project_expense_id } = await create('project-expenses', { project_id: GIFT });
  expect((await api.send('PATCH', `project-expenses/${project_expense_id}`, { billable: 1 })).status).toBe(422);
});

it('API 2.10-3, S 4.2-67, S 4.1-40: markup is a decimal string, on billable expenses only (422)', async () => {
  expect((await create('project-expenses', { billable: 1, markup: 12.5 })).markup).toBe('12.5000');
  const marked = { ...REQUIRED['project-expenses'], billable: 0, markup: 12.5 };
  expect((await api.send('POST', 'project-expenses', marked)).status).toBe(422);
  const { project_expense_id } = await create('project-expenses');
  expect((await api.send('PATCH', `project-expenses/${project_expense_id}`, { markup: '5' })).status).toBe(422);
});

it('API 4.2-22: expenses are filtered by project_id, with pages and sorting', async () => {
  const { project_id } = await api.create('projects', { name: 'Travel' });
  const ids: Json[] = [];
  for (const cost of [30, 10, 20])
    ids.push((await create('project-expenses', { project_id, cost })).project_expense_id);
  const list = (query: string) =>
    api.column(`project-expenses?project_id=${project_id}&${query}`, 'project_expense_id');
  expect(await list('sort=cost')).toEqual([ids[1], ids[2], ids[0]]);
  expect(await list('sort=-cost&per-page=2&page=2')).toEqual([ids[1]]);
});

it('API 4.2-25: PATCH returns the expense', async () => {
  const expense = await create('project-expenses');
  expect(
    await api.change(`project-expenses/${expense.project_expense_id}`, { cost: 99.5, name: 'Taxi' }),
  ).toMatchObject({
    ...expense,
    cost: 99.5,
    name: 'Taxi',
  });
});

it('API 4.2-26: DELETE removes the expense', async () => {
  const path = `project-expenses/${(await create('project-expenses')).project_expense_id}`;
  await api.remove(path);
  expect((await api.send('GET', path)).status).toBe(404);
});
