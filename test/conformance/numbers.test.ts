import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, openApi } from './api.ts';

/** Records with decimals of each kind: by default, and in the shape of the live service. */
const records = [
  ['people/1', { default_hourly_rate: '80.5000' }, { default_hourly_rate: '80.5000' }],
  ['people/1?expand=contracts', { contracts: [{ cost_rate: '50.0000' }] }, { contracts: [{ cost_rate: '50.0000' }] }],
  ['roles/1', { default_hourly_rate: '90.2500' }, { default_hourly_rate: '90.2500' }],
  [
    'projects/1?expand=project_team',
    { default_hourly_rate: '100.0000', budget_total: 8500.5, project_team: [{ hourly_rate: '95.0000' }] },
    { default_hourly_rate: '100.0000', budget_total: '8500.5000', project_team: [{ hourly_rate: '95.0000' }] },
  ],
  ['phases/1', { budget_total: 12 }, { budget_total: '12.0000' }],
  ['tasks/1', { hours: '7.5000' }, { hours: 7.5 }],
  ['logged-time/a', { hours: 2.25 }, { hours: 2.25 }],
  ['project-expenses/1', { markup: '12.5000', cost: 9 }, { markup: '12.5000', cost: 9 }],
] as const;

const data = {
  roles: [{ role_id: 1, name: 'Designer', default_hourly_rate: '90.25' }],
  people: [{ people_id: 1, name: 'Ann', default_hourly_rate: '80.5', cost_rate: '50' }],
  projects: [
    {
      project_id: 1,
      name: 'Bridge',
      default_hourly_rate: '100',
      budget_total: '8500.5',
      project_team: [{ people_id: 1, hourly_rate: 95 }],
    },
  ],
  phases: [{ phase_id: 1, project_id: 1, name: 'Piers', budget_total: 12 }],
  tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-07-06', end_date: '2026-07-06', hours: '7.5' }],
  logged_time: [{ logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-07-06', hours: 2.25 }],
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

  it.each(records)('S 4.1-41: %s has the decimals of the live service', async (path, _, expected) => {
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
    'S 4.1-42: %s has the decimals of the live service with it, and the default ones with another',
    async (path, standard, live) => {
      const headers = { authorization: await api.token(['reports', 'rates'], true) };
      expect((await api.send('GET', path, undefined, { headers })).json()).toMatchObject(live);
      expect(await api.read(path)).toMatchObject(standard);
    },
  );
});
