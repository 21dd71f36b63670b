import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCompany } from './company.ts';

type Company = Awaited<ReturnType<typeof openCompany>>;
let company: Company;

beforeAll(async () => {
  const days = ['2026-02-04', '2026-01-05', '2026-03-06', '2025-12-31', '2026-01-02'];
  company = await openCompany({
    people: [{ people_id: 1, name: 'Ana' }],
    projects: [{ project_id: 1, name: 'One' }],
    tasks: days.map((day, index) => ({
      task_id: index + 1,
      project_id: 1,
      people_id: 1,
      start_date: day,
      end_date: '2026-03-31',
      hours: 1,
    })),
    logged_time: days.map((date, index) => ({
      logged_time_id: String(index),
      people_id: 1,
      project_id: 1,
      date,
      hours: 1,
    })),
    project_expenses: days.map((date, index) => ({ project_expense_id: index + 1, project_id: 1, date, cost: 1 })),
  });
});

afterAll(() => company.close());

test('the ledger is stored by kind, and each kind by date', async () => {
  const rows = await company.rows(`
    SELECT
      COUNT(*) AS lines,
      SUM(CASE WHEN kind <> last_kind THEN 1 ELSE 0 END) AS changes,
      SUM(CASE WHEN kind = last_kind AND date < last_date THEN 1 ELSE 0 END) AS misplaced
    FROM (
      SELECT kind, date, LAG(kind) OVER (ORDER BY rowid) AS last_kind, LAG(date) OVER (ORDER BY rowid) AS last_date
      FROM core.ledger
    )`);
  expect(Number(rows[0]?.['lines'])).toBeGreaterThan(200);
  expect(Number(rows[0]?.['changes'])).toBe(2);
  expect(Number(rows[0]?.['misplaced'])).toBe(0);
});
