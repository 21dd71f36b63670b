import { expect, it } from 'vitest';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { checkReadiness } from '../../src/store/history/closing/readiness.ts';
import { buildCompany } from '../sql/company.ts';
import { logged, makeBookedCompany } from './booked-company.ts';

const MARCH = { startDate: '2026-03-01', endDate: '2026-03-31' };

it('names hours without a rate, with those of the plan apart (C2)', { tags: ['slow'] }, async () => {
  const database = await buildCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ben' }],
    projects: [{ project_id: 1, name: 'One' }],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-03-02', hours: 5 }],
    tasks: [{ task_id: 1, people_id: 1, project_id: 1, start_date: '2026-03-02', end_date: '2026-03-03', hours: 4 }],
  });
  try {
    const facts = { company: await readCompany(database), day: '2026-04-03' };
    const warnings = await checkReadiness(database, facts, MARCH, { unclosed: undefined, latest: undefined });
    const found = warnings.find(({ name }) => name === 'hours_without_cost_rate');
    expect(found).toMatchObject({ hours: '5.0000', people: 1 });
    expect(found?.message).toContain('8.00 h of them are planned, and stand apart');
  } finally {
    await database.close();
  }
});

const OPEN = { unclosed: undefined, latest: undefined };

it('K6: names work that earns nothing until progress is entered, as the sentences of projects do', {
  tags: ['slow'],
}, async () => {
  const fixed = { budget_type: 2, budget_total: '10000' };
  const log = (project_id: number, date: string, hours: number) => ({
    ...{ logged_time_id: `${project_id} ${date}`, people_id: 1, project_id, date, hours },
  });
  const database = await buildCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ben', cost_rate: '50', default_hourly_rate: '100' }],
    projects: [1, 2, 3].map((project_id) => ({ project_id, name: `P${project_id}`, ...fixed })),
    progress: [1, 2].map((project_id) => ({ progress_id: project_id, project_id, date: '2026-03-10', percent: 40 })),
    logged_time: [log(1, '2026-03-09', 1), log(1, '2026-03-11', 5), log(2, '2026-03-31', 3), log(3, '2026-03-11', 9)],
  });
  try {
    const facts = { company: await readCompany(database), day: '2026-04-03' };
    const warnings = await checkReadiness(database, facts, MARCH, OPEN);
    expect(warnings.filter(({ name }) => name === 'progress_missing')).toEqual([
      {
        name: 'progress_missing',
        message: 'Work since the latest entries of progress of 2 projects earns nothing yet.',
        ...{ hours: '8.0000', people: null, amount: '400.00' },
      },
    ]);
    const february = { startDate: '2026-02-01', endDate: '2026-02-28' };
    expect(await checkReadiness(database, facts, february, OPEN)).toEqual([]);
  } finally {
    await database.close();
  }
});

it('G2: names progress of closed days that came after their closing', {
  timeout: 400_000,
  tags: ['slow'],
}, async () => {
  const { replace, run } = makeBookedCompany();
  const projects = [{ project_id: 1, name: 'Bridge', budget_type: 2, budget_total: '1000', default_hourly_rate: 100 }];
  const entry = (progress_id: number, date: string, percent: number) => ({ progress_id, project_id: 1, date, percent });
  const records = { projects, logged_time: [logged('2026-03-10', 10), logged('2026-04-10', 10)] };
  const find = (text: string) => text.split('\n').find((line) => line.includes('progress_of_closed_days'));
  await replace('2026-04-02T09:00:00Z', { ...records, progress: [entry(1, '2026-03-31', 40)] });
  await run('2026-04-02T09:00:00Z', 'close', '2026-03');
  const april = '2026-05-02T09:00:00Z';
  const dry = async () => (await run(april, 'close', '2026-04', '--dry-run')).stdout;
  // One of an open day restates nothing that is closed.
  await replace(april, { ...records, progress: [entry(1, '2026-03-31', 40), entry(2, '2026-04-30', 60)] });
  expect(find(await dry())).toBeUndefined();
  await replace(april, { ...records, progress: [entry(1, '2026-03-31', 35), entry(2, '2026-03-20', 10)] });
  expect(find(await dry())).toContain(
    'progress_of_closed_days: 2 entries of progress of 1 project, from 2026-03-20 on, came after 2026-03@1 had closed their days; what they change is booked in the days after it.',
  );
  // The next closing books what they change.
  await run(april, 'close', '2026-04');
  expect(find((await run(april, 'close', '2026-05', '--dry-run')).stdout)).toBeUndefined();
  // Without a closing of March, nothing is restated.
  await run(april, 'reopen', '2026-04', '--reason', 'late progress');
  await run(april, 'reopen', '2026-03', '--reason', 'late progress');
  expect(find(await dry())).toBeUndefined();
});
