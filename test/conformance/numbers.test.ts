import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from './api.ts';

/** Records with decimals of each kind, and their values as numbers. */
const records = [
  ['people/1', { default_hourly_rate: 80.5 }],
  ['roles/1', { default_hourly_rate: 90.25 }],
  ['projects/1', { default_hourly_rate: 100 }],
  ['tasks/1', { hours: 7.5 }],
  ['project-expenses/1', { markup: 12.5 }],
] as const;

const data = {
  roles: [{ role_id: 1, name: 'Designer', default_hourly_rate: '90.25' }],
  people: [{ people_id: 1, name: 'Ann', default_hourly_rate: '80.5' }],
  projects: [{ project_id: 1, name: 'Bridge', default_hourly_rate: '100' }],
  tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-07-06', end_date: '2026-07-06', hours: '7.5' }],
  project_expenses: [
    { project_expense_id: 1, project_id: 1, name: 'Train', date: '2026-07-06', cost: '9', billable: 1, markup: '12.5' },
  ],
};

describe('a server with --numbers', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(data, { numbers: true });
  });
  afterAll(() => api.close());

  it.each(records)('S 4.1-41: decimals of %s are JSON numbers', async (path, expected) => {
    expect(await api.read(path)).toMatchObject(expected);
    expect(await api.change(path, {})).toMatchObject(expected);
  });
});

describe('a token with numbers', () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi(data, { scopes: ['reports', 'rates'] });
  });
  afterAll(() => api.close());

  it.each(records)(
    'S 4.1-42: decimals of %s are JSON numbers with it, and strings with another',
    async (path, expected) => {
      const headers = { authorization: await api.token(['reports', 'rates'], true) };
      expect((await api.send('GET', path, undefined, { headers })).json()).toMatchObject(expected);
      const [field, value] = Object.entries(expected)[0] ?? [];
      expect((await api.read(path))[field ?? '']).toBe(Number(value).toFixed(4));
    },
  );
});
