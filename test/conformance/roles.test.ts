import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, openApi } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());

const history = async (id: number) => (await api.read(`roles/${id}?expand=cost_rate_history`)).cost_rate_history;
const create = (fields: object = {}) => api.create('roles', { name: 'Designer', ...fields });

it('API 2.11-1, API 4.2-27: a role is created with an id and its name', async () => {
  const role = await create();
  expect(role).toMatchObject({ role_id: expect.any(Number), name: 'Designer' });
  expect(await api.column('roles', 'role_id')).toContain(role.role_id);
});

it('API 2.11-3, S 4.2-25, IN roles.cost_rate_history: expand=cost_rate_history lists all changes', async () => {
  const changes = [
    { rate: '40.0000', effective_date: '2026-01-01' },
    { rate: '45.0000', effective_date: '2026-07-01' },
  ];
  const role = await create({ cost_rate_history: changes });
  expect(role).not.toHaveProperty('cost_rate_history');
  expect(await history(role.role_id)).toEqual(changes);
  const [listed] = await api.read(`roles?role_id=${role.role_id}&expand=cost_rate_history`);
  expect(listed.cost_rate_history).toEqual(changes);
});

it('API 2.11-4, API 4.2-28, S 4.2-26: add is an array of {rate, effective_date}', async () => {
  const { role_id } = await create({ cost_rate_history: [{ rate: '40', effective_date: '2026-01-01' }] });
  const changed = await api.change(`roles/${role_id}?expand=cost_rate_history`, {
    cost_rate_history: { add: [{ rate: 45.5, effective_date: '2026-07-01' }] },
  });
  expect(changed.cost_rate_history).toEqual([
    { rate: '40.0000', effective_date: '2026-01-01' },
    { rate: '45.5000', effective_date: '2026-07-01' },
  ]);
});

it('API 2.11-5, API 4.2-28, S 4.2-26: del is an array of effective dates', async () => {
  const { role_id } = await create({
    cost_rate_history: [
      { rate: '40', effective_date: '2026-01-01' },
      { rate: '45', effective_date: '2026-07-01' },
    ],
  });
  await api.change(`roles/${role_id}`, { cost_rate_history: { del: ['2026-01-01'] } });
  expect(await history(role_id)).toEqual([{ rate: '45.0000', effective_date: '2026-07-01' }]);
});

it('API 4.2-28: PATCH takes fields of the role', async () => {
  const { role_id } = await create();
  expect(await api.change(`roles/${role_id}`, { name: 'Builder', default_hourly_rate: 90 })).toMatchObject({
    name: 'Builder',
    default_hourly_rate: '90.0000',
  });
});

it('API 4.2-29: DELETE removes the role', async () => {
  const { role_id } = await create();
  await api.remove(`roles/${role_id}`);
  expect((await api.send('GET', `roles/${role_id}`)).status).toBe(404);
});
