import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../http/served.ts';
import { type Api, openApi, readNames, readPaging } from './api.ts';

const HOUR_MS = 3_600_000;
const ANN = 1;
const BRIDGE = 1;
const DAYS = { people_id: ANN, start_date: '2026-07-06', end_date: '2026-07-10' };

const lists = [
  { path: 'tasks', id: 'task_id', fields: { ...DAYS, project_id: BRIDGE, hours: 4 } },
  { path: 'timeoffs', id: 'timeoff_id', fields: { ...DAYS, timeoff_type_id: 1 } },
  {
    path: 'logged-time',
    id: 'logged_time_id',
    fields: { people_id: ANN, project_id: BRIDGE, date: '2026-06-01', hours: 4 },
  },
] as const;

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [{ people_id: ANN, name: 'Ann' }],
    projects: [{ project_id: BRIDGE, name: 'Bridge' }],
    timeoffs: [{ timeoff_id: 1, ...DAYS, timeoff_type_id: 1, timeoff_type_name: 'Leave', full_day: 1 }],
  });
  for (const { path } of lists) expect((await read(path)).json()).toEqual([]);
});
afterAll(() => api.close());

const remove = async ({ path, id, fields }: (typeof lists)[number]): Promise<number | string> => {
  const { [id]: made } = await api.create(path, fields);
  await api.remove(`${path}/${made}`);
  return made;
};
const read = async (path: string, query = ''): Promise<Reply> => {
  const reply = await api.send('GET', `deleted/${path}?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply;
};
const cursorOf = ({ headers }: Reply) => encodeURIComponent(headers.get('X-Pagination-Next-Cursor') ?? '');

it.each(lists)(
  'API 1-4, API 2.13-4, API 4.2-21, API 6-1, S 4.2-68: $path lists an id with its timestamp',
  async (list) => {
    const id = await remove(list);
    const entries = (await read(list.path)).json();
    expect(entries).toContainEqual({
      id,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      [list.id]: id,
    });
  },
);

it.each(lists)('API 4.2-35, S 4.2-69: $path has deletions since the log was switched on', async (list) => {
  // The log was empty before.
  const id = await remove(list);
  const [first, last] = [(await read(list.path)).json()[0], (await read(list.path)).json().at(-1)];
  expect(first.timestamp >= '2026-06-15 12:00:00').toBe(true);
  expect(last.id).toBe(id);
});

it.each(lists)('API 4.2-21, API 4.2-38, S 4.2-73: $path is paged by cursor and limit', async (list) => {
  const start = cursorOf(await read(list.path));
  const ids = [await remove(list), await remove(list), await remove(list)];
  const first = await read(list.path, `cursor=${start}&limit=2`);
  const second = await read(list.path, `cursor=${cursorOf(first)}&limit=2`);
  const seen = [first, second].map((reply) => reply.json().map((entry: { id: unknown }) => entry.id));
  expect(seen).toEqual([ids.slice(0, 2), ids.slice(2)]);
  const more = [first, second].map(({ headers }) => headers.get('X-Pagination-Has-More'));
  expect(more.map((value) => ['1', 'true'].includes(value ?? ''))).toEqual([true, false]);
});

it.each(lists)(
  'API 4.3-1, API 4.3-2, API 4.3-3, API 4.3-4, API 4.3-5, S 4.1-11: $path has pagination headers of the deletions after the cursor',
  async (list) => {
    const start = cursorOf(await read(list.path));
    for (let made = 0; made < 3; made += 1) await remove(list);
    const first = await read(list.path, `cursor=${start}&limit=2`);
    expect(readPaging(first)).toEqual([3, 2, 1, 2]);
    expect(readPaging(await read(list.path, `cursor=${cursorOf(first)}&limit=2`))).toEqual([1, 1, 1, 1]);
    const whole = await read(list.path);
    const { length } = whole.json();
    expect(readPaging(whole)).toEqual([length, 1, 1, length]);
    const end = await read(list.path, `cursor=${cursorOf(whole)}`);
    expect([end.json(), readPaging(end)]).toEqual([[], [0, 0, 1, 0]]);
    const head = await api.send('HEAD', `deleted/${list.path}`);
    expect([head.status, readPaging(head)]).toEqual([200, readPaging(whole)]);
  },
);

it.each(lists)('API 4.1-1, S 4.1-7, S 4.1-8, S 4.1-10: page and per-page select deletions of $path', async (list) => {
  const start = `cursor=${cursorOf(await read(list.path))}`;
  const ids = [await remove(list), await remove(list), await remove(list)];
  const select = async (query: string) => {
    const reply = await read(list.path, `${start}&${query}`);
    return [reply.json().map((entry: { id: unknown }) => entry.id), readPaging(reply)];
  };
  expect(await select('page=0&per-page=2')).toEqual([ids.slice(0, 2), [3, 2, 1, 2]]);
  expect(await select('page=2&per_page=2')).toEqual([ids.slice(2), [3, 2, 2, 1]]);
  expect(await select('page=2&limit=1&per-page=2')).toEqual([ids.slice(1, 2), [3, 3, 2, 1]]);
  expect(await select('page=3&per-page=2')).toEqual([[], [3, 2, 3, 0]]);
  const second = await read(list.path, `${start}&page=2&limit=1`);
  expect((await read(list.path, `cursor=${cursorOf(second)}`)).json()[0].id).toBe(ids[2]);
  const wrong = await api.send('GET', `deleted/${list.path}?page=x&per-page=0`);
  expect([wrong.status, wrong.json().errors.map(({ field }: { field: string }) => field)]).toEqual([
    400,
    ['page', 'per-page'],
  ]);
});

it.each(lists)('API 2-7, S 4.1-15, S 4.1-24, S 4.1-25: fields trims deletions of $path', async (list) => {
  await remove(list);
  const reply = await read(list.path, `fields=${list.id},color&expand=people&sort=id`);
  expect(Object.keys(reply.json()[0])).toEqual([list.id]);
  expect(readNames(reply, 'X-Ignored-Parameters').sort()).toEqual(['color', 'people', 'sort']);
});

it('API 4.2-37, API 6-2, S 4.2-71: a repeated cursor lists the same deletions', async () => {
  const [list] = lists;
  const start = cursorOf(await read(list.path));
  await remove(list);
  const once = (await read(list.path, `cursor=${start}`)).json();
  expect(once).toHaveLength(1);
  expect((await read(list.path, `cursor=${start}`)).json()).toEqual(once);
});

it.each([
  ['a project', (project: number, _person: number) => api.remove(`projects/${project}`)],
  ['a person', (_project: number, person: number) => api.remove(`people/${person}`)],
  [
    'a member',
    (project: number, person: number) => api.change(`projects/${project}`, { project_team: { del: [person] } }),
  ],
])('API 4.2-37, S 4.2-71: what is deleted with %s is listed, too', async (_what, removeOwner) => {
  const { people_id } = await api.create('people', { name: 'Bob' });
  const { project_id } = await api.create('projects', { name: 'Arch', project_team: [people_id] });
  const starts = await Promise.all(lists.map(async ({ path }) => cursorOf(await read(path))));
  const owned = await Promise.all(
    lists.map(({ path, fields }) =>
      api.create(path, { ...fields, people_id, ...(path === 'timeoffs' ? {} : { project_id }) }),
    ),
  );
  await removeOwner(project_id, people_id);
  for (const [index, { path, id }] of lists.entries()) {
    const made = owned[index]?.[id];
    const { status } = await api.send('GET', `${path}/${made}`);
    const listed = (await read(path, `cursor=${starts[index]}`)).json();
    expect(listed.map((entry: { id: unknown }) => entry.id)).toEqual(status === 404 ? [made] : []);
    if (path !== 'timeoffs') expect(status).toBe(404);
  }
});

it('S 4.2-72: limit is 100 by default and at most 500', { tags: ['slow'] }, async () => {
  const list = lists[2];
  const start = cursorOf(await read(list.path));
  await Promise.all(Array.from({ length: 101 }, () => remove(list)));
  expect((await read(list.path, `cursor=${start}`)).json()).toHaveLength(100);
  expect((await read(list.path, `cursor=${start}&limit=500`)).json()).toHaveLength(101);
});

it('API 4.2-36, API 6-2, API 8-4, S 4.2-70: deletions are kept for 72 hours', async () => {
  const [list] = lists;
  const id = await remove(list);
  const isListed = async () =>
    (await read(list.path, 'limit=500')).json().some((entry: { id: unknown }) => entry.id === id);
  expect(await isListed()).toBe(true);
  api.wait(71 * HOUR_MS);
  expect(await isListed()).toBe(true);
  api.wait(2 * HOUR_MS);
  expect(await isListed()).toBe(false);
});
