import { expect, it } from 'vitest';
import { serve } from './served.ts';

const DATA = {
  people: [{ people_id: 1, name: 'Ann', default_hourly_rate: '120.5', cost_rate: '50' }],
  projects: [{ project_id: 1, name: 'P', budget_total: '1000.25' }],
  tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: '7.5' }],
  project_expenses: [
    { project_expense_id: 1, project_id: 1, date: '2026-01-05', cost: 10, billable: 1, markup: '12.3456' },
  ],
};

const PATHS = [
  'people/1?fields=default_hourly_rate',
  'tasks/1?fields=hours',
  'projects/1?fields=budget_total',
  'project-expenses/1?fields=markup',
];

const STANDARD = [
  '{"default_hourly_rate":"120.5000"}',
  '{"hours":"7.5000"}',
  '{"budget_total":1000.25}',
  '{"markup":"12.3456"}',
];

const LIVE = [
  '{"default_hourly_rate":"120.5000"}',
  '{"hours":7.5}',
  '{"budget_total":"1000.2500"}',
  '{"markup":"12.3456"}',
];

it('records have the decimals of the live service for tokens that ask for them', { tags: ['slow'] }, async () => {
  const served = await serve({ write: true, inMemory: true, data: DATA, scopes: ['reports', 'rates'] });
  const { header } = await served.token(['reports', 'rates'], undefined, true);
  const read = async (headers?: Record<string, string>) =>
    Promise.all(PATHS.map(async (path) => (await served.get(`/v3/${path}`, headers)).text));
  expect(await read()).toEqual(STANDARD);
  await expect.poll(() => read({ authorization: header })).toEqual(LIVE);
  await served.close();
});

it('serve --numbers gives them to all readers', { tags: ['slow'] }, async () => {
  const served = await serve({ write: true, inMemory: true, data: DATA, numbers: true });
  const texts = await Promise.all(PATHS.map(async (path) => (await served.get(`/v3/${path}`)).text));
  expect(texts).toEqual(LIVE);
  await served.close();
});
