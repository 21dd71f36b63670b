import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi, readPaging } from './api.ts';

const ANN = 1;
const BRIDGE = 1;

/** More than one page of people; odd ones share an address. Creation times run against the ids. */
const people = Array.from({ length: 205 }, (_, index) => ({
  people_id: index + 1,
  name: `Person ${String(index % 5)}`,
  people_code: index === 0 ? 'A/1,2' : null,
  email: index % 2 === 0 ? 'odd@example.com' : null,
  job_title: index === 3 ? 'Cook, Baker' : index === 4 ? 'Cook' : null,
  tags: index < 2 ? ['Senior'] : [],
  active: index === 4 ? 0 : 1,
  employee_type: index < 3 ? 0 : 1,
  created: `2026-01-01 ${String(23 - (index % 24)).padStart(2, '0')}:00:00`,
  modified: index === 7 ? '2026-05-05 10:00:00' : '2026-01-02 00:00:00',
}));
const dated = (index: number) => ({ created: `2026-01-0${3 - index} 08:00:00`, modified: '2026-01-05 08:00:00' });
const SPAN = { start_date: '2026-03-02', end_date: '2026-03-06' };

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people,
    clients: [{ client_id: 5, name: 'Acme' }],
    accounts: [{ account_id: 1, name: 'Olga', email: 'olga@example.com' }],
    projects: [
      { project_id: BRIDGE, name: 'Bridge', client_id: 5, project_code: 'B-1' },
      { project_id: 2, name: 'Arch', non_billable: 1, tags: ['Key Account'] },
    ],
    tasks: [0, 1].map((index) => ({
      task_id: 11 + index,
      project_id: BRIDGE,
      people_id: ANN,
      hours: 4,
      ...SPAN,
      ...dated(index),
    })),
    timeoffs: [0, 1].map((index) => ({
      timeoff_id: 11 + index,
      people_ids: [ANN],
      timeoff_type_id: 1,
      timeoff_type_name: 'Leave',
      full_day: 1,
      ...SPAN,
      ...dated(index),
    })),
    logged_time: [0, 1].map((index) => ({
      logged_time_id: `L${index}`,
      people_id: ANN,
      date: '2026-03-02',
      hours: 1,
      ...dated(index),
    })),
  });
});
afterAll(() => api.close());

const page = async (query: string) => {
  const reply = await api.send('GET', `people?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return { ids: reply.json().map(({ people_id }: { people_id: number }) => people_id), paging: readPaging(reply) };
};
const ids = async (query: string): Promise<number[]> => (await page(`sort=people_id&per-page=200&${query}`)).ids;

it('API 1-6: filter, sort, pages and fields work together', async () => {
  const query = 'people?email=odd@example.com&sort=-people_id&per-page=2&page=2&fields=people_id';
  expect(await api.read(query)).toEqual([{ people_id: 201 }, { people_id: 199 }]);
});

it.each(['people', 'projects', 'tasks', 'accounts', 'roles'])(
  'API 2-6, S 4.1-6: a list of %s is an array of objects',
  async (path) => {
    const list = await api.read(path);
    expect(Array.isArray(list) && list.every((each: unknown) => each instanceof Object)).toBe(true);
  },
);

describe('pages', () => {
  it.each([
    ['API 4.1-1: page 1', 'page=1&per-page=2', [1, 2], [205, 103, 1, 2]],
    ['API 4.1-1: page 2', 'page=2&per-page=2', [3, 4], [205, 103, 2, 2]],
    ['S 4.1-7: page 0 is 1', 'page=0&per-page=2', [1, 2], [205, 103, 1, 2]],
    ['API 4.3-4, S 4.1-11: the last page has fewer items', 'page=103&per-page=2', [205], [205, 103, 103, 1]],
    ['S 4.1-8: per_page is per-page', 'per_page=2', [1, 2], [205, 103, 1, 2]],
    ['S 4.1-10: a page past the last is empty', 'page=200&per-page=2', [], [205, 103, 200, 0]],
  ])('%s', async (_title, query, expected, paging) => {
    expect(await page(`sort=people_id&${query}`)).toEqual({ ids: expected, paging });
  });

  it.each([
    ['API 4.1-2, API 8-1, S 4.1-8: 50 items by default', '', 50, [205, 5, 1, 50]],
    ['API 4.1-2, API 8-1: 200 items at most', 'per-page=200', 200, [205, 2, 1, 200]],
    ['API 4.1-2, API 8-1, S 4.1-9: more than 200 counts as 200', 'per-page=1000', 200, [205, 2, 1, 200]],
  ])('%s', async (_title, query, length, paging) => {
    const { ids: found, paging: headers } = await page(query);
    expect([found.length, headers]).toEqual([length, paging]);
  });

  it('API 4.3-1, API 4.3-2, API 4.3-3: the headers count filtered records', async () => {
    expect((await page('email=odd@example.com&page=2&per-page=100')).paging).toEqual([103, 2, 2, 3]);
  });

  it.each([
    'people',
    'departments',
    'clients',
    'accounts',
    'roles',
    'projects',
    'project-stages',
    'phases',
    'milestones',
    'project-tasks',
    'tasks',
    'timeoffs',
    'timeoff-types',
    'logged-time',
    'project-expenses',
    'holidays',
    'public-holidays',
    'tags',
  ])('API 4.3-5, S 4.1-11: a list of %s has pagination headers', async (path) => {
    const reply = await api.send('GET', path);
    const [total, pages, current, items] = readPaging(reply);
    const { length } = reply.json();
    expect([Number(total) >= length, pages, current, items]).toEqual([true, Math.ceil(Number(total) / 50), 1, length]);
  });
});

describe('order', () => {
  it('API 4.1-5, S 4.1-12: no prefix is ascending, - descending', async () => {
    expect((await page('sort=people_id&per-page=3')).ids).toEqual([1, 2, 3]);
    expect((await page('sort=-people_id&per-page=3')).ids).toEqual([205, 204, 203]);
  });

  it('API 4.1-8, S 4.1-12: several fields are applied in the order given', async () => {
    expect((await page('sort=-name,people_id&per-page=3')).ids).toEqual([5, 10, 15]);
    expect((await page('sort=name,-people_id&per-page=3')).ids).toEqual([201, 196, 191]);
  });

  it.each([
    ['tasks', 'task_id', [11, 12]],
    ['timeoffs', 'timeoff_id', [11, 12]],
    ['logged-time', 'logged_time_id', ['L0', 'L1']],
    ['projects', 'project_id', [2, 1]],
  ])('API 4.1-6, S 4.1-14: %s are most recent first', async (path, id, expected) => {
    expect(await api.column(path, id)).toEqual(expected);
  });

  it('API 4.1-6, S 4.1-14: people are most recent first, by created before id', async () => {
    expect((await page('per-page=200')).ids.slice(0, 3)).toEqual([193, 169, 145]);
  });

  it('S 4.1-14: a new record is first', async () => {
    for (const [path, id] of [
      ['clients', 'client_id'],
      ['departments', 'department_id'],
    ] as const) {
      api.wait(1000);
      await api.create(path, { name: 'One' });
      api.wait(1000);
      const { [id]: last } = await api.create(path, { name: 'Two' });
      expect((await api.column(path, id))[0]).toBe(last);
    }
  });

  const times = ['created', 'modified', 'start_date', 'end_date'];
  it.each(['tasks', 'timeoffs', 'logged-time'].flatMap((path) => times.map((field) => [path, field])))(
    'API 4.1-7, S 4.1-13: %s sort by %s',
    async (path, field) => {
      expect((await api.send('GET', `${path}?sort=-${field}`)).status).toBe(200);
      const values = (await api.read(`${path}?sort=${field}`)).map(
        (record: Record<string, string>) => record[field] ?? record['date'],
      );
      expect(values).toEqual([...values].sort());
    },
  );

  it('API 4.1-7: tasks sort by task_id', async () => {
    expect(await api.column('tasks?sort=-task_id', 'task_id')).toEqual([12, 11]);
  });
});

describe('filters', () => {
  it.each([
    ['API 4.1-9: by any field', 'name=Person%203&people_id=4,5', [4]],
    ['S 4.1-19: commas mean any of', 'people_id=3,5,900', [3, 5]],
    ['S 4.1-20: a comma written %2C belongs to the value', 'job_title=Cook%2C%20Baker', [4]],
    ['S 4.1-20: commas of both kinds', 'job_title=Cook%2C%20Baker,Cook', [4, 5]],
    ['API 4.2-34: a slash written %2F', 'people_code=A%2F1%2C2', [1]],
    ['S 4.1-22: active', 'active=0', [5]],
    ['S 4.1-22: tag_name', 'tag_name=senior', [1, 2]],
    ['S 4.1-22: tag_name in any case', 'tag_name=Senior', [1, 2]],
    ['S 4.1-22: employee_type_id', 'employee_type_id=0', [1, 2, 3]],
    ['S 4.1-22: email', 'email=odd@example.com&people_id=1,2,3', [1, 3]],
    ['S 4.1-23: an empty people_code finds none', 'people_code=', []],
    ['S 4.1-21: modified_since, a day', 'modified_since=2026-05-05', [8]],
    ['S 4.1-21: modified_since, a timestamp', 'modified_since=2026-05-05%2010:00:00', [8]],
    ['S 4.1-21: modified_since, a later timestamp', 'modified_since=2026-05-05%2010:00:01', []],
    ['S 4.1-21: modified_since, Unix seconds', `modified_since=${Date.UTC(2026, 4, 5, 10) / 1000}`, [8]],
    ['S 4.1-21: modified_since, later Unix seconds', `modified_since=${Date.UTC(2026, 4, 5, 10) / 1000 + 1}`, []],
  ])('%s', async (_title, query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('S 4.1-23: people_code finds at most one person, even with commas', async () => {
    await api.change('people/2', { people_code: 'A-2' });
    await api.change('people/3', { people_code: 'A-3' });
    expect((await ids('people_code=A-2,A-3')).length).toBeLessThanOrEqual(1);
    expect(await ids('people_code=a-3')).toEqual([3]);
  });

  it.each([
    ['S 4.1-22: nonBillable', 'projects?nonBillable=1', 'project_id', [2]],
    ['S 4.1-22: nonBillable 0', 'projects?nonBillable=0', 'project_id', [1]],
    ['S 4.1-22: client_id', 'projects?client_id=5', 'project_id', [1]],
    ['S 4.1-22: tag_name of projects', 'projects?tag_name=key%20account', 'project_id', [2]],
    ['S 4.1-22: active of projects', 'projects?active=1&sort=project_id', 'project_id', [1, 2]],
    ['S 4.1-22: project_id', 'tasks?project_id=1&sort=task_id', 'task_id', [11, 12]],
    ['S 4.1-22: email of accounts', 'accounts?email=olga@example.com', 'account_id', [1]],
    ['S 4.1-23: project_code', 'projects?project_code=B-1', 'project_id', [1]],
    ['S 4.1-23: an empty project_code finds none', 'projects?project_code=', 'project_id', []],
  ])('%s', async (_title, query, id, expected) => {
    expect(await api.column(query, id)).toEqual(expected);
  });
});

describe('fields and expand', () => {
  const name = `people/${ANN}`;
  const answers: [string, (query: string) => Promise<Record<string, unknown>>][] = [
    ['a list', async (query) => (await api.read(`people?people_id=${ANN}&${query}`))[0]],
    ['one record', (query) => api.read(`${name}?${query}`)],
    ['POST', (query) => api.create(`people?${query}`, { name: 'Eve' })],
    ['PATCH', (query) => api.change(`${name}?${query}`, { name: 'Ann' })],
    ['PUT', async (query) => (await api.send('PUT', `${name}?${query}`, { name: 'Ann' })).json()],
  ];

  it.each(answers)(
    'API 2-7, API 4.1-3, API 9-2, S 4.1-15, S 4.1-17: fields trims %s to exactly those named',
    async (_what, ask) => {
      expect(Object.keys(await ask('fields=name,people_id')).sort()).toEqual(['name', 'people_id']);
    },
  );

  it.each(answers)('API 2-8, S 4.1-16, S 4.1-17: expand adds to %s', async (_what, ask) => {
    const plain = await ask('');
    const expanded = await ask('expand=contracts');
    expect(Object.keys(expanded).filter((each) => !(each in plain))).toEqual(['contracts']);
  });

  it.each(answers)('S 4.1-17: fields and expand work together on %s', async (_what, ask) => {
    expect(Object.keys(await ask('fields=people_id,contracts&expand=contracts')).sort()).toEqual([
      'contracts',
      'people_id',
    ]);
  });

  it.each([
    ['projects/1', 'project_team,expenses'],
    ['roles/1', 'cost_rate_history'],
    ['people/1', 'contracts,account,managers,manager'],
    ['tasks/11', 'client_id,people'],
  ])('API 4.1-4: %s expands to %s', async (path, expand) => {
    if (path === 'roles/1') await api.create('roles', { name: 'Designer' });
    const record = await api.read(`${path}?expand=${expand}`);
    expect(Object.keys(record)).toEqual(expect.arrayContaining(expand.split(',')));
  });
});
