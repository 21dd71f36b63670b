import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Company, openCompany } from '../sql/company.ts';

const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-16', cutoff_date: '2026-01-09' };

let company: Company;
beforeAll(async () => {
  const plan = (task_id: number, people_id: number, project_id: number) => ({
    ...{ task_id, people_id, project_id, start_date: '2026-01-12', end_date: '2026-01-14', hours: 8 },
  });
  company = await openCompany({
    people: [
      { people_id: 1, name: 'Ana', cost_rate: '60', default_hourly_rate: '100' },
      { people_id: 2, name: 'Without cost', default_hourly_rate: '100' },
    ],
    projects: [
      { project_id: 1, name: 'Quay' },
      { project_id: 2, name: 'Pier' },
    ],
    tasks: [plan(1, 1, 1), plan(2, 2, 2)],
    logged_time: [1, 2].map((id) => ({
      logged_time_id: id,
      people_id: 1,
      project_id: id,
      date: '2026-01-05',
      hours: 8,
    })),
  });
});
afterAll(() => company.close());

const BLANK = 'since none of the 24.00 h scheduled';

async function notesOf(sent: Record<string, string>): Promise<readonly string[]> {
  const { table } = await company.report('pivot', { ...WINDOW, measures: 'forecast_margin_percent', ...sent });
  return table.meta.notes.filter((note) => note.includes('blank'));
}

it('says why a forecast margin is blank, of projects where they are rows, and in all', async () => {
  const { rows, totals } = await company.report('projects', { ...WINDOW, fields: 'name,forecast_margin_percent' });
  expect(rows.map((row) => row['forecast_margin_percent'])).toEqual([null, '40']);
  expect(totals['forecast_margin_percent']).not.toBeNull();
  expect(await notesOf({ group_by: 'project' })).toEqual([
    `Forecast margin % of revenue: blank for 1 project, ${BLANK} there after the cutoff has a cost rate.`,
  ]);
  expect(await notesOf({ group_by: 'client' })).toEqual([]);
  expect(await notesOf({ group_by: 'client', project_id: '2' })).toEqual([
    `Forecast margin % of revenue: blank, ${BLANK} after the cutoff has a cost rate.`,
  ]);
});

it('says nothing where the window is over', async () => {
  expect(await notesOf({ group_by: 'project', end_date: '2026-01-09' })).toEqual([]);
});
