import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, openService, type Service } from './service.ts';

const PEOPLE = Array.from({ length: 205 }, (_, index) => ({
  people_id: index + 1,
  name: `Person ${index + 1}`,
  people_code: index === 0 ? 'AB-1' : null,
  email: index % 2 === 0 ? 'even@example.com' : null,
  tags: index < 3 ? ['Senior', `t${index}`] : [],
  start_date: index < 10 ? '2026-01-05' : null,
  active: index === 4 ? 0 : 1,
}));

describe('lists', () => {
  let service: Service;
  let now = NOW;
  beforeAll(async () => {
    service = await openService(
      {
        people: PEOPLE,
        projects: [
          {
            project_id: 1,
            name: 'Bridge',
            budget_type: 1,
            budget_total: '100.5',
            default_hourly_rate: '80',
            client_id: 2,
          },
          { project_id: 2, name: 'Arch', non_billable: 1, project_code: 'a & <b>' },
          { project_id: 3, name: 'Arch', client_id: 2 },
        ],
        clients: [{ client_id: 2, name: 'Acme' }],
        tasks: [
          { task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 },
          {
            task_id: 2,
            project_id: 1,
            people_id: 1,
            start_date: '2026-01-05',
            end_date: '2026-01-05',
            hours: '7.5',
            created: '2026-01-01 08:00:00',
          },
          {
            task_id: 3,
            project_id: 1,
            people_id: 1,
            start_date: '2026-01-05',
            end_date: '2026-01-05',
            hours: 8,
            created: '2026-01-02 08:00:00',
          },
        ],
        logged_time: [
          { logged_time_id: "it's", people_id: 1, date: '2026-01-05', hours: 8, notes: 'a,b' },
          { logged_time_id: 'x', people_id: 1, date: '2026-01-06', hours: '7.5', billable: 0 },
        ],
      },
      () => now,
    );
  });
  afterAll(() => service.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    service.call('GET', `/v3/${path}`, undefined, headers);
  const ids = async (path: string, id: string): Promise<unknown[]> => {
    const { status, json, text } = await get(path);
    expect(status, text).toBe(200);
    return json.map((record: Record<string, unknown>) => record[id]);
  };
  const paging = (headers: Readonly<Record<string, unknown>>) =>
    ['total-count', 'page-count', 'current-page', 'per-page'].map((name) => Number(headers[`x-pagination-${name}`]));

  describe('page from 1, per-page default 50, at most 200', () => {
    it.each([
      ['', 50, [205, 5, 1, 50]],
      ['?page=2', 50, [205, 5, 2, 50]],
      ['?per-page=200', 200, [205, 2, 1, 200]],
      ['?per-page=201', 200, [205, 2, 1, 200]],
      ['?per-page=1000000000', 200, [205, 2, 1, 200]],
      ['?per-page=200&page=2', 5, [205, 2, 2, 5]],
      ['?page=5', 5, [205, 5, 5, 5]],
      ['?page=6', 0, [205, 5, 6, 0]],
      ['?page=999999999999999', 0, [205, 5, 999999999999999, 0]],
      ['?people_id=1000', 0, [0, 0, 1, 0]],
      ['?per-page=1&page=205', 1, [205, 205, 205, 1]],
      ['?page=0', 50, [205, 5, 1, 50]],
      ['?per_page=20', 20, [205, 11, 1, 20]],
      ['?per_page=20&page=11', 5, [205, 11, 11, 5]],
    ])('%s', async (query, length, headers) => {
      const answer = await get(`people${query}`);
      expect([answer.status, answer.json.length, paging(answer.headers)]).toEqual([200, length, headers]);
    });

    it.each([
      'per-page=0',
      'per-page=-1',
      'per-page=1e9',
      'per-page=x',
      'per-page=',
      'per-page=1.5',
      'page=-1',
      'page=1e9',
      'page=',
      'per_page=0',
      'per-page=5&per_page=6',
    ])('%s 400', async (query) => {
      const { status, json } = await get(`people?${query}`);
      expect([status, json.name, json.errors[0].field]).toEqual([
        400,
        'bad_request',
        query.split('=')[0]?.replace('_', '-'),
      ]);
    });

    it('every record is on exactly one page', async () => {
      const all = [];
      for (let page = 1; page <= 9; page += 1) all.push(...(await ids(`people?per-page=25&page=${page}`, 'people_id')));
      expect(all).toEqual(PEOPLE.map(({ people_id }) => people_id).reverse());
    });
  });

  describe('fields trims top-level fields to exactly those named', () => {
    it('in their order, in lists and single records', async () => {
      expect((await get('people?people_id=1&fields=name,people_id')).text).toBe('[{"name":"Person 1","people_id":1}]');
      expect((await get('people/1?fields=tags')).json).toEqual({ tags: ['senior', 't0'] });
    });

    it('for each field alone', async () => {
      const names = Object.keys((await get('people/1')).json);
      for (const name of names) expect(Object.keys((await get(`people/1?fields=${name}`)).json), name).toEqual([name]);
    });

    it('an empty name is 400', async () => {
      for (const query of ['fields=', 'fields=name,', 'fields=,nothing']) {
        const { status, json } = await get(`people?${query}`);
        expect([status, json.errors[0].field], query).toEqual([400, 'fields']);
      }
    });
  });

  it('an empty expand is 400', async () => {
    for (const query of ['expand=', 'expand=people,']) {
      const { status, json } = await get(`tasks?${query}`);
      expect([status, json.errors[0].field], query).toEqual([400, 'expand']);
    }
  });

  describe('sort', () => {
    it('takes several fields, - descending', async () => {
      expect(await ids('projects?sort=name,-project_id', 'project_id')).toEqual([3, 2, 1]);
      expect(await ids('projects?sort=-name,project_id', 'project_id')).toEqual([1, 2, 3]);
      expect(await ids('projects?sort=-client_id,name', 'project_id')).toEqual([3, 1, 2]);
    });

    it('default: most recent first, by created, else by id', async () => {
      expect(await ids('projects', 'project_id')).toEqual([3, 2, 1]);
      expect(await ids('tasks', 'task_id')).toEqual([3, 2, 1]);
      expect(await ids('tasks?sort=created', 'task_id')).toEqual([1, 2, 3]);
    });

    it('equal values are ordered by id, highest first', async () => {
      expect(await ids('tasks?sort=start_date', 'task_id')).toEqual([3, 2, 1]);
      expect(await ids('tasks?sort=-hours', 'task_id')).toEqual([3, 1, 2]);
    });

    it('logged time by start_date and end_date, which equal its date', async () => {
      for (const name of ['start_date', 'end_date', 'date']) {
        expect(await ids(`logged-time?sort=${name}`, 'logged_time_id')).toEqual(["it's", 'x']);
        expect(await ids(`logged-time?sort=-${name}`, 'logged_time_id')).toEqual(['x', "it's"]);
      }
    });

    it.each(['tasks', 'timeoffs', 'logged-time'])('%s by created, modified, start_date and end_date', async (name) => {
      for (const field of ['created', 'modified', 'start_date', 'end_date'])
        expect((await get(`${name}?sort=-${field},created`)).status, field).toBe(200);
    });

    it('by an unknown field is 400', async () => {
      for (const sort of ['nothing', '', 'name,', '--name', 'tags', 'cost_rate', 'name;DROP TABLE source.people']) {
        const { status, json } = await get(`people?sort=${encodeURIComponent(sort)}`);
        expect([status, json.errors[0].field], sort).toEqual([400, 'sort']);
      }
    });
  });

  describe("any field named in the resource's definition filters; several values by comma", () => {
    it.each([
      ['projects?project_id=1,3', 'project_id', [3, 1]],
      ['projects?project_id=1%2C3', 'project_id', [3, 1]],
      ['projects?project_id=1&project_id=3', 'project_id', [3, 1]],
      ['projects?name=Arch', 'project_id', [3, 2]],
      ['projects?name=arch', 'project_id', []],
      ['projects?project_code=A %26 <B>', 'project_id', [2]],
      ['projects?client_id=', 'project_id', [2]],
      ['projects?client_id=0', 'project_id', [2]],
      ['projects?client_id=,2', 'project_id', [3, 2, 1]],
      ['projects?budget_type=0', 'project_id', [3, 2]],
      ['projects?budget_total=100.50', 'project_id', [1]],
      ['projects?default_hourly_rate=80', 'project_id', [1]],
      ['projects?non_billable=1', 'project_id', [2]],
      ['projects?non_billable=false', 'project_id', [3, 1]],
      ['projects?nonBillable=1', 'project_id', [2]],
      ['projects?project_code=', 'project_id', []],
      ['projects?project_code=none,a %26 <b>', 'project_id', [2]],
      ['people?email=even@example.com&people_id=1,2', 'people_id', [1]],
      ['people?tag_name=senior&people_id=1,2', 'people_id', [2, 1]],
      ['tasks?client_id=2', 'task_id', [3, 2, 1]],
      ['tasks?client_id=3', 'task_id', []],
      ['logged-time?nonBillable=1', 'logged_time_id', ['x']],
      ['logged-time?notes=a%2Cb', 'logged_time_id', ["it's"]],
      ['logged-time?notes=a,b', 'logged_time_id', []],
      ['logged-time?notes=x,a%2cb', 'logged_time_id', ["it's"]],
      ['projects?name=Arch&client_id=2', 'project_id', [3]],
      ['people?tags=senior,t1&per-page=200', 'people_id', [3, 2, 1]],
      ['people?tags=T1', 'people_id', [2]],
      ['people?people_code=ab-1', 'people_id', [1]],
      ['people?active=0', 'people_id', [5]],
      ['people?start_date=2026-01-05&people_id=1,2,50', 'people_id', [2, 1]],
      ['tasks?hours=7.5', 'task_id', [2]],
      ['tasks?created=2026-01-02 08:00:00', 'task_id', [3]],
      ["logged-time?logged_time_id=it's", 'logged_time_id', ["it's"]],
      ['logged-time?hours=7.5000', 'logged_time_id', ['x']],
      ['logged-time?billable=0', 'logged_time_id', ['x']],
      ['logged-time?date=2026-01-05,2026-01-07', 'logged_time_id', ["it's"]],
      ['logged-time?end_date=2026-01-05', 'logged_time_id', ["it's"]],
    ])('%s', async (path, id, expected) => {
      expect(await ids(path, id)).toEqual(expected);
    });

    it.each([
      'people?people_id=x',
      'people?people_id=1,x',
      'people?active=2',
      'people?start_date=2026-02-30',
      'projects?budget_type=9',
      'projects?budget_total=a lot',
      'tasks?hours=25',
      'tasks?created=yesterday',
      'tasks?modified_since=x',
      'tasks?modified_since=',
      'tasks?modified_since=1781596800000',
      'tasks?modified_since=9999-12-31T23:59:59-14:00',
      'tasks?modified_since=0000-01-01T00:00:00%2B14:00',
      'tasks?page=1&page=2',
    ])('%s 400', async (path) => {
      const { status, json } = await get(path);
      const [, name = ''] = /\?([\w-]+)/.exec(path) ?? [];
      expect([status, json.errors[0].field], JSON.stringify(json)).toEqual([400, name]);
    });

    it('every wrong parameter is named', async () => {
      const { json } = await get('people?page=-1&active=2&sort=nothing&nothing=1');
      expect(json.errors.map(({ field }: { field: string }) => field).sort()).toEqual(['active', 'page', 'sort']);
    });
  });

  it('modified_since selects changes at or after its time', async () => {
    now = new Date('2026-06-16T08:00:00Z');
    await service.call('PATCH', '/v3/projects/3', { name: 'Arch' });
    expect(await ids('projects?modified_since=2026-06-16 08:00:00', 'project_id')).toEqual([]);
    await service.call('PATCH', '/v3/projects/3', { color: 'ff0000' });
    expect(await ids('projects?modified_since=2026-06-16 08:00:00', 'project_id')).toEqual([3]);
    expect(await ids('projects?modified_since=2026-06-16T10:00:00%2B02:00', 'project_id')).toEqual([3]);
    expect(await ids('projects?modified_since=2026-06-16 08:00:01', 'project_id')).toEqual([]);
    expect(await ids('projects?modified_since=2026-06-16', 'project_id')).toEqual([3]);
    const seconds = now.getTime() / 1000;
    expect(await ids(`projects?modified_since=${seconds}`, 'project_id')).toEqual([3]);
    expect(await ids(`projects?modified_since=${seconds + 1}`, 'project_id')).toEqual([]);
    now = NOW;
  });

  it('GET /status without entries is 204', async () => {
    const { status, text } = await get('status');
    expect([status, text]).toEqual([204, '']);
  });

  it('an unknown id is 404', async () => {
    for (const id of ['999', 'x', '1.5', '-1', '0', '99999999999999999999', '%27', '1%20OR%201=1']) {
      const { status, json } = await get(`people/${id}`);
      expect([status, json.name], id).toEqual([404, 'not_found']);
    }
  });

  describe('Accept', () => {
    it('application/xml: the same as XML', async () => {
      const { text, headers } = await get('projects?project_id=2&fields=project_id,project_code,tags,client_id', {
        accept: 'application/xml',
      });
      expect(headers['content-type']).toBe('application/xml; charset=utf-8');
      expect(text).toBe(
        '<?xml version="1.0" encoding="UTF-8"?>\n<response><item><project_id>2</project_id><project_code>a &amp; &lt;b&gt;</project_code><tags></tags><client_id></client_id></item></response>\n',
      );
    });

    it('errors, too', async () => {
      const { status, text, headers } = await get('people?page=-1', { accept: 'application/xml' });
      expect([status, headers['content-type']]).toEqual([400, 'application/xml; charset=utf-8']);
      expect(text).toBe(
        '<?xml version="1.0" encoding="UTF-8"?>\n<response><name>bad_request</name><message>page: &quot;-1&quot; is not a whole number from 0</message><code>usage</code><status>400</status><errors><item><field>page</field><message>page: &quot;-1&quot; is not a whole number from 0</message></item></errors></response>\n',
      );
    });

    it.each([
      ['application/json', 'application/json; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
      ['text/html, application/xml;q=0.9, */*;q=0.1', 'application/xml; charset=utf-8'],
      ['application/xml;q=0.1, application/json', 'application/json; charset=utf-8'],
      ['text/xml', 'text/xml; charset=utf-8'],
      ['', 'application/json; charset=utf-8'],
    ])('%s', async (accept, type) => {
      expect((await get('people', { accept })).headers['content-type']).toBe(type);
    });

    it('an unsupported type is 406, before anything is written', async () => {
      const count = async () => (await service.rows('SELECT count(*) AS count FROM service.changes'))[0];
      const before = await count();
      const accept = { accept: 'text/csv' };
      const answers = [
        await get('people', accept),
        await get('people/1', accept),
        await get('deleted/tasks', accept),
        await service.call('POST', '/v3/people', { name: 'Eve' }, accept),
        await service.call('PATCH', '/v3/people/1', { name: 'Eve' }, accept),
      ];
      for (const { status, json } of answers)
        expect([status, json.name, json.code]).toEqual([406, 'not_acceptable', 'usage']);
      expect(await count()).toEqual(before);
    });
  });
});
