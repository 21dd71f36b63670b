import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const ANN = 1;
const BRIDGE = 1;
const TASK = { project_id: BRIDGE, people_id: ANN, start_date: '2026-07-06', end_date: '2026-07-10', hours: 4 };
const XML = { 'content-type': 'application/xml' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let api: Api;
beforeAll(async () => {
  api = await openApi({
    people: [{ people_id: ANN, name: 'Ann' }],
    roles: [{ role_id: 1, name: 'Designer' }],
    project_stages: [{ stage_id: 1, name: 'Won', status: 2 }],
    projects: [{ project_id: BRIDGE, name: 'Bridge' }],
    project_expenses: [{ project_expense_id: 1, project_id: BRIDGE, name: 'Train', date: '2026-07-06', cost: 9 }],
  });
});
afterAll(() => api.close());

it('API 0-1, API 9-1: paths begin with the version segment v3', async () => {
  expect((await api.send('GET', 'people')).status).toBe(200);
  expect((await api.send('GET', '/people')).status).toBe(404);
  expect((await api.send('GET', '/v2/people')).status).toBe(404);
});

it('API 1-1: a written record can be read', async () => {
  const person = await api.create('people', { name: 'Eve' });
  expect(await api.read(`people/${person.people_id}`)).toEqual(person);
});

describe('values', () => {
  it('API 2-1: dates are YYYY-MM-DD', async () => {
    expect(await api.create('tasks', TASK)).toMatchObject({ start_date: '2026-07-06', end_date: '2026-07-10' });
    expect(await api.refused('POST', 'tasks', { ...TASK, start_date: '06.07.2026' })).toEqual(['start_date']);
  });

  it('API 2-2, S 4.1-38: timestamps are YYYY-MM-DD HH:MM:SS in UTC', async () => {
    // The clock of the server.
    expect((await api.create('people', { name: 'Eve' })).created).toBe('2026-06-15 12:00:00');
  });

  it.each([1, 0])('API 2-3, S 4.1-39: a boolean is %d', async (value) => {
    expect((await api.create('people', { name: 'Eve', active: value })).active).toBe(value);
    expect((await api.create('people', { name: 'Eve', active: value === 1 })).active).toBe(value);
    expect((await api.create('people', { name: 'Eve', active: String(value) })).active).toBe(value);
  });

  it.each([7.5, '7.5'])('API 2-4, S 4.1-40: hours of an allocation are a decimal string, sent as %j', async (hours) => {
    expect((await api.create('tasks', { ...TASK, hours })).hours).toBe('7.5000');
  });

  it.each([80.5, '80.5'])('API 2-5, S 4.1-40: rates are strings, sent as %j', async (rate) => {
    for (const path of ['people', 'roles', 'projects']) {
      expect((await api.create(path, { name: 'Eve', default_hourly_rate: rate })).default_hourly_rate).toBe('80.5000');
    }
  });

  it('S 4.1-43: roles, stages and expenses have id beside their own id', async () => {
    expect(await api.read('roles/1')).toMatchObject({ id: 1, role_id: 1 });
    expect(await api.read('project-stages/1')).toMatchObject({ id: 1, stage_id: 1 });
    expect(await api.read('project-expenses/1')).toMatchObject({ id: 1, project_expense_id: 1 });
  });
});

describe('bodies', () => {
  const one = (text: string) => /<people_id>(\d+)<\/people_id>/.exec(text)?.[1];

  it('API 4-2, S 4.1-3: a JSON body', async () => {
    expect((await api.create('people', { name: 'Eve', tags: ['a'] })).tags).toEqual(['a']);
  });

  it('API 1-5, S 4.1-3: an XML body has the shape of answers', async () => {
    const sent = {
      name: 'Ève & <Co>',
      tags: ['a', 'b c'],
      work_days_hours: [0, 7.5, 7.5, 7.5, 7.5, 7.5, 0],
      start_date: '2026-01-05',
    };
    const person = await api.create('people', sent);
    const { text } = await api.send('GET', `people/${person.people_id}`, undefined, {
      headers: { accept: 'application/xml' },
    });
    const { status, json } = await api.send('POST', 'people', undefined, { text, headers: XML });
    expect([status, json()]).toEqual([
      201,
      { ...person, people_id: expect.any(Number), created: expect.any(String), modified: expect.any(String) },
    ]);
  });

  it('S 4.1-3: a form-encoded body', async () => {
    const { status, json } = await api.send('POST', 'people', undefined, {
      text: 'name=Eve+Moreau&email=eve%40example.com&active=1',
      headers: FORM,
    });
    expect([status, json()]).toEqual([
      201,
      expect.objectContaining({ name: 'Eve Moreau', email: 'eve@example.com', active: 1 }),
    ]);
  });

  it.each([undefined, 'application/json', '*/*'])('API 4-3, S 4.1-4: Accept %s gives JSON', async (accept) => {
    const { headers, json } = await api.send('GET', 'people/1', undefined, { headers: accept ? { accept } : {} });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(json()).toMatchObject({ people_id: 1 });
  });

  it.each(['people/1', 'people'])('API 1-5, API 4-3, S 4.1-4: Accept application/xml gives XML of %s', async (path) => {
    const { headers, text } = await api.send('GET', path, undefined, { headers: { accept: 'application/xml' } });
    expect(headers.get('content-type')).toMatch(/^application\/xml/);
    expect(one(text)).toBeDefined();
    expect(text).toContain('<name>Ann</name>');
  });

  it('API 1-5: a write can be answered as XML, too', async () => {
    const { status, text } = await api.send(
      'POST',
      'people',
      { name: 'Eve' },
      { headers: { accept: 'application/xml' } },
    );
    expect([status, text]).toEqual([201, expect.stringContaining('<name>Eve</name>')]);
  });

  it.each(['application/json', 'application/xml', 'application/x-www-form-urlencoded'])(
    'S 4.1-5: an empty body of type %s is no body',
    async (type) => {
      const { people_id } = await api.create('people', { name: 'Eve' });
      const headers = { 'content-type': type };
      expect((await api.send('GET', `people/${people_id}`, undefined, { headers })).status).toBe(200);
      expect((await api.send('DELETE', `people/${people_id}`, undefined, { headers })).status).toBe(204);
    },
  );
});

describe('answers', () => {
  it('API 4-4, S 4.1-2: PUT works like PATCH and keeps omitted fields', async () => {
    const { people_id } = await api.create('people', { name: 'Eve', email: 'eve@example.com' });
    const { status, json } = await api.send('PUT', `people/${people_id}`, { name: 'Eva' });
    expect([status, json()]).toEqual([200, expect.objectContaining({ name: 'Eva', email: 'eve@example.com' })]);
  });

  it('API 4-5, API 7-2, S 4.1-29: POST answers 201 with Location and the record', async () => {
    const { status, headers, json } = await api.send('POST', 'people', { name: 'Eve' });
    expect(status).toBe(201);
    const { pathname } = new URL(headers.get('location') ?? '', 'http://localhost');
    expect(await api.read(pathname.replace('/v3/', ''))).toEqual(json());
  });

  it('API 4-6, API 7-1, S 4.1-30: PATCH answers 200 with the record', async () => {
    const { people_id } = await api.create('people', { name: 'Eve' });
    const { status, json } = await api.send('PATCH', `people/${people_id}`, { name: 'Eva' });
    expect([status, json()]).toEqual([200, await api.read(`people/${people_id}`)]);
  });

  it('S 4.1-31: DELETE answers 204 without a body', async () => {
    const { people_id } = await api.create('people', { name: 'Eve' });
    const { status, text } = await api.send('DELETE', `people/${people_id}`);
    expect([status, text]).toEqual([204, '']);
  });

  it.each(['GET', 'PATCH', 'PUT', 'DELETE'])('S 4.1-32, S 4.1-37: %s of an unknown id is 404', async (method) => {
    const { status, json } = await api.send(
      method,
      'people/999999',
      method === 'GET' || method === 'DELETE' ? undefined : { name: 'Eve' },
    );
    expect([status, json()]).toEqual([404, errorOf(404)]);
  });

  it.each([
    ['JSON', 'application/json', '{"name": '],
    ['JSON that is no object', 'application/json', '"Eve"'],
    ['XML', 'application/xml', '<response><name>Eve</response>'],
  ])('S 4.1-33, S 4.1-37: unreadable %s is 400', async (_what, type, text) => {
    const { status, json } = await api.send('POST', 'people', undefined, { text, headers: { 'content-type': type } });
    expect([status, json()]).toEqual([400, errorOf(400)]);
  });

  it('S 4.1-34, S 4.1-37: an invalid record is 422 with one {field, message} per fault', async () => {
    const { status, json } = await api.send('POST', 'tasks', {
      ...TASK,
      end_date: '31.12.2026',
      hours: 25,
      start_date: 'soon',
    });
    expect([status, json()]).toEqual([422, errorOf(422)]);
    const { errors } = json();
    expect(errors.map(({ field }: Json) => field).sort()).toEqual(['end_date', 'hours', 'start_date']);
    for (const each of errors)
      expect(each).toEqual({ field: expect.any(String), message: expect.stringMatching(/\w/) });
  });

  const errorOf = (status: number) =>
    expect.objectContaining({
      name: expect.any(String),
      message: expect.stringMatching(/\w/),
      code: expect.any(String),
      status,
    });
});

it('S 4.1-44: a write and its effects are one transaction: an error undoes all of it', async () => {
  const before = await api.column('people?per-page=200&people_type_id=1,4', 'people_id');
  await api.change('people/1', { role_id: 1 });
  // The first item creates a placeholder, the second is refused.
  const team = { project_team: { add: [{ people_id: null, role_id: 1 }, { people_id: 999 }] }, name: 'Arch' };
  expect((await api.send('PATCH', `projects/${BRIDGE}`, team)).status).toBe(422);
  expect(await api.column('people?per-page=200&people_type_id=1,4', 'people_id')).toEqual(before);
  expect(await api.read(`projects/${BRIDGE}?expand=project_team`)).toMatchObject({ name: 'Bridge', project_team: [] });
});
