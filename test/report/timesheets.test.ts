import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Company, openCompany, pick } from '../sql/company.ts';

// January 2026: the 5th is a Monday, the 9th a holiday.
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-16', cutoff_date: '2026-01-13' };
const RECORDS = {
  people: [
    { people_id: 1, name: 'Ana', cost_rate: '60', default_hourly_rate: '100' },
    { people_id: 2, name: 'Ben', default_hourly_rate: '80' },
    { people_id: 3, name: 'Placeholder', people_type_id: 3, cost_rate: '10' },
    {
      people_id: 4,
      name: 'Called',
      work_days_hours: [0, 0, 0, 0, 0, 0, 0],
      cost_rate: '30',
      default_hourly_rate: '50',
    },
  ],
  projects: [
    { project_id: 1, name: 'Quay' },
    { project_id: 2, name: 'Pier' },
  ],
  holidays: [{ holiday_id: 1, name: 'Feast', date: '2026-01-09' }],
  tasks: [
    { task_id: 1, people_ids: [1, 2, 3], project_id: 1, start_date: '2026-01-05', end_date: '2026-01-08', hours: 6 },
    { task_id: 2, people_id: 1, project_id: 2, start_date: '2026-01-12', end_date: '2026-01-14', hours: 8 },
    { task_id: 3, people_id: 4, project_id: 2, start_date: '2026-01-12', end_date: '2026-01-12', hours: 5 },
  ],
  logged_time: [
    { logged_time_id: 'z', people_id: 2, project_id: 2, date: '2025-12-30', hours: 1 },
    // Shorter than planned, and on another project: neither day is missing.
    { logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-01-05', hours: 2 },
    { logged_time_id: 'b', people_id: 1, project_id: 2, date: '2026-01-06', hours: 9 },
    { logged_time_id: 'c', people_id: 1, project_id: 1, date: '2026-01-14', hours: 8 },
  ],
};

const MISSING = ['missing_hours', 'missing_cost', 'missing_fees'];

let company: Company;
beforeAll(async () => {
  company = await openCompany(RECORDS);
});
afterAll(() => company.close());

const read = (name: string, sent: Record<string, string>) => company.report(name, { ...WINDOW, ...sent });

describe('missing time (3.3.2)', () => {
  it('is that of days without any logged time of an employee or contractor', async () => {
    const { rows, totals } = await read('pivot', { group_by: 'person', measures: MISSING.join(',') });
    expect(rows.map((row) => [row['person'], ...MISSING.map((name) => row[name])])).toEqual([
      // The 7th and 8th on Quay, the 12th and 13th on Pier; the 14th is after the cutoff.
      ['Ana', '28', '1680', '2800'],
      ['Ben', '24', null, '1920'],
      ['Placeholder', '0', '0', '0'],
      ['Called', '5', '150', '250'],
    ]);
    expect(totals).toMatchObject({ missing_hours: '57', missing_cost: '1830', missing_fees: '4970' });
  });

  it('is a property of the line, whatever the filters and groups', async () => {
    const { rows } = await read('pivot', { group_by: 'project,week', measures: 'missing_hours', people_id: '1' });
    expect(rows.map((row) => pick(row, 'project', 'week', 'missing_hours'))).toEqual([
      { project: 'Quay', week: '2026-01-05', missing_hours: '12' },
      { project: 'Quay', week: '2026-01-12', missing_hours: '0' },
      { project: 'Pier', week: '2026-01-05', missing_hours: '0' },
      { project: 'Pier', week: '2026-01-12', missing_hours: '16' },
    ]);
    const quay = await read('projects', { project_id: '1', fields: 'name,missing_hours' });
    expect(quay.totals).toMatchObject({ missing_hours: '36' });
  });

  it('opens into its lines, and is hidden without rates', async () => {
    const lines = await read('lines', { measure: 'missing_cost', people_id: '1', project_id: '2' });
    expect(lines.rows.map((row) => pick(row, 'line_id', 'cost_rate', 'contribution'))).toEqual([
      { line_id: 's:2:1:2026-01-12', cost_rate: '60', contribution: '480' },
      { line_id: 's:2:1:2026-01-13', cost_rate: '60', contribution: '480' },
    ]);
    const sent = { ...WINDOW, fields: 'name,missing_cost' };
    await expect(company.report('projects', sent, { seesRates: false })).rejects.toThrow('need the scope rates');
  });
});

describe('logged time of people who have capacity (3.3.2)', () => {
  it('opens into its days for rows of periods, too', async () => {
    const lines = await read('lines', {
      report: 'pivot',
      group_by: 'week',
      period_start: '2026-01-05',
      period_end: '2026-01-11',
      measure: 'worked_hours',
    });
    expect(lines.rows.map((row) => pick(row, 'line_id', 'contribution'))).toEqual([
      { line_id: 'd:1:2026-01-05', contribution: '2' },
      { line_id: 'd:1:2026-01-06', contribution: '9' },
    ]);
  });
});

describe('report timesheets (3.3.2)', () => {
  it('has the people with capacity or hours, by week, most missing first', async () => {
    const { rows, totals } = await read('timesheets', {});
    const columns = [
      'name',
      'period_start',
      'capacity_to_date_hours',
      'scheduled_to_date_hours',
      'actual_hours',
    ] as const;
    const own = ['balance_hours', 'missing_hours', 'days_without_time', 'last_logged'] as const;
    expect(rows.map((row) => [...columns, ...own].map((name) => row[name]))).toEqual([
      ['Ben', '2026-01-05', '32', '24', '0', '-32', '24', 4, '2025-12-30'],
      ['Ana', '2026-01-12', '16', '16', '0', '-16', '16', 2, '2026-01-06'],
      ['Ana', '2026-01-05', '32', '24', '11', '-21', '12', 2, '2026-01-06'],
      ['Called', '2026-01-12', '0', '5', '0', '0', '5', 0, null],
      ['Ben', '2026-01-12', '16', '0', '0', '-16', '0', 2, '2025-12-30'],
      ['Placeholder', '2026-01-05', '0', '24', '0', '0', '0', 0, null],
    ]);
    expect(totals).toMatchObject({
      ...{ capacity_to_date_hours: '96', actual_hours: '11', balance_hours: '-85', missing_hours: '57' },
      ...{ days_without_time: 10, last_logged: '2026-01-06' },
    });
  });

  it('has the same missing time as all reports, and nobody without capacity and hours', async () => {
    const everybody = await read('pivot', { group_by: 'month', measures: 'missing_hours,actual_hours' });
    const { rows, totals } = await read('timesheets', { interval: 'none' });
    expect(pick(totals, 'missing_hours', 'actual_hours')).toEqual(
      pick(everybody.totals, 'missing_hours', 'actual_hours'),
    );
    expect(rows.map((row) => row['name'])).toEqual(['Ana', 'Ben', 'Called', 'Placeholder']);
    const later = await read('timesheets', { start_date: '2026-01-13', end_date: '2026-01-13', interval: 'none' });
    expect(later.rows.map((row) => row['name'])).toEqual(['Ana', 'Ben']);
    const empty = await read('timesheets', { interval: 'none', include_empty: '1', start_date: '2026-01-13' });
    expect(empty.rows.map((row) => row['name'])).toEqual(['Ana', 'Ben']);
  });

  it('takes another interval, and filters of people', async () => {
    const { rows } = await read('timesheets', { interval: 'none', people_id: '1', fields: 'name,worked_percent' });
    expect(rows).toEqual([{ name: 'Ana', worked_percent: '22.92' }]);
  });

  it('opens days behind a balance', async () => {
    const lines = await read('lines', { report: 'timesheets', measure: 'balance_hours', row: 'people_id=1' });
    expect(
      lines.rows.slice(0, 2).map((row) => pick(row, 'line_id', 'capacity_hours', 'actual_hours', 'contribution')),
    ).toEqual([
      { line_id: 'd:1:2026-01-05', capacity_hours: '8', actual_hours: '2', contribution: '-6' },
      { line_id: 'd:1:2026-01-06', capacity_hours: '8', actual_hours: '9', contribution: '1' },
    ]);
    const days = await read('lines', { report: 'timesheets', measure: 'days_without_time', row: 'people_id=1' });
    expect(days.rows.map(({ date }) => date)).toEqual(['2026-01-07', '2026-01-08', '2026-01-12', '2026-01-13']);
    await expect(read('lines', { report: 'timesheets', measure: 'last_logged' })).rejects.toThrow('is not one of');
  });
});
