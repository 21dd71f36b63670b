import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Value } from '../../../src/base/database/database.ts';
import { type Company, catalogue, column, openCompany, pick, type Row } from '../../sql/company.ts';

// Mistakes found in other products. January 2026: the 1st is a Thursday, the 5th a Monday.
const JANUARY = { start_date: '2026-01-01', end_date: '2026-01-31', cutoff_date: '2026-01-15' };

const [ANA, BEN, CY, PIA] = [1, 2, 3, 4];
const [TAGGED, PHASED, EXPENSED, PLANNED, WORKED, DRAFTED, LATE, FIRST_SITE, SECOND_SITE, RUINED] = [
  10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
];
const [CHEAP, DEAR] = [21, 22];

const planned = (task_id: number, people_id: number, project_id: number, dates: string, more: object = {}) => {
  const [start_date, end_date = start_date] = dates.split('..');
  return { task_id, people_id, project_id, start_date, end_date, hours: 8, ...more };
};
const logged = (id: string, people_id: number, project_id: number, date: string, more: object = {}) => {
  return { logged_time_id: id, people_id, project_id, date, hours: 1, ...more };
};

const records = {
  departments: [
    { department_id: 1, name: 'Design' },
    { department_id: 2, name: 'Build' },
  ],
  clients: [
    { client_id: 1, name: 'Acme' },
    { client_id: 2, name: 'Bolt' },
  ],
  accounts: [{ account_id: 1, name: 'Mo' }],
  roles: [
    { role_id: 1, name: 'Designer', default_hourly_rate: '66.6667' },
    { role_id: 2, name: 'Builder' },
  ],
  people: [
    { people_id: ANA, name: 'Ana', department_id: 1, role_id: 1, cost_rate: '33.33', start_date: '2025-01-01' },
    // A raise on Wednesday the 7th.
    {
      people_id: BEN,
      name: 'Ben',
      department_id: 2,
      role_id: 1,
      contracts: [
        { cost_rate: 40, role_id: 1 },
        { effective_date: '2026-01-07', cost_rate: 44, role_id: 1 },
      ],
    },
    // A contract from the 12th on, and none before.
    {
      people_id: CY,
      name: 'Cy',
      department_id: 2,
      role_id: 2,
      people_type_id: 2,
      contracts: [{ effective_date: '2026-01-12', cost_rate: 50, role_id: 2 }],
    },
    // 40 hours a week, on days of 10, 8, 8, 8 and 6 hours.
    { people_id: PIA, name: 'Pia', work_days_hours: [0, 10, 8, 8, 8, 6, 0], cost_rate: 20 },
  ],
  projects: [
    { project_id: TAGGED, name: 'Tagged', client_id: 1, tags: ['alpha', 'beta'], project_manager: 1 },
    { project_id: PHASED, name: 'Phased', client_id: 1, tags: ['alpha'] },
    { project_id: EXPENSED, name: 'Expensed', client_id: 2, default_hourly_rate: 100 },
    { project_id: PLANNED, name: 'Only planned', client_id: 2 },
    { project_id: WORKED, name: 'Only worked', non_billable: 1 },
    { project_id: DRAFTED, name: 'Only drafted', status: 0 },
    { project_id: LATE, name: 'Only late' },
    { project_id: FIRST_SITE, name: 'Website', client_id: 1 },
    { project_id: SECOND_SITE, name: 'Website', client_id: 2 },
    { project_id: RUINED, name: 'Canceled', status: 4 },
  ],
  phases: [
    { phase_id: CHEAP, project_id: PHASED, name: 'Cheap', default_hourly_rate: 80 },
    { phase_id: DEAR, project_id: PHASED, name: 'Dear', default_hourly_rate: 120 },
  ],
  project_tasks: [{ task_meta_id: 31, project_id: TAGGED, task_name: 'Drawing' }],
  tasks: [
    planned(1, ANA, TAGGED, '2026-01-05..2026-01-06', { hours: '2.3333', task_meta_id: 31 }),
    // Three allocations and two expenses of one project.
    planned(2, ANA, EXPENSED, '2026-01-12', { hours: 4 }),
    planned(3, BEN, EXPENSED, '2026-01-12', { hours: 4 }),
    planned(4, BEN, EXPENSED, '2026-01-22', { hours: 2 }),
    planned(5, BEN, PLANNED, '2026-01-20', { hours: 3 }),
    planned(6, BEN, DRAFTED, '2026-01-21'),
    planned(7, PIA, PLANNED, '2026-01-12..2026-01-16', { hours: 8 }),
    // A day off on Sunday the 25th, within work from Friday to Monday.
    planned(8, CY, TAGGED, '2026-01-23..2026-01-26', { hours: 5 }),
    planned(9, ANA, FIRST_SITE, '2026-01-27', { hours: 1 }),
    planned(10, ANA, SECOND_SITE, '2026-01-27', { hours: 2 }),
    planned(11, ANA, RUINED, '2026-01-28'),
    planned(12, CY, TAGGED, '2026-01-29', { status: 1, billable: 0 }),
  ],
  timeoffs: [{ timeoff_id: 1, people_id: CY, start_date: '2026-01-25', end_date: '2026-01-25' }],
  logged_time: [
    logged('t1', ANA, TAGGED, '2026-01-05', { hours: '0.3333', task_meta_id: 31 }),
    logged('t2', ANA, TAGGED, '2026-01-05', { hours: '0.3333', task_meta_id: 31 }),
    logged('t3', ANA, TAGGED, '2026-01-05', { hours: '0.3333', task_meta_id: 31 }),
    logged('before', BEN, EXPENSED, '2026-01-06', { hours: 2 }),
    logged('raise', BEN, EXPENSED, '2026-01-07', { hours: 2 }),
    // Two pages of an export: the second page has the entry in another phase.
    logged('moved', BEN, PHASED, '2026-01-08', { phase_id: CHEAP, hours: 3 }),
    logged('stayed', BEN, PHASED, '2026-01-08', { phase_id: CHEAP, hours: 3 }),
    logged('moved', BEN, PHASED, '2026-01-08', { phase_id: DEAR, hours: 3 }),
    // Cy without a contract, and with one.
    logged('gap', CY, TAGGED, '2026-01-09', { hours: 4 }),
    logged('contract', CY, TAGGED, '2026-01-12', { hours: 4 }),
    logged('worked', PIA, WORKED, '2026-01-10', { hours: '1.25' }),
    // After the cutoff.
    logged('late', ANA, LATE, '2026-01-16', { hours: 6 }),
    logged('later', BEN, EXPENSED, '2026-01-16', { hours: 6 }),
  ],
  project_expenses: [
    {
      project_expense_id: 1,
      project_id: EXPENSED,
      name: 'Hall',
      date: '2026-01-12',
      cost: '100',
      billable: 1,
      markup: 10,
    },
    { project_expense_id: 2, project_id: EXPENSED, name: 'Train', date: '2026-01-12', cost: '33.35' },
    { project_expense_id: 3, project_id: EXPENSED, name: 'Hotel', date: '2026-01-20', cost: '80', billable: 1 },
  ],
};

let company: Company;
beforeAll(async () => {
  company = await openCompany(records);
});
afterAll(() => company.close());

const projects = async (parameters: Record<string, string> = {}) => {
  return company.report('projects', { ...JANUARY, ...parameters });
};
const pivot = (group_by: string, parameters: Record<string, string> = {}) => {
  return company.report('pivot', { ...JANUARY, group_by, ...parameters });
};

function sum(rows: readonly Row[], name: string): string {
  return rows.reduce((total, row) => total.plus(String(row[name] ?? 0)), new Decimal(0)).toString();
}

const ADDITIVE = [...catalogue.measures.values()]
  // Future hours have other names in reports; without a baseline its measures are unknown, and without bills theirs.
  .filter(({ kind, group }) => kind === 'sum' && !['future', 'baseline', 'billing'].includes(group))
  .map(({ name }) => name);
const RATIOS = [...catalogue.measures.values()]
  .filter(({ kind, of }) => kind === 'percent' && ADDITIVE.includes(of.split(' / ')[1] ?? ''))
  .map(({ name }) => name);

const GROUPINGS = [
  'project',
  'client',
  'phase',
  'task',
  'person',
  'role',
  'department',
  'people_type',
  'project_status',
  'project_manager',
  'billable',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'client,month',
  'project,person,week',
  'department,billable',
  'phase,task,role,day',
];

describe('totals are the same in any grouping', () => {
  let expected: Row;
  beforeAll(async () => {
    expected = (await projects({ fields: [...ADDITIVE, ...RATIOS].join(',') })).totals;
  });

  test('the totals equal sums done by hand', () => {
    // Scheduled: 2 x 2.3333 + 4 + 4 + 2 + 3 + 5 x 8 + 2 x 5 + 1 + 2 = 70.6666; draft, tentative and canceled lines left out.
    // Actual up to the 15th: 3 x 0.3333 + 2 + 2 + 3 + 3 + 4 + 4 + 1.25 = 20.2499.
    expect(pick(expected, 'scheduled_hours', 'actual_hours', 'tentative_hours')).toEqual({
      scheduled_hours: '70.6666',
      actual_hours: '20.2499',
      tentative_hours: '8',
    });
    // Actual cost: 3 x 11.11 + 80 + 88 + 132 + 132 + (4 h of Cy without a contract) + 200 + 25.
    expect(pick(expected, 'actual_cost', 'actual_hours_without_cost_rate', 'expense_cost', 'expense_fees')).toEqual({
      actual_cost: '690.33',
      actual_hours_without_cost_rate: '4',
      expense_cost: '213.35',
      expense_fees: '190',
    });
  });

  test.each(GROUPINGS)('by %s', async (group_by) => {
    const measures = [...ADDITIVE, ...RATIOS];
    const { rows, totals } = await pivot(group_by, { measures: measures.join(',') });
    expect(rows.length).toBeGreaterThan(0);
    expect(totals).toEqual({ ...pick(totals, ...Object.keys(totals)), ...pick(expected, ...measures) });
    for (const name of ADDITIVE) expect([name, sum(rows, name)]).toEqual([name, expected[name]]);
  });

  test('by tag, for projects with two tags, one or none', async () => {
    const { totals } = await pivot('tag', { measures: ADDITIVE.join(',') });
    expect(pick(totals, ...ADDITIVE)).toEqual(pick(expected, ...ADDITIVE));
  });

  test('in the other reports, and with an interval', async () => {
    const noExpenses = ADDITIVE.filter((name) => !/expense|revenue|profit|scheduled_value|contract/.test(name));
    for (const [name, measures] of [
      ['projects', ADDITIVE],
      ['phases', ADDITIVE],
      ['people', noExpenses],
      ['tasks', noExpenses],
    ] as const) {
      for (const interval of ['none', 'week']) {
        const { rows, totals } = await company.report(name, { ...JANUARY, interval, fields: measures.join(',') });
        expect([name, pick(totals, ...measures)]).toEqual([name, pick(expected, ...measures)]);
        for (const measure of measures) expect([measure, sum(rows, measure)]).toEqual([measure, expected[measure]]);
      }
    }
  });

  test('also when computed from the lines themselves', async () => {
    const { rows } = await company.report('lines', { start_date: JANUARY.start_date, end_date: JANUARY.end_date });
    const toDate = rows.filter(({ date }) => String(date) <= JANUARY.cutoff_date);
    const of = (list: readonly Row[], kind: string) => list.filter((row) => row['kind'] === kind);
    expect(sum(of(rows, 'scheduled'), 'hours')).toBe(expected['scheduled_hours']);
    expect(sum(of(rows, 'scheduled'), 'fee')).toBe(expected['scheduled_fees']);
    expect(sum(of(toDate, 'actual'), 'cost')).toBe(expected['actual_cost']);
    expect(sum(of(toDate, 'actual'), 'fee')).toBe(expected['actual_fees']);
    expect(sum(of(rows, 'expense'), 'fee')).toBe(expected['expense_fees']);
  });
});

test('a project with two tags is in two rows but once in the totals', async () => {
  const { rows, totals, table } = await pivot('tag', {
    measures: 'actual_hours,actual_cost',
    project_id: `${TAGGED},${PHASED}`,
  });
  // Tagged 3 x 0.3333 + 4 + 4 = 8.9999 h, 3 x 11.11 + 200; Phased 3 + 3 h at 44.
  expect(rows).toEqual([
    { tag: 'alpha', actual_hours: '14.9999', actual_cost: '497.33' },
    { tag: 'beta', actual_hours: '8.9999', actual_cost: '233.33' },
  ]);
  expect(pick(totals, 'actual_hours', 'actual_cost')).toEqual({ actual_hours: '14.9999', actual_cost: '497.33' });
  expect(table.meta.notes).toEqual([expect.stringContaining('overlap')]);
});

test('a filter by two tags finds a project with both tags once', async () => {
  const { rows, totals } = await projects({ tag: 'alpha,beta', fields: 'name,actual_hours' });
  expect(rows).toEqual([
    { name: 'Phased', actual_hours: '6' },
    { name: 'Tagged', actual_hours: '8.9999' },
  ]);
  expect(totals['actual_hours']).toBe('14.9999');
});

test('an expense is not multiplied by allocations', async () => {
  const { rows } = await projects({ project_id: String(EXPENSED) });
  // Three allocations, three entries, three expenses: 100 + 33.35 + 80, and 110 + 0 + 80.
  expect(pick(rows[0], 'scheduled_hours', 'actual_hours', 'expense_cost', 'expense_fees')).toEqual({
    scheduled_hours: '10',
    actual_hours: '4',
    expense_cost: '213.35',
    expense_fees: '190',
  });
  // By person all expenses are in a single row without a person.
  const people = await pivot('person', { project_id: String(EXPENSED), measures: 'expense_cost' });
  expect(people.rows.map(({ person, expense_cost }) => [person, expense_cost])).toEqual([
    ['Ana', '0'],
    ['Ben', '0'],
    [null, '213.35'],
  ]);
});

test('three 20-minute entries cost what three lines cost', async () => {
  const { rows } = await pivot('task', { task_meta_id: '31', measures: 'actual_hours,actual_cost,actual_fees' });
  // 0.3333 h at 33.33 are 11.108889, so 11.11; three are 33.33, and not 0.9999 x 33.33 = 33.326667. The fees: 0.3333 x 66.6667 = 22.22.
  expect(pick(rows[0], 'actual_hours', 'actual_cost', 'actual_fees')).toEqual({
    actual_hours: '0.9999',
    actual_cost: '33.33',
    actual_fees: '66.66',
  });
});

test('a rate change on the day of the work: that day has the new rate, the day before the old one', async () => {
  const { rows } = await pivot('day', {
    people_id: String(BEN),
    project_id: String(EXPENSED),
    measures: 'actual_cost',
  });
  expect(rows.slice(0, 2)).toEqual([
    { day: '2026-01-06', actual_cost: '80' },
    { day: '2026-01-07', actual_cost: '88' },
  ]);
});

test("an entry moved to another phase takes that phase's rate", async () => {
  const { rows } = await company.report('phases', { ...JANUARY, project_id: String(PHASED) });
  // 3 h each: one stayed at 80, the other moved from 80 to 120.
  expect(rows.map((row) => pick(row, 'name', 'actual_hours', 'actual_fees'))).toEqual([
    { name: 'Cheap', actual_hours: '3', actual_fees: '240' },
    { name: 'Dear', actual_hours: '3', actual_fees: '360' },
  ]);
});

test('a missing rate is not zero', async () => {
  // Cy has no bill rate at all: the fee is unknown, and so is the margin.
  const { rows } = await pivot('person', {
    people_id: String(CY),
    measures: 'actual_fees,actual_hours_without_bill_rate,actual_profit,actual_margin_percent,actual_revenue',
  });
  expect(
    pick(rows[0], 'actual_fees', 'actual_revenue', 'actual_margin_percent', 'actual_hours_without_bill_rate'),
  ).toEqual({
    actual_fees: null,
    actual_revenue: null,
    actual_margin_percent: null,
    actual_hours_without_bill_rate: '8',
  });
});

test('a contract gap: hours without a contract have an unknown cost, and are listed', async () => {
  const { rows } = await pivot('day', {
    people_id: String(CY),
    measures: 'actual_hours,actual_cost,actual_hours_without_cost_rate',
    end_date: '2026-01-15',
  });
  expect(rows).toEqual([
    { day: '2026-01-09', actual_hours: '4', actual_cost: null, actual_hours_without_cost_rate: '4' },
    { day: '2026-01-12', actual_hours: '4', actual_cost: '200', actual_hours_without_cost_rate: '0' },
  ]);
  const quality = await company.report('data-quality', { start_date: '2026-01-01', end_date: '2026-01-31' });
  const found = quality.rows.filter(({ check }) => check === 'hours_without_cost_rate');
  expect(found.map((row) => pick(row, 'id', 'date', 'hours'))).toEqual([{ id: 'gap', date: '2026-01-09', hours: '4' }]);
});

test('a day off on a weekend takes no hours', async () => {
  const window = { start_date: '2026-01-23', end_date: '2026-01-26', people_id: String(CY) };
  const { rows } = await company.report('people', window);
  // Friday and Monday; Sunday's day off takes no hours and causes no overtime.
  expect(pick(rows[0], 'capacity_hours', 'time_off_hours', 'scheduled_hours', 'overtime_hours')).toEqual({
    capacity_hours: '16',
    time_off_hours: '0',
    scheduled_hours: '10',
    overtime_hours: '0',
  });
});

test('40 hours over 5 days of unequal length', async () => {
  const window = { start_date: '2026-01-12', end_date: '2026-01-18', people_id: String(PIA) };
  const { rows } = await company.report('people', { ...window, interval: 'day' });
  expect(
    rows.map((row) => [row['scheduled_hours'], row['capacity_hours'], row['overtime_hours'], row['unscheduled_hours']]),
  ).toEqual([
    ['8', '10', '0', '2'],
    ['8', '8', '0', '0'],
    ['8', '8', '0', '0'],
    ['8', '8', '0', '0'],
    ['8', '6', '2', '0'],
    ['0', '0', '0', '0'],
    ['0', '0', '0', '0'],
  ]);
  const { totals } = await company.report('people', window);
  // Two hours too many on Friday are not offset by two too few on Monday.
  expect(
    pick(totals, 'scheduled_hours', 'capacity_hours', 'overtime_hours', 'unscheduled_hours', 'scheduled_percent'),
  ).toEqual({
    scheduled_hours: '40',
    capacity_hours: '40',
    overtime_hours: '2',
    unscheduled_hours: '2',
    scheduled_percent: '100',
  });
});

test('scheduled-only and actual-only projects both appear', async () => {
  const { rows } = await projects({ project_id: `${PLANNED},${WORKED}` });
  expect(rows.map((row) => pick(row, 'name', 'scheduled_hours', 'actual_hours'))).toEqual([
    { name: 'Only planned', scheduled_hours: '43', actual_hours: '0' },
    { name: 'Only worked', scheduled_hours: '0', actual_hours: '1.25' },
  ]);
});

test('two projects with one name stay two rows', async () => {
  const expected: [Value, string][] = [
    [FIRST_SITE, '1'],
    [SECOND_SITE, '2'],
  ];
  for (const { rows } of [await projects(), await pivot('project', { measures: 'scheduled_hours' })]) {
    const sites = rows.filter((row) => row['name'] === 'Website' || row['project'] === 'Website');
    expect(sites.map(({ project_id, scheduled_hours }) => [project_id, scheduled_hours])).toEqual(expected);
  }
});

test('a draft-only project appears as a row of zeros', async () => {
  const { rows } = await projects({ project_id: String(DRAFTED), fields: ADDITIVE.join(',') });
  expect(rows).toHaveLength(1);
  for (const name of ADDITIVE) expect([name, rows[0]?.[name]]).toEqual([name, '0']);
  const drafted = await projects({ project_id: String(DRAFTED), status: 'draft' });
  expect(drafted.totals['scheduled_hours']).toBe('8');
});

test('a project with only canceled lines has no row unless include_empty is set', async () => {
  expect(column((await projects()).rows, 'name')).not.toContain('Canceled');
  const { rows } = await projects({ include_empty: '1', project_id: String(RUINED) });
  expect(rows.map((row) => pick(row, 'name', 'scheduled_hours'))).toEqual([{ name: 'Canceled', scheduled_hours: '0' }]);
});

test('actuals after the cutoff count nowhere, but their project has a row', async () => {
  const late = await projects({ project_id: String(LATE), fields: ADDITIVE.join(',') });
  expect(late.rows).toHaveLength(1);
  for (const name of ADDITIVE) expect([name, late.rows[0]?.[name]]).toEqual([name, '0']);
  const { rows } = await projects({ project_id: String(EXPENSED) });
  // 2 + 2 h to date, and 2 h scheduled after the cutoff; the 6 h logged on the 16th not.
  expect(pick(rows[0], 'actual_hours', 'forecast_hours', 'scheduled_to_date_hours', 'variance_hours')).toEqual({
    actual_hours: '4',
    forecast_hours: '6',
    scheduled_to_date_hours: '8',
    variance_hours: '-4',
  });
  const after = await projects({ project_id: String(LATE), cutoff_date: '2026-01-16' });
  expect(after.totals['actual_hours']).toBe('6');
});

test('two reports requested at the same time are both complete', async () => {
  const hours = async (parameters?: Record<string, string>) => (await projects(parameters)).totals['scheduled_hours'];
  expect(await Promise.all([hours(), hours({ project_id: String(EXPENSED) })])).toEqual(['70.6666', '10']);
});

test.each([
  ['JPY', 0, '333', '33'],
  ['EUR', 2, '333.3', '33.33'],
  ['KWD', 3, '333.3', '33.33'],
  ['BHD', 3, '333.3', '33.33'],
])('a yen has no decimals, a dinar three: %s has %s', async (currency, minorUnits, cost, fees) => {
  const own = await openCompany({
    settings: { currency },
    people: [{ people_id: 1, name: 'Ana', cost_rate: '333.3', default_hourly_rate: '100' }],
    projects: [{ project_id: 1, name: 'One' }],
    logged_time: [logged('a', 1, 1, '2026-01-05'), logged('b', 1, 1, '2026-01-05', { hours: '0.3333', billable: 1 })],
    project_expenses: [
      { project_expense_id: 1, project_id: 1, name: 'Ink', date: '2026-01-05', cost: '1.2345', billable: 1 },
    ],
  });
  try {
    const { rows } = await own.report('lines', { start_date: '2026-01-05', end_date: '2026-01-05' });
    const { totals, table } = await own.report('projects', JANUARY);
    expect([table.meta.currency, table.meta.minor_units]).toEqual([currency, minorUnits]);
    // 1 h at 333.3, and 0.3333 h at 100; the expense of 1.2345.
    expect(rows[0]?.['cost']).toBe(cost);
    expect(rows[1]?.['fee']).toBe(fees);
    expect(totals['expense_fees']).toBe({ 0: '1', 2: '1.23', 3: '1.235' }[minorUnits]);
  } finally {
    await own.close();
  }
});
