import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Company, openCompany, pick } from '../sql/company.ts';

// January 2026: the 5th is a Monday.
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-16', cutoff_date: '2026-01-12' };
const RECORDS = {
  people: [
    { people_id: 1, name: 'Ana', cost_rate: '60', default_hourly_rate: '100' },
    { people_id: 2, name: 'Ben', default_hourly_rate: '80' },
    { people_id: 3, name: 'Cy', cost_rate: '33.33' },
  ],
  projects: [
    { project_id: 1, name: 'Quay' },
    { project_id: 2, name: 'Pier', non_billable: 1 },
    { project_id: 3, name: 'Mole', status: 1 },
  ],
  tasks: [
    { task_id: 1, people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-05', hours: 8 },
    { task_id: 2, people_id: 2, project_id: 1, start_date: '2026-01-06', end_date: '2026-01-06', hours: 4 },
    { task_id: 3, people_id: 3, project_id: 2, start_date: '2026-01-12', end_date: '2026-01-13', hours: 3 },
    { task_id: 4, people_id: 1, project_id: 1, start_date: '2026-01-14', end_date: '2026-01-14', hours: 2 },
    { task_id: 5, people_id: 1, project_id: 3, start_date: '2026-01-15', end_date: '2026-01-15', hours: 5, status: 1 },
  ],
  logged_time: [
    { logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 5.5 },
    { logged_time_id: 'b', people_id: 1, project_id: 1, date: '2026-01-07', hours: 2 },
    { logged_time_id: 'c', people_id: 3, project_id: 2, date: '2026-01-12', hours: 1 },
    { logged_time_id: 'd', people_id: 2, project_id: 1, date: '2026-01-12', hours: 1 },
  ],
};

const NAMES = [
  'unlogged_hours',
  'unlogged_cost',
  'unlogged_fees',
  'covered_hours',
  'logging_coverage_percent',
  'plan_error_hours',
  'plan_error_percent',
  'backlog_fees',
  'soft_backlog_fees',
  'effective_bill_rate',
  'average_cost_rate',
];

let company: Company;
beforeAll(async () => {
  company = await openCompany(RECORDS);
});
afterAll(() => company.close());

describe('measures that a request must name', () => {
  const read = (name: string, sent: Record<string, string>) => company.report(name, { ...WINDOW, ...sent });

  it('accrue the hours that nobody logged, and compare plan and logged time', async () => {
    const { rows, totals } = await read('pivot', { group_by: 'person', measures: NAMES.join(',') });
    expect(rows.map((row) => NAMES.map((name) => row[name]))).toEqual([
      // 8 h at 60.00 and 100.00, 5.5 h logged: 2.5 h. The 2 h of another day cover nothing, but the week is short of only 0.5 h.
      ['2.5', '150', '250', '5.5', '68.75', '0.5', '6.25', '200', '500', '100', '60'],
      // No cost rate: the accrued cost is unknown, not 0. Two weeks, 4 h and 1 h off.
      ['4', null, '320', '0', '0', '5', '125', '0', '0', '80', null],
      // 2 of 3 h at 33.33, whose day costs 99.99.
      ['2', '66.66', '0', '1', '33.33', '2', '66.67', '0', '0', '0', '33.33'],
    ]);
    expect(NAMES.map((name) => totals[name])).toEqual([
      ...['8.5', '216.66', '570', '6.5', '43.33', '7.5', '50', '200', '500', '87.3684', '56.8624'],
    ]);
  });

  it('say where rows of other things than people differ from the total', async () => {
    const measures = 'unlogged_hours,unlogged_fees,missing_hours,overtime_hours';
    const { table } = await read('pivot', { group_by: 'project', measures });
    expect(table.meta.notes).toEqual([
      'Unlogged hours, Unlogged fees: rows may not add up to the total. A row compares the plan with the time logged in that row, and the total with all logged time.',
      'Overtime hours: rows may not add up to the total. Each row counts all days of every person with hours in it, and the total counts each person once.',
    ]);
    const ofPeople = await read('pivot', { group_by: 'person,week', measures });
    expect(ofPeople.table.meta.notes).toEqual([]);
  });

  it('are columns of other reports only when fields name them', async () => {
    const plain = await read('projects', {});
    expect(Object.keys(plain.rows[0] ?? {})).not.toContain('unlogged_hours');
    const { rows } = await read('projects', { fields: 'name,actual_hours,unlogged_hours,average_cost_rate' });
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['Mole', '0', '0', null],
      ['Pier', '1', '2', '33.33'],
      ['Quay', '8.5', '6.5', '60'],
    ]);
  });

  it('need the scope rates if they reveal a cost', async () => {
    const named = company.report(
      'projects',
      { ...WINDOW, fields: 'name,unlogged_cost,average_cost_rate' },
      { seesRates: false },
    );
    await expect(named).rejects.toThrow('fields names unlogged_cost, average_cost_rate, which need the scope rates');
    const shown = await company.report(
      'pivot',
      { ...WINDOW, group_by: 'project', measures: 'unlogged_hours,unlogged_fees' },
      { seesRates: false },
    );
    expect(shown.totals).toMatchObject({ unlogged_hours: '8.5', unlogged_fees: '570' });
  });

  it('list the days and the weeks behind them', async () => {
    const lines = (measure: string) => read('lines', { measure, people_id: '1' });
    const days = await lines('unlogged_cost');
    expect(days.rows.map((row) => pick(row, 'line_id', 'scheduled_hours', 'actual_hours', 'contribution'))).toEqual([
      { line_id: 'd:1:2026-01-05', scheduled_hours: '8', actual_hours: '5.5', contribution: '150' },
    ]);
    const weeks = await lines('plan_error_hours');
    expect(weeks.rows.map((row) => pick(row, 'line_id', 'scheduled_hours', 'actual_hours', 'contribution'))).toEqual([
      { line_id: 'w:1:2026-01-05', scheduled_hours: '8', actual_hours: '7.5', contribution: '0.5' },
    ]);
    await expect(lines('average_cost_rate')).rejects.toThrow('is a ratio and no sum of lines: actual_cost / ');
  });
});
