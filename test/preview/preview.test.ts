import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve } from '../http/served.ts';

/** Person 101 at 60.00: 2400.00 logged in March, and an allocation of 8 h on 13 to 24 April (W7). */
const COMPANY = {
  people: [{ people_id: 101, name: 'Ada', cost_rate: 60 }],
  projects: [{ project_id: 501, name: 'Harbor', default_hourly_rate: 100 }],
  tasks: [{ task_id: 77, project_id: 501, people_id: 101, start_date: '2026-04-13', end_date: '2026-04-24', hours: 8 }],
  logged_time: ['02', '03', '04', '05', '06'].map((day) => ({
    logged_time_id: day,
    project_id: 501,
    people_id: 101,
    date: `2026-03-${day}`,
    hours: 8,
  })),
};

const W7 = {
  changes: [
    { method: 'PATCH', path: '/v3/people/101', body: { cost_rate: '66.00', effective_date: '2026-04-01' } },
    { method: 'PATCH', path: '/v3/tasks/77', body: { start_date: '2026-04-27', end_date: '2026-05-08' } },
  ],
  report: 'projects',
  parameters: {
    start_date: '2026-03-01',
    end_date: '2026-04-30',
    cutoff_date: '2026-03-31',
    project_id: '501',
  },
  measures: ['forecast_cost'],
};

let served: Served;
beforeAll(async () => {
  served = await serve({ write: true, inMemory: true, data: COMPANY });
});
afterAll(() => served.close());

it('answers a report before and after changes, and their bridge (W7)', async () => {
  const { status, json, text } = await served.post('/v3/preview', W7);
  expect(status, text).toBe(200);
  const { preview, meta } = json();
  expect(preview.before).toMatchObject([{ project_id: 501, forecast_cost: 7200 }]);
  expect(preview.after).toMatchObject([{ project_id: 501, forecast_cost: 4512 }]);
  expect(preview.changes).toMatchObject([
    {
      project_id: 501,
      measure: 'forecast_cost',
      value_then: 7200,
      value_now: 4512,
      difference: -2688,
      moved: -2880,
      rate: 192,
      hours: 0,
      new: 0,
      late: 0,
      removed: 0,
      cutoff: 0,
    },
  ]);
  expect(meta.notes).toEqual([]);
});
