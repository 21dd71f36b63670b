import { expect, it } from 'vitest';
import { serve } from './served.ts';

const DATA = {
  people: [{ people_id: 1, name: 'Ann', default_hourly_rate: '120.5', cost_rate: '50' }],
  projects: [{ project_id: 1, name: 'P' }],
  tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: '7.5' }],
  project_expenses: [
    { project_expense_id: 1, project_id: 1, date: '2026-01-05', cost: 10, billable: 1, markup: '12.3456' },
  ],
};

const PATHS = ['people/1?fields=default_hourly_rate', 'tasks/1?fields=hours', 'project-expenses/1?fields=markup'];

const STRINGS = ['{"default_hourly_rate":"120.5000"}', '{"hours":"7.5000"}', '{"markup":"12.3456"}'];

const NUMBERS = ['{"default_hourly_rate":120.5}', '{"hours":7.5}', '{"markup":12.3456}'];

it('decimals of records are strings, or numbers with all their digits for tokens that ask for numbers', async () => {
  const served = await serve({ write: true, inMemory: true, data: DATA, scopes: ['reports', 'rates'] });
  const { header } = await served.token(['reports', 'rates'], undefined, true);
  const read = async (headers?: Record<string, string>) =>
    Promise.all(PATHS.map(async (path) => (await served.get(`/v3/${path}`, headers)).text));
  expect(await read()).toEqual(STRINGS);
  await expect.poll(() => read({ authorization: header })).toEqual(NUMBERS);
  const contracts = (await served.get('/v3/people/1?expand=contracts', { authorization: header })).json().contracts;
  for (const { cost_rate } of contracts) expect(typeof cost_rate).toBe('number');
  await served.close();
});

it('serve --numbers answers numbers to all readers', async () => {
  const served = await serve({ write: true, inMemory: true, data: DATA, numbers: true });
  const texts = await Promise.all(PATHS.map(async (path) => (await served.get(`/v3/${path}`)).text));
  expect(texts).toEqual(NUMBERS);
  await served.close();
});
