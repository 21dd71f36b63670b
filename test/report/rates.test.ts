import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { type Company, openCompany, REPORT_NAMES, REVEALS_COST } from '../sql/company.ts';

/*
 * A reader without the right to see rates gets no column that reveals a cost, in any report.
 */

const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31' };
const BLIND = { seesRates: false };
/** A cost rate and an expense cost whose digits occur nowhere else. */
const COST_RATE = 77.7731;
const EXPENSE_COST = 31.37;

let company: Company;
beforeAll(async () => {
  company = await openCompany({
    people: [
      { people_id: 1, name: 'Ana', cost_rate: COST_RATE, default_hourly_rate: 100 },
      { people_id: 2, name: 'Ben', default_hourly_rate: 100 },
    ],
    projects: [{ project_id: 1, name: 'One', budget_type: 2, budget_total: 5000 }],
    tasks: [
      { task_id: 1, project_id: 1, people_ids: [1, 2], start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 },
    ],
    logged_time: [1, 2].map((people_id) => ({
      logged_time_id: String(people_id),
      project_id: 1,
      people_id,
      date: '2026-01-06',
      hours: 1,
    })),
    project_expenses: [{ project_expense_id: 1, project_id: 1, name: 'Ink', date: '2026-01-07', cost: EXPENSE_COST }],
  });
});
afterAll(() => company.close());

const MORE: Readonly<Record<string, Record<string, string>>> = { pivot: { group_by: 'project,person,month' } };

describe('without the right to see rates', () => {
  test.each(REPORT_NAMES)('%s has no column, total, check or text that reveals a cost', async (name) => {
    const { table, rows, totals } = await company.report(name, { ...WINDOW, ...MORE[name] }, BLIND);
    expect(table.columns.map((column) => column.name).filter((column) => REVEALS_COST.test(column))).toEqual([]);
    const text = JSON.stringify({ rows, totals, meta: table.meta });
    // 77.7731 an hour for 1 hour, 8 hours and 40 hours, and rounded.
    expect(text).not.toMatch(/77\.77|622\.1|3110\.9|31\.37/);
  });

  test('meta names the omitted columns', async () => {
    const { table } = await company.report('projects', WINDOW, BLIND);
    expect(table.meta.hidden_columns).toContain('actual_margin_percent');
    expect(table.meta.hidden_columns?.every((name) => REVEALS_COST.test(name))).toBe(true);
    expect((await company.report('projects', WINDOW)).table.meta.hidden_columns).toBeUndefined();
  });

  test('hours, fees and budgets are the same for every reader', async () => {
    const [blind, seeing] = await Promise.all([
      company.report('projects', WINDOW, BLIND),
      company.report('projects', WINDOW),
    ]);
    for (const [name, value] of Object.entries(blind.totals))
      expect([name, value]).toEqual([name, seeing.totals[name]]);
    expect(blind.totals['actual_hours_without_cost_rate']).toBe('1');
    expect(blind.totals['scheduled_hours_without_cost_rate']).toBe('40');
  });

  test.each([
    ['projects', { fields: 'name,actual_cost' }, 'fields'],
    ['projects', { sort: '-actual_margin_percent' }, 'sort'],
    ['pivot', { group_by: 'project', measures: 'actual_hours,forecast_profit' }, 'measures'],
    ['lines', { fields: 'date,line_id,cost_rate' }, 'fields'],
    ['lines', { sort: 'cost' }, 'sort'],
    ['data-quality', { sort: 'amount_at_risk' }, 'sort'],
  ])('%s refuses %o', async (name, sent: Record<string, string>, field) => {
    const error = await company.report(name, { ...WINDOW, ...sent }, BLIND).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'forbidden', fields: [{ field }] });
  });

  test('the list of allowed values names no hidden column', async () => {
    const error = await company
      .report('projects', { ...WINDOW, fields: 'actual_feed_cost' }, BLIND)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'usage' });
    const [, named] = String(error).split(';');
    expect(named).toContain('actual_fees');
    expect(named).not.toMatch(REVEALS_COST);
  });

  test('the allowed bridges are those without a hidden measure', async () => {
    const asked = company.report('projects', { ...WINDOW, bridge: 'hours' }, BLIND);
    await expect(asked).rejects.toThrow('bridge: "hours" is not allowed; give one of fees');
    const { totals } = await company.report('projects', { ...WINDOW, bridge: 'fees' }, BLIND);
    expect(Object.keys(totals).filter((name) => REVEALS_COST.test(name))).toEqual([]);
  });
});
