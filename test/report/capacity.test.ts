// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Value } from '../../src/base/database/database.ts';
import { findReport, measuresOf } from '../../src/numbers/report/catalogue/catalogue.ts';
import { type Company, catalogue, column, openCompany, pick, type ReportRows, type Row } from '../sql/company.ts';

/*
 * Two weeks of two people, from Monday the 5th of January 2026. Ana works 8 h a day, Ben 6 h from Monday to Thursday.
 *
 *            Mo  Tu  We  Th  Fr  Sa  Su | Mo  Tu  We  Th  Fr  Sa  Su
 * Ana work    8   8   8   8   8   0   0    8   8   8   8   8   0   0    40, 40
 *     off     0   0   8   0   3   0   0    0   0   0   0   0   0   0    11,  0
 *     plan   10   4   0   4   6   0   0    0   0   0   0   0   5   0    24,  5
 *     over    2   0   0   0   1   0   0    0   0   0   0   0   5   0     3,  5
 *     under   0   4   0   4   0   0   0    8   8   8   8   8   0   0     8, 40
 *     billed  8   0   2   0   0   0   0    7   0   0   0   0   0   0    10,  7
 * Ben work    6   6   6   6   0   0   0    6   6   6   6   0   0   0    24, 24
 *     off     0   0   0   0   0   0   0    6   6   6   6   0   0   0     0, 24
 *     plan    6   6   6   6   0   0   0    0   0   0   0   0   0   0    24,  0
 */
const WINDOW = { start_date: '2026-01-05', end_date: '2026-01-18', cutoff_date: '2026-01-12' };
const [ANA, BEN, IDLE, GONE, LEFT] = [1, 2, 3, 4, 5];
/** People without capacity: a placeholder, a role placeholder, and one without a record. */
const [OPEN, ROLE, UNKNOWN] = [6, 7, 99];
const [ONE, TWO] = [11, 12];

const plan = (
  task_id: number,
  people_id: number,
  project_id: number,
  dates: string,
  hours: number,
  more: object = {},
) => {
  const [start_date, end_date = start_date] = dates.split('..');
  return { task_id, people_id, project_id, start_date, end_date, hours, ...more };
};
const off = (timeoff_id: number, people_id: number, dates: string, more: object = {}) => {
  const [start_date, end_date = start_date] = dates.split('..');
  return { timeoff_id, people_id, start_date, end_date, ...more };
};
const log = (id: string, people_id: number, date: string, hours: number, more: object = {}) => {
  return { logged_time_id: id, people_id, project_id: ONE, date, hours, ...more };
};

let company: Company;
beforeAll(async () => {
  company = await openCompany({
    departments: [
      { department_id: 1, name: 'Design' },
      { department_id: 2, name: 'Build' },
    ],
    people: [
      { people_id: ANA, name: 'Ana', department_id: 1, tags: ['Copy', 'Ux'] },
      { people_id: BEN, name: 'Ben', department_id: 2, work_days_hours: [0, 6, 6, 6, 6, 0, 0] },
      { people_id: IDLE, name: 'Idle', department_id: 2, start_date: '2026-01-15', tags: ['Ux'] },
      { people_id: GONE, name: 'Gone', active: 0 },
      { people_id: LEFT, name: 'Left', active: 0, end_date: '2026-01-08' },
    ],
    projects: [
      { project_id: ONE, name: 'One' },
      { project_id: TWO, name: 'Two' },
    ],
    tasks: [
      plan(1, ANA, ONE, '2026-01-05', 6),
      plan(2, ANA, TWO, '2026-01-05', 4),
      plan(3, ANA, ONE, '2026-01-06..2026-01-08', 4),
      plan(4, ANA, ONE, '2026-01-09', 6),
      plan(5, ANA, TWO, '2026-01-17', 5),
      plan(6, BEN, ONE, '2026-01-05..2026-01-16', 6),
      plan(7, ANA, ONE, '2026-01-13', 8, { status: 1 }),
    ],
    timeoffs: [
      off(1, ANA, '2026-01-07'),
      off(2, ANA, '2026-01-09', { hours: 3 }),
      off(3, BEN, '2026-01-12..2026-01-16'),
      off(4, ANA, '2026-01-10'),
    ],
    logged_time: [
      log('a1', ANA, '2026-01-05', 8),
      log('a2', ANA, '2026-01-07', 2),
      log('a3', ANA, '2026-01-08', 6, { billable: 0 }),
      log('a4', ANA, '2026-01-12', 7),
      log('a5', ANA, '2026-01-13', 8),
      log('l1', LEFT, '2026-01-06', 4),
    ],
  });
});
afterAll(() => company.close());

const COLUMNS = [
  'capacity_hours',
  'capacity_to_date_hours',
  'time_off_hours',
  'scheduled_hours',
  'overtime_hours',
  'unscheduled_hours',
  'scheduled_percent',
  'utilization_percent',
];
const shown = (row: Row | undefined) => COLUMNS.map((name) => row?.[name]);
const people = (parameters: Record<string, string> = {}) => company.report('people', { ...WINDOW, ...parameters });

const TWO_PEOPLE = ['93', '61', '35', '53', '8', '48', '56.99', '27.87'];

test('two people and two weeks', async () => {
  const { rows, totals } = await people({ people_id: `${ANA},${BEN}` });
  expect(rows.map((row) => [row['name'], ...shown(row)])).toEqual([
    // 29 of 69 h are 42.03 %, 17 h billed of the 37 h to date are 45.95 %.
    ['Ana', '69', '37', '11', '29', '8', '48', '42.03', '45.95'],
    ['Ben', '24', '24', '24', '24', '0', '0', '100', '0'],
  ]);
  // 53 of 93 h are 56.99 %, 17 of 61 h are 27.87 %: computed from the totals, not the mean of the rows.
  expect(shown(totals)).toEqual(TWO_PEOPLE);
});

test('the same by week', async () => {
  const { rows, totals } = await people({ people_id: `${ANA},${BEN}`, interval: 'week' });
  expect(rows.map((row) => [row['name'], row['period_start'], row['period_end'], ...shown(row)])).toEqual([
    ['Ana', '2026-01-05', '2026-01-11', '29', '29', '11', '24', '3', '8', '82.76', '34.48'],
    // Only Monday the 12th is up to the cutoff: 7 of 8 h.
    ['Ana', '2026-01-12', '2026-01-18', '40', '8', '0', '5', '5', '40', '12.5', '87.5'],
    ['Ben', '2026-01-05', '2026-01-11', '24', '24', '0', '24', '0', '0', '100', '0'],
    ['Ben', '2026-01-12', '2026-01-18', '0', '0', '24', '0', '0', '0', null, null],
  ]);
  expect(shown(totals)).toEqual(TWO_PEOPLE);
});

test('utilization is unknown while no day of the window is up to the cutoff', async () => {
  const { rows, totals } = await people({ people_id: String(ANA), cutoff_date: '2026-01-04' });
  for (const row of [...rows, totals])
    expect(pick(row, 'capacity_hours', 'capacity_to_date_hours', 'utilization_percent')).toEqual({
      capacity_hours: '69',
      capacity_to_date_hours: '0',
      utilization_percent: null,
    });
});

test('hours logged after the cutoff, and hours that are not billable, are not utilization', async () => {
  const { rows } = await people({ people_id: String(ANA), cutoff_date: '2026-01-18' });
  // 17 + 8 of 69 h.
  expect(pick(rows[0], 'actual_billable_hours', 'actual_non_billable_hours', 'utilization_percent')).toEqual({
    actual_billable_hours: '25',
    actual_non_billable_hours: '6',
    utilization_percent: '36.23',
  });
});

test('D5 work hours are counted by weekdays, whatever the first day and the length of the window', {
  tags: ['slow'],
}, async () => {
  const known = await company.rows(`SELECT day(date) AS day, SUM(capacity_hours) AS hours FROM marts.capacity
    WHERE people_id IN (${ANA}, ${BEN}) AND date BETWEEN DATE '2026-01-05' AND DATE '2026-01-18' GROUP BY date`);
  const between = (first: number, last: number) =>
    known.reduce((sum, { day, hours }) => sum + (Number(day) >= first && Number(day) <= last ? Number(hours) : 0), 0);
  const date = (day: number) => `2026-01-${String(day).padStart(2, '0')}`;
  for (const first of [5, 6, 7, 8, 9, 10, 11])
    for (const last of [first + 2, first + 7]) {
      const days = { start_date: date(first), end_date: date(last), cutoff_date: date(first + 1) };
      const { totals } = await people({ ...days, people_id: `${ANA},${BEN}` });
      const expected = [between(first, last), between(first, first + 1)];
      expect([days, shown(totals).slice(0, 2).map(Number)]).toEqual([days, expected]);
    }
  const ever = { start_date: '1970-01-01', end_date: '2099-12-31', people_id: String(ANA) };
  // 47,482 days from a Thursday on have 6,783 whole weeks and a Thursday; 11 h are off.
  expect((await people(ever)).totals?.['capacity_hours']).toBe(String((6_783 * 5 + 1) * 8 - 11));
});

test('tentative work is scheduled only on request', async () => {
  const { rows } = await people({ people_id: String(ANA), status: 'confirmed,completed,tentative' });
  // Another 8 h on Tuesday the 13th, within capacity.
  expect(shown(rows[0]).slice(3, 7)).toEqual(['37', '8', '40', '53.62']);
});

test('an idle person is a row, an inactive one only with hours', async () => {
  const { rows } = await people();
  expect(rows.map(({ name }) => name)).toEqual(['Ana', 'Ben', 'Idle', 'Left']);
  // Thursday the 15th and Friday the 16th.
  expect(shown(rows[2])).toEqual(['16', '0', '0', '0', '0', '16', '0', null]);
  // Monday the 5th to Thursday the 8th; 4 of 32 h.
  expect(shown(rows[3])).toEqual(['32', '32', '0', '0', '0', '32', '0', '12.5']);
});

test('a department has the capacity of all its people, including idle ones', async () => {
  const { rows } = await company.report('pivot', {
    ...WINDOW,
    group_by: 'department',
    sort: 'department',
    measures: COLUMNS.join(','),
  });
  expect(rows.map((row) => [row['department'], ...shown(row)])).toEqual([
    ['Build', '40', '24', '24', '24', '0', '16', '60', '0'],
    ['Design', '69', '37', '11', '29', '8', '48', '42.03', '45.95'],
    [null, '32', '32', '0', '0', '0', '32', '0', '12.5'],
  ]);
});

test('a tag of people has the capacity of all its people, including idle ones, and the totals have each person once', async () => {
  const measures = [...COLUMNS, 'unlogged_hours'].join(',');
  const read = (group_by: string) => company.report('pivot', { ...WINDOW, group_by, sort: group_by, measures });
  const [{ rows, totals, table }, whole] = [await read('people_tag'), await read('person')];
  // Ana has both tags; Idle's 16 h follow hers.
  expect(rows.map((row) => [row['people_tag'], ...shown(row)])).toEqual([
    ['copy', '69', '37', '11', '29', '8', '48', '42.03', '45.95'],
    ['ux', '85', '37', '11', '29', '8', '64', '34.12', '45.95'],
    [null, '56', '56', '24', '24', '0', '32', '42.86', '7.14'],
  ]);
  expect(pick(totals, ...measures.split(','))).toEqual(pick(whole.totals, ...measures.split(',')));
  expect(table.meta.notes[0]).toContain("Rows by people's tag overlap");
  const { rows: behind } = await company.report('lines', {
    ...WINDOW,
    group_by: 'person',
    measure: 'unscheduled_hours',
    people_tag: 'ux',
  });
  expect(new Set(column(behind, 'people_id'))).toEqual(new Set([ANA, IDLE]));
});

test('a project has the capacity of everybody who works on it, and the totals have each person once', async () => {
  const { rows, totals } = await company.report('pivot', {
    ...WINDOW,
    group_by: 'project',
    measures: COLUMNS.join(','),
    people_id: `${ANA},${BEN}`,
  });
  expect(rows.map((row) => [row['project'], row['capacity_hours'], row['scheduled_hours']])).toEqual([
    ['One', '93', '44'],
    ['Two', '69', '9'],
  ]);
  expect(shown(totals)).toEqual(TWO_PEOPLE);
});

const WITHOUT_LINES = { start_date: '2030-01-07', end_date: '2030-01-08' };
const NO_SUMS = measuresOf(catalogue, findReport(catalogue, 'pivot')).filter(
  ({ kind }) => kind === 'people' || kind === 'budget',
);

test.each([
  ['person', WINDOW],
  ['project', WINDOW],
  ['person', WITHOUT_LINES],
  ['project', WITHOUT_LINES],
])('each measure by %s alone has the values that it has among all others, in %j', async (group_by, window) => {
  const all = await company.report('pivot', { ...window, group_by });
  const valueIn = ({ rows, totals }: ReportRows, key: Value, measure: string) =>
    (rows.find((row) => row[group_by] === key) ?? totals)[measure];
  for (const { name } of NO_SUMS) {
    const alone = await company.report('pivot', { ...window, group_by, measures: name });
    for (const key of ['(the totals)', ...column(alone.rows, group_by)])
      expect(valueIn(alone, key ?? null, name), `${name} of ${key}`).toBe(valueIn(all, key ?? null, name));
  }
});

describe('people without capacity', () => {
  let demand: Company;
  // Everybody is planned for 10 h on five days, one of them a holiday, and logs 4 h on the first.
  beforeAll(async () => {
    const all = [ANA, BEN, OPEN, ROLE, UNKNOWN];
    demand = await openCompany({
      people: [
        { people_id: ANA, name: 'Ana' },
        { people_id: BEN, name: 'Ben', people_type_id: 2 },
        { people_id: OPEN, name: 'To be found', people_type_id: 3 },
        { people_id: ROLE, name: 'Designer', people_type_id: 4 },
      ],
      projects: [{ project_id: ONE, name: 'One' }],
      holidays: [{ holiday_id: 1, name: 'Holiday', date: '2026-01-06' }],
      tasks: all.map((id) => plan(id, id, ONE, '2026-01-05..2026-01-09', 10)),
      timeoffs: all.map((id) => off(id, id, '2026-01-07', { hours: 2 })),
      logged_time: all.map((id) => log(`l${id}`, id, '2026-01-05', 4)),
    });
  });
  afterAll(() => demand.close());

  const ALL_FIVE = ['140', '60', '20', '200', '20', '80', '142.86', '33.33'];
  const DEMAND = ['0', '0', '0', '40', '0', '0', null, null];
  const REST = { start_date: '2026-01-05', end_date: '2026-01-16', cutoff_date: '2026-01-09' };

  test('are rows with hours, without capacity, time off, overtime and unscheduled hours', async () => {
    const { rows, totals } = await demand.report('people', REST);
    const able = ['70', '30', '10', '40', '10', '40', '57.14', '13.33'];
    expect(rows.map((row) => [row['people_id'], ...shown(row)])).toEqual([
      [ANA, ...able],
      [BEN, ...able],
      [ROLE, ...DEMAND],
      [OPEN, ...DEMAND],
      [UNKNOWN, ...DEMAND],
    ]);
    // The plan of all five is demand: 200 of 140 h. Their 20 h logged compare with the 60 h of two.
    expect(shown(totals)).toEqual(ALL_FIVE);
  });

  test.each(['project', 'person', 'month', 'people_type'])('add no capacity to a row by %s', async (group_by) => {
    const { totals } = await demand.report('pivot', { ...REST, group_by, measures: COLUMNS.join(',') });
    expect(shown(totals)).toEqual(ALL_FIVE);
  });

  test('have days with hours alone in marts.capacity', async () => {
    const rows = await demand.rows(`
      SELECT people_id, is_known, has_capacity, COUNT(*) AS days, SUM(work_hours) AS work_hours,
        SUM(time_off_hours) AS time_off_hours, SUM(capacity_hours) AS capacity_hours, SUM(scheduled_hours) AS scheduled_hours
      FROM marts.capacity WHERE date BETWEEN DATE '2026-01-05' AND DATE '2026-01-16' GROUP BY ALL ORDER BY people_id`);
    const none = { work_hours: '0', time_off_hours: '0', capacity_hours: '0', scheduled_hours: '40', days: 4 };
    const able = { work_hours: '80', time_off_hours: '10', capacity_hours: '70', scheduled_hours: '40', days: 10 };
    expect(rows.map((row) => ({ ...row, days: Number(row['days']) }))).toEqual([
      { people_id: ANA, is_known: true, has_capacity: true, ...able },
      { people_id: BEN, is_known: true, has_capacity: true, ...able },
      { people_id: OPEN, is_known: true, has_capacity: false, ...none },
      { people_id: ROLE, is_known: true, has_capacity: false, ...none },
      { people_id: UNKNOWN, is_known: false, has_capacity: false, ...none },
    ]);
  });

  test('a day without work hours has no row in marts.capacity for draft and canceled hours', {
    tags: ['slow'],
  }, async () => {
    const weekend = await openCompany({
      people: [{ people_id: ANA, name: 'Ana' }],
      projects: [{ project_id: ONE, name: 'One' }],
      tasks: [0, 1, 2, 4].map((status) =>
        plan(1 + status, ANA, ONE, `2026-01-${10 + 7 * Math.min(status, 3)}`, 2, { status }),
      ),
    });
    const rows = await weekend.rows(`
      SELECT day(date) AS day, scheduled_hours, tentative_hours FROM marts.capacity
      WHERE date BETWEEN DATE '2026-01-01' AND DATE '2026-01-31' AND work_hours = 0 ORDER BY date`);
    await weekend.close();
    expect(rows).toEqual([
      { day: 17, scheduled_hours: '0', tentative_hours: '2' },
      { day: 24, scheduled_hours: '2', tentative_hours: '0' },
    ]);
  });
});
