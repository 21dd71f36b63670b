import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeKeptCompany } from './kept-company.ts';

// An agreed fee of 1,000.00: 30 hours in March, 10 in April, and 10 left to do at the close. March ends on a Tuesday.
const logged = (date: string, hours: number) => ({ logged_time_id: date, project_id: 1, people_id: 1, date, hours });
const RECORDS = {
  people: [{ people_id: 1, name: 'Ada', cost_rate: 50 }],
  projects: [{ project_id: 1, name: 'Bridge', default_hourly_rate: 100, budget_type: 2, budget_total: 1000 }],
  tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-04-01', end_date: '2026-04-07', hours: 2 }],
  logged_time: [logged('2026-03-05', 8), logged('2026-03-31', 22), logged('2026-04-02', 10)],
};
const NOW = '2026-04-03T16:20:05Z';
const MEASURES = 'actual_hours,earned_revenue';

it('8.2, B3: a window that ends with a closing in force takes its cutoff, until it is reopened', {
  timeout: 400_000,
  tags: ['slow'],
}, async () => {
  const { run, folder } = makeKeptCompany();
  const data = join(folder, 'data');
  mkdirSync(data);
  for (const [name, records] of Object.entries(RECORDS))
    writeFileSync(join(data, `${name}.json`), JSON.stringify(records));
  await run(NOW, 'load', data);
  const read = async (...asked: string[]) => {
    const { stdout, stderr } = await run(NOW, 'report', ...asked, '--measures', MEASURES);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  const ofWindow = async (...window: string[]) => {
    const { meta, totals } = await read('pivot', '--group-by', 'project', ...window);
    return { ...meta.cutoff, earned: totals.earned_revenue };
  };
  const standard = { date: '2026-04-02', reason: 'the last day with logged time' };
  const march = ['--period', '2026-03'];
  // Up to 2 April: 30 hours of 40 and 6 left to do.
  expect(await ofWindow(...march)).toEqual({ ...standard, earned: 652.17 });
  await run(NOW, 'close', '2026-03');

  const closed = { date: '2026-03-31', reason: 'the cutoff of the closing 2026-03' };
  const { totals, meta } = await read('pivot', '--group-by', 'project', '--as-of', '2026-03');
  expect([totals.earned_revenue, meta.cutoff.date]).toEqual([750, '2026-03-31']);
  expect(await ofWindow(...march)).toEqual({ ...closed, earned: 750 });
  expect(await ofWindow('--period', '2026-Q1')).toEqual({ ...closed, earned: 750 });
  expect(await ofWindow(...march, '--cutoff-date', '2026-04-02')).toEqual({
    date: '2026-04-02',
    reason: 'requested',
    earned: 652.17,
  });
  for (const [first, last] of [
    ['2026-03-01', '2026-03-30'],
    ['2026-03-01', '2026-04-30'],
  ] as const)
    expect(await ofWindow('--start-date', first, '--end-date', last)).toMatchObject(standard);

  // B3: a comparison counts the closing to its end, and the present data by today: all that does is the cause cutoff.
  for (const from of ['2026-03', 'closings'])
    for (const [sent, cutoff, earned] of [
      [[], '2026-04-02', -97.83],
      [['--cutoff-date', '2026-03-31'], '2026-03-31', 0],
    ] as const) {
      const { changes, meta: told } = await read('changes', '--from', from, ...sent);
      const then = from === 'closings' ? told.from.closings[0] : told.from;
      expect([then.cutoff_date, told.to.cutoff_date]).toEqual(['2026-03-31', cutoff]);
      const revenue = {
        value_then: 750,
        value_now: 750 + earned,
        difference: earned,
        cutoff: earned,
        estimate: 0,
        budget: 0,
      };
      expect(changes).toMatchObject([{ difference: 0, cutoff: 0 }, revenue]);
    }

  await run(NOW, 'reopen', '2026-03', '--reason', 'hours were missing');
  expect(await ofWindow(...march)).toEqual({ ...standard, earned: 652.17 });
});

it('B3: what a later day alone does to revenue by contract is the cause cutoff', {
  timeout: 400_000,
  tags: ['slow'],
}, async () => {
  const { run, folder } = makeKeptCompany();
  const data = join(folder, 'data');
  mkdirSync(data);
  const plan = { project_id: 1, people_id: 1 };
  // 30 hours in March; 16 hours planned for 1 and 2 April, of which 12 are logged, and 50 after.
  const records = {
    ...RECORDS,
    logged_time: [logged('2026-03-05', 15), logged('2026-03-30', 15), logged('2026-04-01', 6), logged('2026-04-02', 6)],
    tasks: [
      { ...plan, task_id: 1, start_date: '2026-04-01', end_date: '2026-04-02', hours: 8 },
      { ...plan, task_id: 2, start_date: '2026-04-06', end_date: '2026-04-10', hours: 10 },
    ],
  };
  for (const [name, rows] of Object.entries(records)) writeFileSync(join(data, `${name}.json`), JSON.stringify(rows));
  await run(NOW, 'load', data);
  await run(NOW, 'close', '2026-03');
  const { stdout } = await run(NOW, 'report', 'changes', '--from', '2026-03', '--measures', 'actual_revenue');
  const { measure: _, unit: __, value_then, value_now, difference, cutoff, ...causes } = JSON.parse(stdout).changes[0];
  expect([value_then, value_now, difference, cutoff]).toEqual([312.5, 326.09, 13.59, 13.59]);
  expect(Object.values(causes).filter((value) => value !== 0)).toEqual([]);
});
