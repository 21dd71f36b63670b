import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Reply, type Service } from './service.ts';

const faultsOf = ({ status, json }: Reply) => [status, ...json.errors.map(({ message }: Error) => message)];

describe('roles', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      roles: [
        { role_id: 1, name: 'Designer', cost_rate_history: [{ rate: 40 }] },
        { role_id: 2, name: 'Engineer' },
      ],
      people: [
        { people_id: 1, name: 'Ann', role_id: 1 },
        { people_id: 2, name: 'Bob', role_id: 1, contracts: [{ effective_date: '2026-01-01', role_id: 1 }] },
      ],
      projects: [{ project_id: 1, name: 'Bridge', project_team: [{ people_id: 1, role_id: 1 }] }],
    });
  });
  afterAll(() => service.close());

  const change = (body: object) => service.call('PATCH', '/v3/roles/1', body);
  const history = async () =>
    (await service.call('GET', '/v3/roles/1?expand=cost_rate_history')).json.cost_rate_history;

  it('name is required, default_hourly_rate is a decimal string', async () => {
    expect(faultsOf(await service.call('POST', '/v3/roles', {}))).toEqual([422, 'name: missing']);
    const { json } = await service.call('POST', '/v3/roles', { name: 'Lead', default_hourly_rate: 120.5 });
    expect(json).toMatchObject({ name: 'Lead', default_hourly_rate: '120.5000' });
    expect(Object.keys(json)).not.toContain('cost_rate_history');
  });

  it('cost_rate_history by expand, with the scope rates', async () => {
    const { json } = await service.call('POST', '/v3/roles', {
      name: 'Tester',
      cost_rate_history: [{ rate: 30 }, { rate: '31.5', effective_date: '2026-01-01' }],
    });
    const read = () => service.call('GET', `/v3/roles/${json.role_id}?expand=cost_rate_history`);
    expect((await read()).json.cost_rate_history).toEqual([
      { rate: '30.0000', effective_date: null },
      { rate: '31.5000', effective_date: '2026-01-01' },
    ]);
    service.allow(['reports', 'write']);
    const hidden = await read();
    expect([hidden.status, hidden.json.cost_rate_history]).toEqual([200, undefined]);
    expect(hidden.headers['x-ignored-parameters']).toBe('cost_rate_history');
    service.allow(['reports', 'write', 'rates']);
  });

  it('PATCH takes {add: [{rate, effective_date}], del: [dates]}; the same date overwrites', async () => {
    await change({ cost_rate_history: { add: [{ rate: 45, effective_date: '2026-03-01' }] } });
    await change({ cost_rate_history: { add: [{ rate: 42, effective_date: '2026-02-01' }, { rate: 41 }] } });
    await change({ cost_rate_history: { add: [{ rate: 46, effective_date: '2026-03-01' }] } });
    expect(await history()).toEqual([
      { rate: '41.0000', effective_date: null },
      { rate: '42.0000', effective_date: '2026-02-01' },
      { rate: '46.0000', effective_date: '2026-03-01' },
    ]);
    await change({ cost_rate_history: { del: ['2026-02-01', null] } });
    expect(await history()).toEqual([{ rate: '46.0000', effective_date: '2026-03-01' }]);
    await change({ cost_rate_history: [] });
    expect(await history()).toEqual([]);
  });

  it('a date without a rate, a rate missing or below 0, a wrong date', async () => {
    expect(faultsOf(await change({ cost_rate_history: { del: ['2026-02-01'] } }))).toEqual([
      422,
      'cost_rate_history: there is no rate from 2026-02-01',
    ]);
    expect(faultsOf(await change({ cost_rate_history: { add: [{ effective_date: '2026-02-01' }] } }))).toEqual([
      422,
      'cost_rate_history: add: item 1: rate: missing',
    ]);
    expect(faultsOf(await change({ cost_rate_history: { add: [{ rate: -1 }] } }))).toEqual([
      422,
      'cost_rate_history: add: item 1: rate: below 0',
    ]);
    expect(faultsOf(await change({ cost_rate_history: 'x' }))).toEqual([422, 'cost_rate_history: not a list']);
    expect((await change({ cost_rate_history: { add: [{ rate: 1, effective_date: '31.12.2026' }] } })).status).toBe(
      422,
    );
  });

  it('a role still in use is not deleted silently', async () => {
    expect(faultsOf(await service.call('DELETE', '/v3/roles/1'))).toEqual([
      422,
      'role_id: 1 is still used by people (2), projects (1); change those records first',
    ]);
    expect((await service.call('DELETE', '/v3/roles/2')).status).toBe(204);
  });
});

describe('departments, clients, stages and accounts', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      departments: [
        { department_id: 1, name: 'Studio' },
        { department_id: 2, name: 'Motion', parent_id: 1 },
        { department_id: 3, name: 'Three', parent_id: 2 },
      ],
      clients: [{ client_id: 1, name: 'Acme' }],
      accounts: [{ account_id: 1, name: 'Root', email: 'root@example.com' }],
      project_stages: [{ stage_id: 1, name: 'Pitch', status: 1 }],
      people: [{ people_id: 1, name: 'Ann', department_id: 3 }],
      projects: [{ project_id: 1, name: 'Bridge', client_id: 1, stage_id: 1 }],
    });
  });
  afterAll(() => service.close());

  it('a record still referred to is not deleted silently', async () => {
    expect(faultsOf(await service.call('DELETE', '/v3/departments/2'))).toEqual([
      422,
      'department_id: 2 is still used by departments (1); change those records first',
    ]);
    expect(faultsOf(await service.call('DELETE', '/v3/departments/3'))).toEqual([
      422,
      'department_id: 3 is still used by people (1); change those records first',
    ]);
    expect(faultsOf(await service.call('DELETE', '/v3/clients/1'))).toEqual([
      422,
      'client_id: 1 is still used by projects (1); change those records first',
    ]);
    expect(faultsOf(await service.call('DELETE', '/v3/project-stages/1'))).toEqual([
      422,
      'stage_id: 1 is still used by projects (1); change those records first',
    ]);
  });

  it('no department is above itself', async () => {
    const move = (id: number, parent_id: number) => service.call('PATCH', `/v3/departments/${id}`, { parent_id });
    expect(faultsOf(await move(1, 3))).toEqual([422, 'parent_id: 3 is department 1 itself, or below it']);
    expect(faultsOf(await move(1, 1))).toEqual([422, 'parent_id: 1 is department 1 itself, or below it']);
    expect(faultsOf(await move(1, 9))).toEqual([422, 'parent_id: there is no record 9 in departments']);
    expect((await move(3, 1)).json.parent_id).toBe(1);
  });

  it("accounts can't be created or deleted", async () => {
    expect((await service.call('POST', '/v3/accounts', { name: 'Eve' })).status).toBe(404);
    expect((await service.call('DELETE', '/v3/accounts/1')).status).toBe(404);
    expect((await service.call('PATCH', '/v3/accounts/1', { name: 'Admin' })).json.name).toBe('Admin');
  });

  it('a stage keeps its status while it has projects', async () => {
    expect(faultsOf(await service.call('PATCH', '/v3/project_stages/1', { status: 4 }))).toEqual([
      422,
      'status: projects are still in this stage (1); move them to another stage first',
    ]);
    expect((await service.call('PATCH', '/v3/project_stages/1', { name: 'Won' })).json).toMatchObject({
      name: 'Won',
      status: 1,
    });
    expect(faultsOf(await service.call('POST', '/v3/project-stages', { name: 'Odd', status: 5 }))).toEqual([
      422,
      'status: not one of 0, 1, 2, 3, 4',
    ]);
  });
});
