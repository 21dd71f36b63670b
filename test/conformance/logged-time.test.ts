import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const [ANN, BOB] = [1, 2];
const BRIDGE = 1;

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [
      { people_id: ANN, name: 'Ann' },
      { people_id: BOB, name: 'Bob' },
    ],
    projects: [{ project_id: BRIDGE, name: 'Bridge' }],
    project_tasks: [{ task_meta_id: 1, project_id: BRIDGE, task_name: 'Sketch' }],
    tasks: [
      { task_id: 1, project_id: BRIDGE, people_id: ANN, start_date: '2026-07-06', end_date: '2026-07-10', hours: 4 },
    ],
    logged_time: [
      {
        logged_time_id: 'a',
        people_id: BOB,
        date: '2026-03-02',
        hours: 1,
        created: '2026-01-03 08:00:00',
        modified: '2026-01-04 08:00:00',
      },
      {
        logged_time_id: 'b',
        people_id: BOB,
        date: '2026-03-04',
        hours: 1,
        created: '2026-01-01 08:00:00',
        modified: '2026-01-05 08:00:00',
      },
      {
        logged_time_id: 'c',
        people_id: BOB,
        date: '2026-03-03',
        hours: 1,
        created: '2026-01-02 08:00:00',
        modified: '2026-01-06 08:00:00',
      },
    ],
  });
});
afterAll(() => api.close());

const create = (fields: object = {}) =>
  api.create('logged-time', { people_id: ANN, project_id: BRIDGE, date: '2026-06-01', hours: 4, ...fields });
const pathOf = ({ logged_time_id }: Json) => `logged-time/${logged_time_id}`;
const ids = (query: string) => api.column(`logged-time?people_id=${BOB}&${query}`, 'logged_time_id');

it('API 2.5-1: logged_time_id is a string', async () => {
  expect((await create()).logged_time_id).toEqual(expect.any(String));
});

it('API 2.5-2: hours is a number', async () => {
  expect((await create({ hours: 4.25 })).hours).toBe(4.25);
  expect((await create({ hours: '4.25' })).hours).toBe(4.25);
});

it('API 2.5-3: billable is 1 or 0', async () => {
  expect((await create({ billable: 1 })).billable).toBe(1);
  expect((await create({ billable: 0 })).billable).toBe(0);
});

it('API 2.5-4, S 4.2-61: locked is always 0 or 1', async () => {
  expect((await create()).locked).toBe(0);
  expect((await create({ locked: 1 })).locked).toBe(1);
  expect((await api.read('logged-time/a')).locked).toBe(0);
});

it('API 2.5-5, S 4.2-62: reference_date is kept with task_id', async () => {
  const time = await create({ task_id: 1, reference_date: '2026-07-06' });
  expect(await api.read(pathOf(time))).toMatchObject({ task_id: 1, reference_date: '2026-07-06' });
});

it.each([
  ['start_date=2026-03-03', ['b', 'c']],
  ['end_date=2026-03-03', ['a', 'c']],
  ['start_date=2026-03-02&end_date=2026-03-02', ['a']],
  ['start_date=2026-03-05&end_date=2026-03-31', []],
  ['created=2026-01-03%2008:00:00', ['a']],
  ['modified=2026-01-05%2008:00:00', ['b']],
])('API 2.5-6, API 4.2-20, S 4.2-60: %s filters', async (query, expected) => {
  expect((await ids(query)).sort()).toEqual(expected);
});

it.each([
  ['start_date', ['a', 'c', 'b']],
  ['-end_date', ['b', 'c', 'a']],
  ['date', ['a', 'c', 'b']],
  ['created', ['b', 'c', 'a']],
  ['-modified', ['c', 'b', 'a']],
])('API 2.5-7, API 4.1-7, S 4.1-13, S 4.2-60: sort=%s', async (sort, expected) => {
  expect(await ids(`sort=${sort}`)).toEqual(expected);
});

it('S 4.2-59: task_name finds the project task', async () => {
  expect(await create({ task_name: 'Sketch' })).toMatchObject({ task_meta_id: 1, task_name: 'Sketch' });
});

it('S 4.2-59: task_name creates the project task', async () => {
  const { task_meta_id: made } = await create({ task_name: 'Carve' });
  expect(await api.read(`project-tasks/${made}`)).toMatchObject({ task_name: 'Carve', project_id: BRIDGE });
  expect((await create({ task_name: 'Carve' })).task_meta_id).toBe(made);
});

it('S 4.2-63: hours 0 on PATCH deletes', async () => {
  const time = await create();
  const { status } = await api.send('PATCH', pathOf(time), { hours: 0 });
  expect([200, 204]).toContain(status);
  expect((await api.send('GET', pathOf(time))).status).toBe(404);
});

it('S 4.2-64: a locked record refuses changes (422)', async () => {
  const time = await create({ locked: 1 });
  for (const fields of [{ hours: 5 }, { notes: 'x' }, { hours: 0 }, { date: '2026-06-02' }, { people_id: BOB }]) {
    expect((await api.send('PATCH', pathOf(time), fields)).status).toBe(422);
  }
  expect((await api.send('DELETE', pathOf(time))).status).toBe(422);
  expect(await api.read(pathOf(time))).toEqual(time);
});
