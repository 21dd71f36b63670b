import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Json, openApi, readPaging } from './api.ts';

const ANN = 1;
const BRIDGE = 1;
const DAYS = { start_date: '2026-07-06', end_date: '2026-07-10' };
const TASK = { project_id: BRIDGE, people_id: ANN, hours: 4, ...DAYS };

/** Each resource: path, id, new record, and a change with its effect on a field. */
const resources = [
  ['people', 'people_id', { name: 'Eve' }, { name: 'Eva' }],
  ['departments', 'department_id', { name: 'Studio' }, { name: 'Lab' }],
  ['clients', 'client_id', { name: 'Acme' }, { name: 'Ajax' }],
  ['roles', 'role_id', { name: 'Designer' }, { name: 'Builder' }],
  ['projects', 'project_id', { name: 'Arch' }, { name: 'Tunnel' }],
  ['project-stages', 'stage_id', { name: 'Pitch', status: 1 }, { name: 'Offer' }],
  ['phases', 'phase_id', { project_id: BRIDGE, name: 'Build', ...DAYS }, { name: 'Draw' }],
  ['milestones', 'milestone_id', { project_id: BRIDGE, name: 'Done', date: '2026-07-10' }, { name: 'Sent' }],
  ['project-tasks', 'task_meta_id', { project_id: BRIDGE, task_names: 'Sketch' }, { task_name: 'Paint' }],
  ['tasks', 'task_id', TASK, { notes: 'Later' }],
  ['timeoffs', 'timeoff_id', { people_ids: [ANN], timeoff_type_id: 1, full_day: 1, ...DAYS }, { timeoff_notes: 'Sea' }],
  ['timeoff-types', 'timeoff_type_id', { timeoff_type_name: 'Sabbatical' }, { timeoff_type_name: 'Pause' }],
  ['logged-time', 'logged_time_id', { people_id: ANN, date: '2026-06-01', hours: 4 }, { notes: 'Long' }],
  [
    'project-expenses',
    'project_expense_id',
    { project_id: BRIDGE, name: 'Train', date: '2026-07-06', cost: 9 },
    { name: 'Taxi' },
  ],
  ['holidays', 'holiday_id', { name: 'Founding day', date: '2026-07-08' }, { name: 'Day of song' }],
  ['public-holidays', 'id', { name: 'Day of light', dates: ['2026-12-13'], region: 7 }, { name: 'Day of dark' }],
  ['status', 'status_id', { people_id: ANN, status_type_id: 1, ...DAYS }, { status_type_id: 2 }],
] as const;

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [{ people_id: ANN, name: 'Ann' }],
    accounts: [{ account_id: 1, name: 'Olga' }],
    projects: [{ project_id: BRIDGE, name: 'Bridge' }],
    timeoffs: [
      { timeoff_id: 900, people_ids: [ANN], timeoff_type_id: 1, timeoff_type_name: 'Leave', full_day: 1, ...DAYS },
    ],
  });
});
afterAll(() => api.close());

it.each(resources)('S 4.2-1: %s has list, read, create, update and delete', async (path, id, fields, change) => {
  const [record] = [await api.create(path, fields)].flat();
  const one = `${path}/${record[id]}`;
  expect(await api.read(one)).toEqual(record);
  expect(await api.column(path, id)).toContain(record[id]);
  expect(await api.change(one, change)).toMatchObject({ ...change, [id]: record[id] });
  expect(await api.read(one)).toMatchObject(change);
  await api.remove(one);
  expect((await api.send('GET', one)).status).toBe(404);
});

const UNKNOWN = 9_999_999;

describe.each(resources)('%s', (path, id, fields, change) => {
  let record: Json;
  let one: string;
  beforeAll(async () => {
    [record] = [await api.create(path, fields)].flat();
    one = `${path}/${record[id]}`;
  });
  afterAll(() => api.remove(one));

  const faulty = async (query: string) => {
    const { status, text } = await api.send('GET', `${path}?${query}`);
    expect(status, text).toBe(400);
    return JSON.parse(text).errors.map(({ field }: Json) => field);
  };

  it('API 4.1-6, S 4.1-14: a list begins with the newest record, as reading it shows it', async () => {
    expect((await api.read(path))[0]).toEqual(record);
  });

  it('API 4.1-5, API 4.1-9, S 4.1-12: the id sorts in both directions, and filters', async () => {
    const ids = await api.column(`${path}?sort=${id}&per-page=200`, id);
    expect(await api.column(`${path}?sort=-${id}&per-page=200`, id)).toEqual([...ids].reverse());
    expect(await api.read(`${path}?${id}=${record[id]}`)).toEqual([record]);
  });

  it('API 4.1-1, S 4.1-7, S 4.1-10, API 4.3-5: pages, their headers and HEAD', async () => {
    const { length } = await api.column(`${path}?per-page=200`, id);
    const past = await api.send('GET', `${path}?page=900&per_page=1`);
    expect([past.text, readPaging(past)]).toEqual([path === 'status' ? '' : '[]', [length, length, 900, 0]]);
    expect(readPaging(await api.send('HEAD', `${path}?page=0&per-page=1`))).toEqual([length, length, 1, 1]);
    expect(await faulty('page=x&per-page=0&sort=colour')).toEqual(expect.arrayContaining(['page', 'per-page', 'sort']));
  });

  it('API 2-7, S 4.1-15, S 4.1-17: fields trims a list, one record and a change', async () => {
    const trimmed = { [id]: record[id] };
    expect(await api.read(`${path}?fields=${id}&${id}=${record[id]}`)).toEqual([trimmed]);
    expect(await api.read(`${one}?fields=${id}`)).toEqual(trimmed);
    expect(await api.change(`${one}?fields=${id}`, {})).toEqual(trimmed);
  });

  it('API 4-4, S 4.1-2, S 4.1-3: PUT of the record as read changes nothing, as JSON or XML', async () => {
    const before = await api.read(one);
    const { text } = await api.send('GET', one, undefined, { headers: { accept: 'application/xml' } });
    const answers = [
      await api.send('PUT', one, before),
      await api.send('PUT', one, undefined, { text, headers: { 'content-type': 'application/xml' } }),
    ];
    // The clock of the server stands still, so modified is the same, too.
    for (const { status, json } of answers) expect([status, json()]).toEqual([200, before]);
  });

  it('S 4.1-26: the id of a body is ignored', async () => {
    expect(await api.change(one, { [id]: UNKNOWN })).toMatchObject({ [id]: record[id] });
  });

  it('S 4.1-32, S 4.1-33, S 4.1-34: an unknown id is 404, an unreadable body 400, an empty record 422', async () => {
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE'])
      for (const unknown of [UNKNOWN, 'abc']) {
        const body = method === 'PATCH' || method === 'PUT' ? change : undefined;
        expect((await api.send(method, `${path}/${unknown}`, body)).status).toBe(404);
      }
    const headers = { 'content-type': 'application/json' };
    expect((await api.send('POST', path, undefined, { text: '{"name":', headers })).status).toBe(400);
    expect((await api.refused('POST', path, {})).length).toBeGreaterThan(0);
  });
});

it('API 4.1-5: public holidays sort by region', async () => {
  for (const region of [9, 8]) await api.create('public-holidays', { name: 'Day', dates: ['2026-12-13'], region });
  expect(await api.column('public-holidays?sort=region&region=8,9', 'region')).toEqual([8, 9]);
});

describe('S 4.2-3', () => {
  const hyphenated = resources.filter(([path]) => path.includes('-'));
  it.each(hyphenated)('S 4.2-3: %s is also available at the underscored path', async (path, id, fields, change) => {
    const underscored = path.replaceAll('-', '_');
    const [record] = [await api.create(underscored, fields)].flat();
    expect(await api.read(`${underscored}/${record[id]}`)).toEqual(await api.read(`${path}/${record[id]}`));
    expect(await api.column(underscored, id)).toContain(record[id]);
    await api.change(`${underscored}/${record[id]}`, change);
    await api.remove(`${underscored}/${record[id]}`);
  });
});

it.each([
  'people',
  'projects',
  'phases',
  'milestones',
  'project_tasks',
  'tasks',
  'timeoffs',
  'logged_time',
  'roles',
  'project_expenses',
  'accounts',
  'departments',
  'clients',
  'project_stages',
])('API 1-2: %s are stored, and listed as an array', async (path) => {
  expect(await api.read(path)).toEqual(expect.any(Array));
});
