import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

const TASK = { people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-06', hours: 8 };

const DAYS = ['2026-01-05', '2026-01-06'];

describe('fields and expand hold on every answer that shows a record', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 1, name: 'Ann', role_id: 3 }],
      roles: [{ role_id: 3, name: 'Digger' }],
      projects: [{ project_id: 1, name: 'Bridge', client_id: 2 }],
      clients: [{ client_id: 2, name: 'Acme' }],
      tasks: [{ task_id: 1, ...TASK }],
    });
  });
  afterAll(() => service.close());

  it.each([
    ['GET', 'tasks?task_id=1&', undefined],
    ['GET', 'tasks/1?', undefined],
    ['POST', 'tasks?', TASK],
    ['PATCH', 'tasks/1?', { name: 'x' }],
    ['PUT', 'tasks/1?', { name: 'y' }],
  ])('%s /v3/%s', async (method, path, body) => {
    const { json, text } = await service.call(method, `/v3/${path}expand=client_id,people,task_days`, body);
    const [record] = [json].flat();
    expect(record, text).toMatchObject({ project_id: 1, client_id: 2, people: [{ name: 'Ann' }], task_days: DAYS });
    const trimmed = await service.call(method, `/v3/${path}fields=project_id,client_id,task_days`, body);
    expect([trimmed.json].flat().at(-1)).toEqual({ project_id: 1, client_id: 2, task_days: DAYS });
  });

  it('a POST that is sent again shows the same', async () => {
    const send = () => service.call('POST', '/v3/tasks?fields=hours,task_days', TASK, { 'idempotency-key': 'views' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.json).toEqual({ hours: '8.0000', task_days: DAYS });
    expect(second.json).toEqual(first.json);
    expect(second.headers['location']).toBe(first.headers['location']);
  });

  it('Location names the record whatever fields shows', async () => {
    const { headers } = await service.call('POST', '/v3/people?fields=name', { name: 'Bob' });
    const { json } = await service.call('GET', String(headers['location']));
    expect(json.name).toBe('Bob');
  });

  it('several records of one POST', async () => {
    const body = { project_id: 1, task_names: ['Dig', 'Fill'] };
    const { json } = await service.call('POST', '/v3/project-tasks?fields=task_name', body);
    expect(json).toEqual([{ task_name: 'Dig' }, { task_name: 'Fill' }]);
  });

  it('schedule a role: PATCH a project with expand=project_team, and read the placeholder', async () => {
    const { status, json } = await service.call('PATCH', '/v3/projects/1?expand=project_team', {
      project_team: { add: [{ people_id: null, role_id: 3, hourly_rate: '80' }] },
    });
    const [member] = json.project_team;
    expect([status, member]).toEqual([
      200,
      { people_id: expect.any(Number), role_id: 3, hourly_rate: '80.0000', phase_id: 0 },
    ]);
    const task = await service.call('POST', '/v3/tasks', { ...TASK, people_id: member.people_id });
    expect(task.status).toBe(201);
  });

  it('contracts and cost_rate_history of PATCH', async () => {
    const person = await service.call('PATCH', '/v3/people/1?expand=contracts&fields=contracts', {
      cost_rate: 50,
      effective_date: '2026-02-01',
    });
    expect(person.json.contracts.at(-1)).toMatchObject({ effective_date: '2026-02-01', cost_rate: '50.0000' });
    const role = await service.call('PATCH', '/v3/roles/3?expand=cost_rate_history', {
      cost_rate_history: { add: [{ rate: 30, effective_date: '2026-01-01' }] },
    });
    expect(role.json.cost_rate_history).toEqual([{ rate: '30.0000', effective_date: '2026-01-01' }]);
  });

  describe('id beside the own id', () => {
    it.each([
      ['roles', 'role_id', { name: 'Painter' }],
      ['project-stages', 'stage_id', { name: 'Sale', status: 1 }],
      ['project-expenses', 'project_expense_id', { project_id: 1, name: 'x', date: '2026-01-05', cost: 5 }],
    ])('%s', async (path, own, body) => {
      const { json } = await service.call('POST', `/v3/${path}`, body);
      const id = json[own];
      expect(json.id).toBe(id);
      expect((await service.call('GET', `/v3/${path}?id=${id}&sort=-id&fields=id`)).json).toEqual([{ id }]);
      const answer = await service.call('PATCH', `/v3/${path}/${id}`, json);
      expect([answer.json.id, answer.headers['x-ignored-fields']]).toEqual([id, undefined]);
    });
  });
});
