import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { readWorkbook } from '../reports.ts';
import { buildCompany, catalogue } from '../sql/company.ts';

// January to March 2026 has 64 work days, 512 h; up to 13 February there are 32, 256 h.
const QUARTER = { start_date: '2026-01-01', end_date: '2026-03-31' };
const JANUARY_TO_FEBRUARY = Array.from({ length: 32 }, (_, i) => {
  const day = new Date(Date.parse('2026-01-01') + (i + 2 * Math.floor((i + 3) / 5)) * 86_400_000);
  return day.toISOString().slice(0, 10);
});
const log = (person: number, hours: number, days: readonly string[]) =>
  days.map((date) => ({ people_id: person, project_id: 1, date, hours, logged_time_id: `${person} ${date}` }));
const plan = (task_id: number, people_id: number, start_date: string, end_date: string, hours: number) => ({
  ...{ task_id, people_id, project_id: 1, start_date, end_date, hours },
});

let database: Database;
beforeAll(async () => {
  database = await buildCompany({
    people: ['Unplanned', 'Planned alone', 'Ahead', 'Untold', 'Extra'].map((name, i) => ({ people_id: i + 1, name })),
    projects: [{ project_id: 1, name: 'Quay' }],
    tasks: [
      plan(1, 2, '2026-01-01', '2026-03-31', 8),
      plan(2, 3, '2026-02-16', '2026-03-31', 8),
      plan(3, 4, '2026-01-01', '2026-02-13', 8),
    ],
    logged_time: [
      ...log(1, 6, JANUARY_TO_FEBRUARY),
      ...log(2, 1, JANUARY_TO_FEBRUARY),
      ...log(5, 10, JANUARY_TO_FEBRUARY),
    ],
  });
});
afterAll(() => database.close());

async function loads(sent: Record<string, string>): Promise<(string | undefined)[]> {
  const { cover } = await readWorkbook(database, catalogue, 'people', sent, { now: new Date('2026-04-15T12:00:00Z') });
  const lines = (cover.lists['people'] ?? []).flatMap((part) => part.lines);
  return lines.slice(-2).map((cells) => cells.at(-1)?.text);
}

it('judges days that are over by the work done, missing time as planned, and later days by the plan', async () => {
  expect(await loads({ ...QUARTER, cutoff_date: '2026-02-13' })).toEqual([
    'nobody',
    'Unplanned 38 % in fiscal 2026-Q1 (192.00 h of 512.00 h)',
  ]);
});

it('judges a window that is over by the work done alone', async () => {
  expect(await loads({ start_date: '2026-01-01', end_date: '2026-02-13' })).toEqual([
    'Extra 125 % in 2026-01-01 to 2026-02-13 (320.00 h of 256.00 h)',
    'Ahead 0 % in 2026-01-01 to 2026-02-13 (0.00 h of 256.00 h); Planned alone 13 % in 2026-01-01 to 2026-02-13 (32.00 h of 256.00 h)',
  ]);
});
