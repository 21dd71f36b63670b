import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChanges } from '../../src/store/record/storage/changes.ts';
import { openService, type Service } from './service.ts';

describe('creating and changing records', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 4, name: 'Ann' }],
      projects: [{ project_id: 7, name: 'Bridge' }],
    });
  });
  afterAll(() => service.close());

  it('POST answers 201 with Location and the record, under an unused id', async () => {
    const { status, headers, json } = await service.call('POST', '/v3/people', { name: 'Bob', people_code: 'B1' });
    expect({ status, location: headers['location'], id: json.people_id }).toEqual({
      status: 201,
      location: '/v3/people/5',
      id: 5,
    });
    await service.call('DELETE', '/v3/people/5');
    expect((await service.call('POST', '/v3/people', { name: 'Cid' })).json.people_id).toBe(6);
  });

  it('an unreadable body is 400, a body that is no object 400, another type 415', async () => {
    expect((await service.call('POST', '/v3/people', undefined, { 'content-type': 'application/json' })).status).toBe(
      400,
    );
    expect((await service.call('POST', '/v3/people', [])).status).toBe(400);
    expect((await service.call('POST', '/v3/people', 'x', { 'content-type': 'text/csv' })).status).toBe(415);
  });

  it('an invalid record is 422 with one {field, message} per fault', async () => {
    const { status, json } = await service.call('POST', '/v3/tasks', {
      people_id: 'x',
      project_id: 9,
      start_date: '2026-02-31',
      hours: 25,
    });
    expect(status).toBe(422);
    expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(['people_id', 'start_date', 'hours']);
  });

  it('a reference to a missing record is 422', async () => {
    const { status, json } = await service.call('POST', '/v3/logged-time', {
      people_id: 99,
      project_id: 7,
      date: '2026-01-05',
      hours: 8,
    });
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [{ field: 'people_id', message: 'people_id: there is no record 99 in people' }],
    });
  });

  it('references are checked again after their target was deleted', async () => {
    const made = (await service.call('POST', '/v3/people', { name: 'Dan' })).json.people_id;
    const time = { people_id: made, project_id: 7, date: '2026-01-05', hours: 8 };
    expect((await service.call('POST', '/v3/logged-time', time)).status).toBe(201);
    await service.call('DELETE', `/v3/people/${made}`);
    expect((await service.call('POST', '/v3/logged-time', time)).status).toBe(422);
  });

  it('a repeated POST with its Idempotency-Key is carried out once; another request with the key is 422', async () => {
    const time = { people_id: 4, project_id: 7, date: '2026-01-06', hours: 8 };
    const key = { 'idempotency-key': 'once' };
    const first = await service.call('POST', '/v3/logged-time', time, key);
    const again = await service.call('POST', '/v3/logged-time', time, key);
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect((await service.call('POST', '/v3/logged-time', { ...time, hours: 7 }, key)).status).toBe(422);
    const none = await service.call('POST', '/v3/logged-time', time, { 'idempotency-key': '' });
    expect([none.status, none.json.errors]).toEqual([
      400,
      [{ field: 'Idempotency-Key', message: 'Idempotency-Key must have 1 to 255 characters' }],
    ]);
    const rows = await service.rows("SELECT count(*) AS count FROM source.logged_time WHERE date = DATE '2026-01-06'");
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('two parallel POSTs with one Idempotency-Key create one record', async () => {
    const time = { people_id: 4, project_id: 7, date: '2026-01-07', hours: 8 };
    const key = { 'idempotency-key': 'at once' };
    const post = () => service.call('POST', '/v3/logged-time', time, key);
    const replies = await Promise.all([post(), post(), post()]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const rows = await service.rows("SELECT count(*) AS count FROM source.logged_time WHERE date = DATE '2026-01-07'");
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('parallel changes of different fields are both kept', async () => {
    const patch = (body: object) => service.call('PATCH', '/v3/people/4', body);
    for (const round of ['one', 'two', 'three']) {
      const replies = await Promise.all([patch({ job_title: round }), patch({ email: `${round}@example.com` })]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      const { json } = await service.call('GET', '/v3/people/4');
      expect(json).toMatchObject({ name: 'Ann', job_title: round, email: `${round}@example.com` });
    }
  });

  it('a change lists all people and projects of the record before and after, also those of its team', async () => {
    const project = (await service.call('POST', '/v3/projects', { name: 'Dam', project_team: [{ people_id: 4 }] }))
      .json;
    await service.call('DELETE', `/v3/projects/${project.project_id}`);
    const changes = await readChanges(
      service.database,
      `resource = 'projects' AND record_id = '${project.project_id}'`,
    );
    const named = { people_ids: [4], project_ids: [project.project_id] };
    expect(changes).toMatchObject([named, named]);
  });

  it('every change is stored with its author and the values before and after', async () => {
    await service.call('PATCH', '/v3/projects/7', { name: 'Tunnel' });
    const [change] = await service.rows(
      "SELECT token_label, method, before, after FROM service.changes WHERE resource = 'projects' ORDER BY change_id DESC LIMIT 1",
    );
    expect({
      ...change,
      before: JSON.parse(String(change?.['before'])).name,
      after: JSON.parse(String(change?.['after'])).name,
    }).toEqual({ token_label: 'test', method: 'PATCH', before: 'Bridge', after: 'Tunnel' });
  });
});
