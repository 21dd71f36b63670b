import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('the worked examples of the API', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({ people: [] });
  });
  afterAll(() => service.close());

  const post = async (path: string, body: object) => {
    const { status, json } = await service.call('POST', `/v3/${path}`, body);
    expect([path, status]).toEqual([path, 201]);
    return json;
  };
  const patch = async (path: string, body: object) => {
    const { status, json } = await service.call('PATCH', `/v3/${path}`, body);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  const get = async (path: string) => (await service.call('GET', `/v3/${path}`)).json;
  const lines = (project: number) =>
    service.built(`
      SELECT CAST(date AS VARCHAR) AS date, people_id, hours, cost, fee FROM marts.ledger
      WHERE project_id = ${project} ORDER BY date, people_id`);

  it('schedule a role through its placeholder, until a person takes over', { tags: ['slow'] }, async () => {
    const role = await post('roles', {
      name: 'Designer',
      default_hourly_rate: '90',
      cost_rate_history: [{ rate: '40' }],
    });
    const ann = await post('people', { name: 'Ann', role_id: role.role_id, cost_rate: '50' });
    const project = await post('projects', {
      name: 'Bridge',
      project_code: 'BR-1',
      project_team: [{ people_id: null, role_id: role.role_id }],
    });
    const id = project.project_id;

    // A role has no allocations of its own; its placeholders have.
    const placeholders = await get(`people?people_type_id=4&role_id=${role.role_id}`);
    expect(placeholders).toMatchObject([{ name: 'Designer', people_type_id: 4 }]);
    const [{ people_id }] = placeholders;
    expect((await get(`projects/${id}?expand=project_team`)).project_team).toEqual([
      { people_id, role_id: role.role_id, hourly_rate: null, phase_id: 0 },
    ]);

    const days = { project_id: id, start_date: '2026-07-06', end_date: '2026-07-07', hours: '6.5' };
    const task = await post('tasks', { ...days, people_id });
    const planned = { hours: '6.5000', cost: '260.0000', fee: '585.0000' };
    expect(await lines(id)).toEqual([
      { date: '2026-07-06', people_id, ...planned },
      { date: '2026-07-07', people_id, ...planned },
    ]);

    // The work moves before the place in the team, because removed members lose their work.
    await patch(`tasks/${task.task_id}`, { people_id: ann.people_id });
    await patch(`projects/${id}`, { project_team: { add: [ann.people_id], del: [people_id] } });
    const taken = { hours: '6.5000', cost: '325.0000', fee: '585.0000' };
    expect(await lines(id)).toEqual([
      { date: '2026-07-06', people_id: ann.people_id, ...taken },
      { date: '2026-07-07', people_id: ann.people_id, ...taken },
    ]);
    expect((await service.call('DELETE', `/v3/people/${people_id}`)).status).toBe(204);
    expect(await get(`people?people_type_id=4&role_id=${role.role_id}`)).toEqual([]);
  });

  it('look up a person and a project by external code with fields', async () => {
    const person = await post('people', { name: 'Bob', people_code: 'HR-0042' });
    const project = await post('projects', { name: 'Tunnel', project_code: 'ERP/77' });
    expect(await get('people?people_code=hr-0042&fields=people_id,name')).toEqual([
      { people_id: person.people_id, name: 'Bob' },
    ]);
    expect(await get(`projects?project_code=${encodeURIComponent('ERP/77')}&fields=project_id`)).toEqual([
      { project_id: project.project_id },
    ]);
    expect(await get('people?people_code=HR-0042,HR-0043&fields=people_code')).toEqual([{ people_code: 'HR-0042' }]);
    expect(await get('projects?project_code=none&fields=project_id')).toEqual([]);
  });

  it('give a raise: earlier days keep their costs', { tags: ['slow'] }, async () => {
    const person = await post('people', { name: 'Cid', cost_rate: '50' });
    const { project_id } = await post('projects', { name: 'Raise' });
    const time = { people_id: person.people_id, project_id, hours: 8 };
    await post('logged-time', { ...time, date: '2026-06-30' });
    await post('logged-time', { ...time, date: '2026-07-01' });
    await patch(`people/${person.people_id}`, { cost_rate: '55.5', effective_date: '2026-07-01' });
    const costs = (await lines(project_id)).map(({ date, cost }) => [date, cost]);
    expect(costs).toEqual([
      ['2026-06-30', '400.0000'],
      ['2026-07-01', '444.0000'],
    ]);
  });

  it('cancel a project: its allocations count nowhere, logged work stays, and new time is refused', {
    tags: ['slow'],
  }, async () => {
    const person = await post('people', { name: 'Dan' });
    const { project_id } = await post('projects', { name: 'Dropped' });
    const who = { people_id: person.people_id, project_id };
    await post('tasks', { ...who, start_date: '2026-07-06', end_date: '2026-07-07', hours: 8 });
    await post('logged-time', { ...who, date: '2026-07-06', hours: 3 });
    await patch(`projects/${project_id}`, { status: 4 });
    const counted = await service.built(
      `SELECT kind, status, sum(hours) AS hours FROM marts.ledger WHERE project_id = ${project_id} GROUP BY ALL ORDER BY kind`,
    );
    expect(counted).toEqual([
      { kind: 'scheduled', status: 'canceled', hours: '16.0000' },
      { kind: 'actual', status: 'confirmed', hours: '3.0000' },
    ]);
    const { status } = await service.call('POST', '/v3/logged-time', { ...who, date: '2026-07-07', hours: 3 });
    expect(status).toBe(422);
  });
});
