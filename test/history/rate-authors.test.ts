import { expect, it, onTestFinished } from 'vitest';
import { CREATE_CHANGES } from '../../src/store/record/storage/changes.ts';
import { buildState, compareStates } from './compared-company.ts';

const MARCH = { start_date: '2026-03-01', end_date: '2026-03-31', cause: 'rate' };
const DAYS = { day: '2026-04-03', cutoffDate: '2026-03-31', cutoffNow: '2026-03-31' };

/** Five people, each with another level that holds the rate which goes from 10 to another. */
const companyOf = (rate: number) => ({
  roles: [
    { role_id: 7, name: 'Builder', default_hourly_rate: rate, cost_rate_history: [{ rate }] },
    { role_id: 8, name: 'Lead', default_hourly_rate: 10, cost_rate_history: [{ rate: 30 }] },
  ],
  people: [
    { people_id: 1, name: 'Ana', role_id: 7 },
    { people_id: 2, name: 'Ben', cost_rate: rate, default_hourly_rate: rate, role_id: 7 },
    // Another role pays otherwise: the person's record says so.
    { people_id: 3, name: 'Cleo', role_id: rate === 10 ? 7 : 8, default_hourly_rate: 10 },
    { people_id: 4, name: 'Dan', cost_rate: 10 },
    { people_id: 5, name: 'Eva', cost_rate: 10 },
  ],
  projects: [
    { project_id: 50, name: 'Harbor', project_team: [{ people_id: 5, phase_id: 61, hourly_rate: rate }] },
    { project_id: 51, name: 'Tower', default_hourly_rate: rate },
  ],
  phases: [
    { phase_id: 60, project_id: 50, name: 'Build', default_hourly_rate: rate },
    { phase_id: 61, project_id: 50, name: 'Test' },
  ],
  logged_time: [
    { people_id: 1, project_id: 50 },
    { people_id: 2, project_id: 50 },
    { people_id: 3, project_id: 50 },
    { people_id: 4, project_id: 50, phase_id: 60 },
    { people_id: 5, project_id: 50, phase_id: 61 },
    { people_id: 4, project_id: 51 },
  ].map((record, index) => ({ ...record, logged_time_id: `t${index + 1}`, date: '2026-03-05', hours: 1 })),
});

const RECORDS = ['roles 7', 'roles 8', 'people 1', 'people 2', 'people 3', 'people 4', 'people 5', 'projects 50'];

it('X8: the author of a rate is that of the record of its level', { tags: ['slow'] }, async () => {
  const [then, now] = [await buildState(companyOf(10)), await buildState(companyOf(20))];
  onTestFinished(async () => void (await Promise.all([then.close(), now.close()])));
  // Everything is written, the lines' own records last; the author is named as the record.
  const written = [...RECORDS, 'projects 51', 'phases 60', ...[1, 2, 3, 4, 5, 6].map((id) => `logged_time t${id}`)];
  const values = written.map((record, index) => {
    const [resource, id] = record.split(' ');
    return `(${index + 1}, TIMESTAMP '2026-04-10 09:00:00' + INTERVAL ${index} MINUTES, 't', '${record}', 'PATCH', '${resource}', '${id}')`;
  });
  await now.database.run(`CREATE SCHEMA IF NOT EXISTS service; ${CREATE_CHANGES};
    INSERT INTO service.changes (change_id, changed_at, token_id, token_label, method, resource, record_id) VALUES ${values.join(', ')}`);
  const authors = async (measure: string) => {
    const { rows } = await compareStates(then, now, 'changed-lines', { ...MARCH, measure }, DAYS);
    return rows.map(({ line_id_now, changed_by }) => [line_id_now, changed_by]);
  };
  expect(await authors('actual_cost')).toEqual([
    ['a:t1', 'roles 7'],
    ['a:t2', 'people 2'],
    ['a:t3', 'people 3'],
  ]);
  expect(await authors('actual_fees')).toEqual([
    ['a:t1', 'roles 7'],
    ['a:t2', 'people 2'],
    ['a:t4', 'phases 60'],
    // The team of the phase stands in the project, and the phase's record was not written.
    ['a:t5', 'projects 50'],
    ['a:t6', 'projects 51'],
  ]);
});
