// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany } from '../sql/company.ts';

const PLACES = [
  { project_id: 1, name: 'By phase', budget_type: 2, budget_priority: 1 },
  { project_id: 2, name: 'Remaining', budget_type: 2, budget_total: '3000' },
  { project_id: 3, name: 'Ended', budget_type: 2, budget_total: '5000', end_date: '2025-03-31' },
  { project_id: 4, name: 'No plan', budget_type: 2, budget_total: '5000' },
  { project_id: 5, name: 'Time', budget_type: 3, budget_total: '5000' },
  { project_id: 6, name: 'Canceled', budget_type: 2, budget_total: '5000', status: 4 },
];

const PHASES = [
  { phase_id: 11, project_id: 1, name: 'Concept', budget_total: '1000' },
  { phase_id: 12, project_id: 1, name: 'Build', budget_total: '9000' },
  { phase_id: 13, project_id: 1, name: 'Care', budget_total: '2000' },
];

const LOGGED = [
  { project_id: 1, phase_id: 11, hours: 20 },
  { project_id: 1, phase_id: 12, hours: 10 },
  { project_id: 2, hours: 7 },
  { project_id: 3, hours: 5 },
  { project_id: 4, hours: 5 },
  { project_id: 5, hours: 5 },
  { project_id: 6, hours: 5 },
];

/** Work that is left to do. */
const PLANNED = [
  { project_id: 1, phase_id: 11, hours: 10 },
  { project_id: 1, phase_id: 12, hours: 20 },
  { project_id: 2, hours: 14 },
];

const PROGRESS = [
  { project_id: 1, phase_id: 11, date: '2025-03-31', percent: 80 },
  { project_id: 1, phase_id: 12, date: '2025-03-31', percent: '25.5' },
  { project_id: 1, phase_id: 12, date: '2025-06-30', percent: 90 },
  { project_id: 2, date: '2025-03-31', remaining_hours: 2 },
  { project_id: 3, date: '2025-03-10', percent: 50 },
];

let company: Company;

beforeAll(async () => {
  company = await openCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
    projects: PLACES,
    phases: PHASES,
    logged_time: LOGGED.map((line, id) => ({ logged_time_id: String(id), people_id: 1, date: '2025-03-20', ...line })),
    tasks: PLANNED.map((line, id) => ({
      ...{ task_id: id + 1, people_id: 1, start_date: '2025-05-05', end_date: '2025-05-05' },
      ...line,
    })),
    progress: PROGRESS.map((entry, id) => ({ progress_id: id + 1, ...entry })),
  });
});

afterAll(() => company.close());

const WINDOW = { start_date: '2025-01-01', end_date: '2025-12-31', cutoff_date: '2025-04-30' };

async function readPercents(report: string, sent: Readonly<Record<string, string>> = {}) {
  const fields = 'name,computed_percent,entered_percent';
  const { rows, totals } = await company.report(report, { ...WINDOW, fields, ...sent });
  const told = rows.map((row) => `${row['name']}: ${row['computed_percent']} ${row['entered_percent']}`);
  return { rows: told, totals: [totals?.['computed_percent'], totals?.['entered_percent']] };
}

test('G2: progress by hours stands beside what was entered, each weighted by the fees that have one', async () => {
  // 1: by hours (1,000 x 20/30 + 9,000 x 10/30) / 10,000, entered (1,000 x 0.8 + 9,000 x 0.255) / 10,000. 2: 7/21, 7/9.
  expect((await readPercents('projects')).rows).toEqual([
    ...['By phase: 36.67 30.95', 'Canceled: null null', 'Ended: 100 100'],
    ...['No plan: null null', 'Remaining: 33.33 77.78', 'Time: null null'],
  ]);
});

test('G2: phases have the progress of their own fees, and projects in a row that of all', async () => {
  const { rows } = await readPercents('phases', { project_id: '1,2' });
  expect(rows).toEqual(['Build: 33.33 25.5', 'Concept: 66.67 80', '(no phase): null null']);
  const { totals } = await readPercents('projects', { project_id: '1,2' });
  // (3,666.67 + 1,000) / 13,000 and (3,095 + 2,333.33) / 13,000, before rounding.
  expect(totals).toEqual(['35.9', '41.76']);
});

test('it is of the whole life up to the cutoff, in each period', async () => {
  const sent = { ...WINDOW, group_by: 'quarter', measures: 'computed_percent,entered_percent', project_id: '2' };
  const { rows } = await company.report('pivot', { ...sent, cutoff_date: '2025-03-30' });
  expect(rows.map((row) => [row['computed_percent'], row['entered_percent']])).toEqual([
    ['33.33', null],
    ['33.33', null],
  ]);
});

test('an entry after the cutoff does not count, one on it does', async () => {
  const build = { project_id: '1', phase_id: '12' };
  expect((await readPercents('phases', { ...build, cutoff_date: '2025-06-29' })).rows).toEqual(['Build: null 25.5']);
  expect((await readPercents('phases', { ...build, cutoff_date: '2025-06-30' })).rows).toEqual(['Build: null 90']);
});
