import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from './api.ts';

const people = [
  {
    people_id: 1,
    name: 'Ann',
    start_date: '2026-01-05',
    contracts: [{ effective_date: '2026-01-05', cost_rate: '51.2345' }],
  },
];

describe('tokens', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi({ people }, { scopes: ['reports', 'write', 'rates'] });
  });
  afterAll(() => api.close());
  const ask = (authorization: string, path = 'people', method = 'GET', body?: object) =>
    api.send(method, path, body, { headers: { authorization } });

  it('API 4-1, API 5-1, S 4.1-1: Authorization: Bearer carries the token', async () => {
    expect((await ask(await api.token(['reports']))).status).toBe(200);
    for (const header of ['', 'Bearer nonsense']) expect((await ask(header)).status).toBe(401);
  });

  it('API 5-2: only a token with the scope rates reads cost rates', async () => {
    const contracts = 'people/1?expand=contracts';
    expect((await ask(await api.token(['reports', 'rates']), contracts)).text).toContain('51.2345');
    expect((await ask(await api.token(['reports']), contracts)).text).not.toContain('51.2345');
  });

  it('API 5-5: a person created by the API gets no account', async () => {
    const before = await api.read('accounts');
    await api.create('people', { name: 'Eve', email: 'eve@example.com', account_type: 1, access: 1 });
    expect(await api.read('accounts')).toEqual(before);
  });
});

describe('a server without --write', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi({ people, projects: [{ project_id: 1, name: 'Bridge' }] }, { write: false });
  });
  afterAll(() => api.close());

  it.each([
    'people',
    'people/1',
    'people/1?expand=contracts',
    'projects?fields=name&sort=-name',
    'tasks?start_date=2026-01-01&end_date=2026-12-31',
    'clients',
  ])('S 4.1-46: GET %s is answered', async (path) => {
    expect((await api.send('GET', path)).status).toBe(200);
  });

  it.each([
    ['POST', 'people'],
    ['PATCH', 'people/1'],
    ['DELETE', 'people/1'],
  ])('S 4.1-46: %s %s is refused', async (method, path) => {
    expect([403, 405]).toContain(
      (await api.send(method, path, method === 'DELETE' ? undefined : { name: 'Eve' })).status,
    );
    expect(await api.column('people', 'name')).toEqual(['Ann']);
  });
});
