import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const ANN = 1;
const DAYS = { start_date: '2026-07-06', end_date: '2026-07-10' };

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [{ people_id: ANN, name: 'Ann' }],
    project_stages: [
      { stage_id: 11, name: 'Won', status: 2, sort_order: 2 },
      { stage_id: 12, name: 'Signed', status: 2, sort_order: 1 },
      { stage_id: 13, name: 'Pitch', status: 1, sort_order: 3 },
      { stage_id: 14, name: 'Lost', status: 4, sort_order: 4 },
    ],
  });
});
afterAll(() => api.close());

/** Creates a project with a phase, and one allocation each inside and outside the phase. */
async function createTree(): Promise<{ project: number; phase: number; inside: number; beside: number }> {
  const { project_id: project } = await api.create('projects', { name: 'Bridge' });
  const { phase_id: phase } = await api.create('phases', { project_id: project, name: 'Build', ...DAYS });
  const task = { project_id: project, people_id: ANN, hours: 4, ...DAYS };
  const { task_id: inside } = await api.create('tasks', { ...task, phase_id: phase });
  const { task_id: beside } = await api.create('tasks', task);
  return { project, phase, inside, beside };
}

const statusOf = async (...paths: string[]) =>
  Promise.all(paths.map(async (path) => (await api.read(path)).status as number));
const change = (id: number, fields: object): Promise<Json> => api.change(`projects/${id}`, fields);

it('API 3.1-2: a new project is confirmed', async () => {
  expect((await api.create('projects', { name: 'Bridge' })).status).toBe(2);
});

it('API 3.1-1, API 2.4-7: an allocation may be draft', async () => {
  const { project_id } = await api.create('projects', { name: 'Bridge' });
  expect((await api.create('tasks', { project_id, people_id: ANN, hours: 4, status: 0, ...DAYS })).status).toBe(0);
});

it.each([0, 1, 2])('API 2.7-2, API 3.1-7: a phase takes status %d', async (status) => {
  const { project_id } = await api.create('projects', { name: 'Bridge' });
  expect((await api.create('phases', { project_id, name: 'Build', status, ...DAYS })).status).toBe(status);
});

it.each([
  ['API 3.1-6, S 4.2-42: draft', 0],
  ['API 3.1-6, S 4.2-42: tentative', 1],
  ['API 3.1-3, API 3.1-6, S 4.2-37: completed', 3],
  ['API 3.1-4, API 3.1-6, S 4.2-38: canceled', 4],
])('%s cascades from a project to its phases and allocations', async (_title, status) => {
  const { project, phase, inside, beside } = await createTree();
  await change(project, { status });
  expect(await statusOf(`phases/${phase}`, `tasks/${inside}`, `tasks/${beside}`)).toEqual([status, status, status]);
});

it('API 3.1-6, S 4.2-42: confirmed cascades to drafts', async () => {
  const { project, phase, inside, beside } = await createTree();
  await change(project, { status: 0 });
  await change(project, { status: 2 });
  expect(await statusOf(`phases/${phase}`, `tasks/${inside}`, `tasks/${beside}`)).toEqual([2, 2, 2]);
});

it.each([0, 1, 2])('S 4.2-42: status %d leaves completed and canceled ones unchanged', async (status) => {
  const { project, phase, inside, beside } = await createTree();
  await api.change(`tasks/${inside}`, { status: 3 });
  await api.change(`tasks/${beside}`, { status: 4 });
  await api.change(`phases/${phase}`, { status: 3 });
  await change(project, { status: 1 });
  await change(project, { status });
  expect(await statusOf(`phases/${phase}`, `tasks/${inside}`, `tasks/${beside}`)).toEqual([3, 3, 4]);
});

it.each([
  ['completed', 3],
  ['canceled', 4],
])('API 2.7-2, S 4.2-47: a phase that is %s cascades to its own allocations only', async (_name, status) => {
  const { phase, inside, beside } = await createTree();
  await api.change(`phases/${phase}`, { status });
  expect(await statusOf(`tasks/${inside}`, `tasks/${beside}`)).toEqual([status, 2]);
});

it('API 3.1-4: canceled work counts as scheduled nowhere, and can still be read', { tags: ['slow'] }, async () => {
  const { project, inside } = await createTree();
  await change(project, { status: 4 });
  const { totals } = await api.read(
    `reports/projects?start_date=2026-07-06&end_date=2026-07-10&project_id=${project}&include_empty=1`,
  );
  expect(totals.scheduled_hours).toBe(0);
  expect(await api.read(`tasks/${inside}`)).toMatchObject({ task_id: inside, status: 4 });
});

describe('canceled', () => {
  const time = { people_id: ANN, date: '2026-07-06', hours: 2 };

  it('API 3.1-5, S 4.2-38: no time can be logged on a canceled project (422)', async () => {
    const { project, inside } = await createTree();
    const { project_id: elsewhere } = await api.create('projects', { name: 'Arch' });
    const { logged_time_id } = await api.create('logged-time', { ...time, project_id: elsewhere });
    await change(project, { status: 4 });
    for (const where of [{ project_id: project }, { task_id: inside }]) {
      expect((await api.send('POST', 'logged-time', { ...time, ...where })).status).toBe(422);
    }
    const moved = await api.send('PATCH', `logged-time/${logged_time_id}`, { project_id: project });
    expect(moved.status).toBe(422);
    expect(await api.read(`logged-time?project_id=${project}`)).toEqual([]);
  });

  it('S 4.2-47: no time can be logged on a canceled phase (422)', async () => {
    const { project, phase } = await createTree();
    await api.change(`phases/${phase}`, { status: 4 });
    const sent = { ...time, project_id: project, phase_id: phase };
    expect((await api.send('POST', 'logged-time', sent)).status).toBe(422);
  });
});

it('API 3.2-1, S 4.2-36: status alone selects the first stage of that status', async () => {
  const { project_id } = await api.create('projects', { name: 'Bridge', status: 1 });
  expect(await change(project_id, { status: 2 })).toMatchObject({ status: 2, stage_id: 12 });
  expect(await change(project_id, { status: 4 })).toMatchObject({ status: 4, stage_id: 14 });
  expect(await change(project_id, { status: '2' })).toMatchObject({ status: 2, stage_id: 12 });
  expect(await change(project_id, { status: 3 })).toMatchObject({ status: 3, stage_id: null });
  expect(await api.create('projects', { name: 'Arch', status: 2 })).toMatchObject({ status: 2, stage_id: 12 });
});

it('API 3.2-1: a status that a project already has keeps its stage', async () => {
  const { project_id } = await api.create('projects', { name: 'Bridge', stage_id: 11 });
  expect(await change(project_id, { status: 2 })).toMatchObject({ status: 2, stage_id: 11 });
});

it('API 3.2-2, S 4.2-36: stage_id takes precedence over status', async () => {
  const { project_id } = await api.create('projects', { name: 'Bridge' });
  expect(await change(project_id, { status: 2, stage_id: 13 })).toMatchObject({ status: 1, stage_id: 13 });
});

it('API 3.1-8: another stage of the same status changes only the stage', async () => {
  const { project, phase, inside } = await createTree();
  expect(await change(project, { stage_id: 11 })).toMatchObject({ status: 2, stage_id: 11 });
  expect(await statusOf(`phases/${phase}`, `tasks/${inside}`)).toEqual([2, 2]);
});
