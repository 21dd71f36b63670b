import { expect, test } from 'vitest';
import { type Company, openCompany, pick, type Records } from '../sql/company.ts';

// 2026-02-02 is a Monday. February has 20 work days, of 8 hours each.
const ANA = { people_id: 1, name: 'Ana' };
const LEAVER = { people_id: 2, name: 'Left', start_date: '2025-01-01', end_date: '2026-03-31', active: 0 };
const WINDOW = { start_date: '2026-02-01', end_date: '2026-02-28' };
const FEBRUARY = { ...WINDOW, cutoff_date: '2026-03-31' };
const QUARTER = { ...FEBRUARY, start_date: '2026-01-01', end_date: '2026-03-31' };

const project = { project_id: 1, name: 'One', default_hourly_rate: 100 };
const plan = (task_id: number, people_id: number, start_date: string, end_date: string, hours = 8) => {
  return { task_id, people_id, project_id: 1, start_date, end_date, hours };
};
const log = (id: string, people_id: number, date: string, hours: number) => {
  return { logged_time_id: id, people_id, project_id: 1, date, hours };
};

async function withCompany(records: Records, use: (company: Company) => Promise<void>): Promise<void> {
  const company = await openCompany({ projects: [project], ...records });
  try {
    await use(company);
  } finally {
    await company.close();
  }
}

const UTILIZATION = { group_by: 'month', measures: 'capacity_hours,utilization_percent' };

test('D5, 3.4: a leaver who is archived has the capacity of the employment, in a month alone and in its quarter', {
  tags: ['slow'],
}, async () => {
  const days = Array.from({ length: 20 }, (_, index) => 2 + Math.floor(index / 5) * 7 + (index % 5));
  const logged_time = [
    ...days.map((day) => log(`a${day}`, 1, `2026-02-${String(day).padStart(2, '0')}`, 4)),
    log('b', 2, '2026-01-12', 8),
  ];
  const inFebruary = { capacity_hours: '320', utilization_percent: '25' };
  await withCompany({ people: [ANA, LEAVER], logged_time }, async ({ report }) => {
    const quarter = await report('pivot', { ...QUARTER, ...UTILIZATION });
    expect(quarter.rows.map((row) => pick(row, 'capacity_hours', 'utilization_percent'))[1]).toEqual(inFebruary);
    expect(quarter.totals['capacity_hours']).toBe('1024');
    const alone = await report('people', FEBRUARY);
    expect(pick(alone.totals, 'capacity_hours', 'utilization_percent')).toEqual(inFebruary);
    const months = await report('people', { ...QUARTER, interval: 'month' });
    const same = ({ rows }: typeof alone) => rows.map((row) => pick(row, 'name', 'capacity_hours', 'actual_hours'));
    const ofFebruary = months.rows.filter(({ period_start }) => period_start === '2026-02-01');
    expect(same({ ...months, rows: ofFebruary })).toEqual(same(alone));
    const april = await report('people', { ...FEBRUARY, start_date: '2026-04-01', end_date: '2026-04-30' });
    expect(april.rows.map(({ name }) => name)).toEqual(['Ana']);
  });
});

test('3.4: with a filter of lines, too, a month has the people whom it has alone', { tags: ['slow'] }, async () => {
  const logged_time = [log('a', 1, '2026-01-12', 8), log('b', 2, '2026-02-02', 8)];
  await withCompany({ people: [ANA, LEAVER], logged_time }, async ({ report }) => {
    const filter = { project_id: '1' };
    const { rows, totals } = await report('pivot', { ...QUARTER, ...UTILIZATION, ...filter });
    const alone = await report('pivot', { ...FEBRUARY, ...UTILIZATION, ...filter });
    expect(rows[1]).toEqual(alone.rows[0]);
    expect(rows).toHaveLength(2);
    expect(totals['capacity_hours']).toBe('1024');
  });
});

test('D5: archived without an end, a person can work until the last logged day; the plan after it is a finding', {
  tags: ['slow'],
}, async () => {
  const people = [
    { people_id: 1, name: 'Gone', active: 0 },
    { people_id: 2, name: 'Never', active: 0 },
  ];
  const tasks = [plan(1, 1, '2026-02-02', '2026-02-06', 10), plan(2, 2, '2026-02-02', '2026-02-03')];
  const logged_time = [log('a', 1, '2026-02-03', 8), log('b', 1, '2026-02-05', 0)];
  await withCompany({ people, tasks, logged_time }, async ({ report, rows: read }) => {
    const { rows } = await report('people', FEBRUARY);
    const columns = [
      'name',
      'scheduled_hours',
      'scheduled_fees',
      'capacity_hours',
      'overtime_hours',
      'unscheduled_hours',
    ];
    expect(rows.map((row) => columns.map((name) => row[name]))).toEqual([
      ['Gone', '50', '5000', '16', '4', '0'],
      ['Never', '16', '1600', '0', '0', '0'],
    ]);
    expect((await report('people', { ...FEBRUARY, start_date: '2026-02-07' })).rows).toEqual([]);
    const findings = await report('data-quality', { ...WINDOW, sort: 'id' });
    const found = findings.rows.filter(({ check }) => check === 'planned_for_archived');
    const told = ['id', 'date', 'hours', 'amount_at_risk', 'detail'];
    expect(found.map((row) => told.map((name) => row[name]))).toEqual([
      ['1', '2026-02-04', '30', '3000', 'person 1 is archived, and logged the last time on 2026-02-03'],
      ['2', '2026-02-02', '16', '1600', 'person 2 is archived, and has never logged time'],
    ]);
    expect(
      await read(
        'SELECT date::VARCHAR AS date, work_hours, has_capacity FROM marts.capacity WHERE people_id = 1 AND scheduled_hours > 0 ORDER BY date',
      ),
    ).toEqual([
      { date: '2026-02-02', work_hours: '8', has_capacity: true },
      { date: '2026-02-03', work_hours: '8', has_capacity: true },
      ...['2026-02-04', '2026-02-05', '2026-02-06'].map((date) => ({ date, work_hours: '0', has_capacity: false })),
    ]);
  });
});

test('D7: work by call is planned by the week and the days off of the company, without capacity', {
  tags: ['slow'],
}, async () => {
  const ZERO = [0, 0, 0, 0, 0, 0, 0];
  const people = [
    {
      people_id: 1,
      name: 'By call',
      people_type_id: 2,
      work_days_hours: ZERO,
      work_days_hours_history: { '2026-01-01': ZERO },
    },
    {
      people_id: 2,
      name: 'Back',
      work_days_hours: ZERO,
      work_days_hours_history: { '2026-06-01': [0, 8, 8, 8, 8, 8, 0] },
    },
  ];
  const tasks = [1, 2].map((id) => plan(id, id, '2026-03-02', '2026-03-13'));
  const holidays = [{ holiday_id: 1, name: 'Holiday', date: '2026-03-04' }];
  const logged_time = [log('a', 1, '2026-03-07', 5)];
  await withCompany({ people, tasks, logged_time, holidays }, async ({ report }) => {
    const march = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };
    const { rows } = await report('people', march);
    const columns = [
      'name',
      'scheduled_hours',
      'actual_hours',
      'capacity_hours',
      'time_off_hours',
      'overtime_hours',
      'unscheduled_hours',
    ];
    expect(rows.map((row) => columns.map((name) => row[name]))).toEqual([
      // D6: a week without any work day counts whole, and is overtime.
      ['Back', '96', '0', '0', '0', '96', '0'],
      ['By call', '72', '5', '0', '0', '0', '0'],
    ]);
  });
});
