import { expect, it } from 'vitest';
import { addDays } from '../../oracle/calendar.ts';
import { openService } from '../../record/service.ts';

/** The longest item with most repeats: 6,783 of 47,482 days (D3), hours of work one by one. */
const WHOLE = { start_date: '1970-01-01', end_date: '2099-12-31', repeat_state: 1, repeat_end_date: '2099-12-31' };

/** Limit of each step, through the API and through a load. Unit: ms. */
const TIME_LIMIT_MS = 120_000;

const PEOPLE = 3;

const people = Array.from({ length: PEOPLE }, (_, index) => ({
  people_id: index + 1,
  name: `Person ${index + 1}`,
  work_days_hours: [8, 8, 8, 8, 8, 8, 8],
}));

const people_ids = people.map(({ people_id }) => people_id);

it('the longest and most often repeated item can be loaded, written, listed, expanded and deleted', {
  timeout: TIME_LIMIT_MS,
}, async () => {
  const service = await openService({
    people,
    projects: [{ project_id: 1, name: 'Bridge' }],
    tasks: [{ task_id: 1, project_id: 1, people_ids, hours: 1, ...WHOLE }],
    timeoffs: [{ timeoff_id: 1, people_ids, hours: 1, ...WHOLE }],
  });
  const count = async () => (await service.built('SELECT count(*) AS days FROM core.ledger'))[0]?.['days'];
  const days = Math.round((Date.parse(WHOLE.end_date) - Date.parse(WHOLE.start_date)) / 86_400_000) + 1;
  expect(await count()).toBe(PEOPLE * days);

  const sent = { people_ids, project_id: 1, hours: 1, ...WHOLE };
  const created = await service.call('POST', '/v3/tasks', sent);
  expect(created.status).toBe(201);
  expect(await count()).toBe(2 * PEOPLE * days);
  for (const path of ['tasks', 'timeoffs']) {
    const { json } = await service.call('GET', `/v3/${path}?start_date=2099-12-31&end_date=2099-12-31`);
    expect(json).toHaveLength(path === 'tasks' ? 2 : 1);
  }
  const own = `/v3/tasks/${created.json.task_id}`;
  const { task_days } = (await service.call('GET', `${own}?expand=task_days`)).json;
  expect([task_days.length, task_days[0], task_days.at(-1)]).toEqual([days, '1970-01-01', '2099-12-31']);
  expect(task_days[1]).toBe(addDays(task_days[0], 1));
  expect((await service.call('DELETE', own)).status).toBe(204);
  expect(await count()).toBe(PEOPLE * days);
  await service.close();
});
