import { afterAll, beforeAll, expect, test } from 'vitest';
import { RATE_LIMIT } from '../../src/records/resource/field.ts';
import { type Company, openCompany, pick, REPORT_NAMES, type Row } from './company.ts';

const DAY = '2026-01-05';
const WINDOW = { start_date: DAY, end_date: DAY, cutoff_date: DAY };
const [PROJECT, NON_BILLABLE, MARGIN] = [10, 11, 12];

/** Hours, a rate, and their product rounded to 0, 2 and 3 decimals. Each has its own person and entry. */
const PRODUCTS = [
  // Exact.
  ['8', '100', '800', '800', '800'],
  // 0.5, 1.5 and 2.5: away from zero, not to the even neighbor.
  ['0.5', '1', '1', '0.5', '0.5'],
  ['1.5', '1', '2', '1.5', '1.5'],
  ['2.5', '1', '3', '2.5', '2.5'],
  // 0.125, 1.005 and 0.115: floats hold 1.005 as 1.00499..., and would round it down.
  ['0.125', '1', '0', '0.13', '0.125'],
  ['1.005', '1', '1', '1.01', '1.005'],
  ['0.1', '1.15', '0', '0.12', '0.115'],
  // 2.0005 and 2.00049999: exactly at the half, and just below it.
  ['2.0005', '1', '2', '2', '2.001'],
  ['2.0001', '1.0001', '2', '2', '2'],
  // 0.3333 x 99.99 = 33.326667.
  ['0.3333', '99.99', '33', '33.33', '33.327'],
  // 24 x 399999999.9999 = 9599999999.9976: beyond the products of 64 bits.
  ['24', '399999999.9999', '9600000000', '9600000000', '9599999999.998'],
  // 0.166667 x 180 = 30.00006, and a rate in rupiah: 0.166667 x 1500000000 = 250000500.
  ['0.166667', '180', '30', '30', '30'],
  ['0.166667', '1500000000', '250000500', '250000500', '250000500'],
] as const;

const EXPENSES = [
  // cost, billable, markup, markup_type; cost and fee to 2 decimals.
  ['no markup', { cost: '100', billable: 1 }, '100', '100'],
  ['a markup of 10 %', { cost: '100', billable: 1, markup: '10', markup_type: 0 }, '100', '110'],
  ['a markup without a type is a percentage', { cost: '100', billable: 1, markup: '10' }, '100', '110'],
  ['a markup by an amount', { cost: '100', billable: 1, markup: '10', markup_type: 1 }, '100', '110'],
  ['a small markup of 5 %', { cost: '20', billable: 1, markup: '5', markup_type: 0 }, '20', '21'],
  ['a small markup by an amount', { cost: '20', billable: 1, markup: '5', markup_type: 1 }, '20', '25'],
  ['a null markup', { cost: '100', billable: 1, markup: null, markup_type: 1 }, '100', '100'],
  ['a markup when not billable', { cost: '100', billable: 0, markup: '10', markup_type: 0 }, '100', '0'],
  ['a cost of 0 with a markup by an amount', { cost: '0', billable: 1, markup: '10', markup_type: 1 }, '0', '10'],
  // 0.10 x 1.15 = 0.115; 33.3333 x 1.125 = 37.4999625; cost 33.3333.
  ['half a cent from a percentage', { cost: '0.10', billable: 1, markup: '15', markup_type: 0 }, '0.1', '0.12'],
  ['a cost of 4 decimals', { cost: '33.3333', billable: 1, markup: '12.5', markup_type: 0 }, '33.33', '37.5'],
  // The fee is computed from the unrounded cost: 0.005 x 3 = 0.015.
  ['a cost of half a cent', { cost: '0.005', billable: 1, markup: '200', markup_type: 0 }, '0.01', '0.02'],
  ['a markup by half a cent', { cost: '1', billable: 1, markup: '0.005', markup_type: 1 }, '1', '1.01'],
  // Credit notes: a percentage follows the cost, an amount stays as given.
  ['a credit', { cost: '-100', billable: 1 }, '-100', '-100'],
  ['a credit with a markup of 10 %', { cost: '-100', billable: 1, markup: '10', markup_type: 0 }, '-100', '-110'],
  ['a credit with a markup by an amount', { cost: '-100', billable: 1, markup: '10', markup_type: 1 }, '-100', '-90'],
  ['a credit when not billable', { cost: '-100', billable: 0 }, '-100', '0'],
  ['half a cent of a credit', { cost: '-0.005', billable: 1, markup: '200', markup_type: 0 }, '-0.01', '-0.02'],
] as const;
const EXPENSE_CASES = EXPENSES.map(([what, , cost, fee], index) => [what, cost, fee, index + 1] as const);

const records = (currency: string) => ({
  settings: { currency },
  people: [
    ...PRODUCTS.map(([, rate], index) => ({
      people_id: index + 1,
      name: `Person ${index + 1}`,
      cost_rate: rate,
      default_hourly_rate: rate,
    })),
    { people_id: 100, name: 'Nobody knows' },
  ],
  projects: [
    { project_id: PROJECT, name: 'Billable' },
    { project_id: NON_BILLABLE, name: 'Non-billable', non_billable: 1 },
    { project_id: MARGIN, name: 'Percentages' },
  ],
  tasks: [
    ...PRODUCTS.map(([hours], index) => ({
      task_id: index + 1,
      project_id: PROJECT,
      people_id: index + 1,
      start_date: DAY,
      end_date: DAY,
      hours,
    })),
    { task_id: 50, project_id: MARGIN, people_id: 1, start_date: DAY, end_date: DAY, hours: 8 },
  ],
  logged_time: [
    ...PRODUCTS.map(([hours], index) => ({
      logged_time_id: `p${index + 1}`,
      project_id: PROJECT,
      people_id: index + 1,
      date: DAY,
      hours,
    })),
    { logged_time_id: 'n', project_id: NON_BILLABLE, people_id: 1, date: DAY, hours: 2 },
    { logged_time_id: 'n-unknown', project_id: NON_BILLABLE, people_id: 100, date: DAY, hours: 2 },
    { logged_time_id: 'm', project_id: MARGIN, people_id: 1, date: DAY, hours: '7.99' },
  ],
  project_expenses: EXPENSES.map(([, expense], index) => ({
    project_expense_id: index + 1,
    project_id: PROJECT,
    name: 'Material',
    date: DAY,
    ...expense,
  })),
});

const companies = new Map<string, { company: Company; lines: ReadonlyMap<unknown, Row> }>();

beforeAll(async () => {
  for (const currency of ['JPY', 'USD', 'KWD']) {
    const company = await openCompany(records(currency));
    const lines = new Map((await company.ledger()).map((line) => [line['line_id'], line]));
    companies.set(currency, { company, lines });
  }
});
afterAll(async () => {
  for (const { company } of companies.values()) await company.close();
});

function line(currency: string, id: string): Row | undefined {
  return companies.get(currency)?.lines.get(id);
}

async function report(name: string, parameters: Record<string, string>) {
  const entry = companies.get('USD');
  if (!entry) throw new Error('The company is not open');
  return entry.company.report(name, { ...WINDOW, ...parameters });
}

const ROUNDED = PRODUCTS.flatMap(([hours, rate, yen, dollars, dinars], index) => [
  ['JPY', hours, rate, yen, index + 1] as const,
  ['USD', hours, rate, dollars, index + 1] as const,
  ['KWD', hours, rate, dinars, index + 1] as const,
]);

test.each(ROUNDED)('A1, A2: in %s, %s h at %s are %s', (currency, hours, rate, amount, id) => {
  const expected = { hours, cost_rate: rate, cost: amount, bill_rate: rate, fee: amount };
  const columns = ['hours', 'cost_rate', 'cost', 'bill_rate', 'fee'];
  expect(pick(line(currency, `a:p${id}`), ...columns)).toEqual(expected);
  expect(pick(line(currency, `s:${id}:${id}:${DAY}`), ...columns)).toEqual(expected);
});

test('A1: a total is the sum of the rounded lines, and reports the rounding difference', async () => {
  // The products of 0.5 h and of 0.125 h at 1: 0.5 + 0.13, unrounded 0.625.
  const { totals, table } = await report('pivot', {
    group_by: 'person',
    people_id: '2,5',
    project_id: String(PROJECT),
  });
  expect(totals['actual_cost']).toBe('0.63');
  const moved = table.meta.checks.filter(({ check }) => check.includes('before rounding'));
  expect(moved).toHaveLength(2);
  expect(moved.every(({ ok, left, right }) => ok && left !== right)).toBe(true);
});

test('A1: percentages are also rounded half away from zero, last and from the totals', async () => {
  // 7.99 h of 8 h: -0.01 / 8 = -0.125 %; the fees, 6392 of 6400, give the same.
  const { rows, totals } = await report('projects', { project_id: String(MARGIN) });
  expect(pick(rows[0], 'variance_hours', 'variance_hours_percent')).toEqual({
    variance_hours: '-0.01',
    variance_hours_percent: '-0.13',
  });
  expect(totals['variance_cost_percent']).toBe('-0.13');
});

test('A2: a line that is not billable has a cost, its bill rate and a fee of 0', () => {
  expect(pick(line('USD', 'a:n'), 'billable', 'cost', 'bill_rate', 'bill_rate_source', 'fee')).toEqual({
    billable: false,
    cost: '200',
    bill_rate: '100',
    bill_rate_source: 'person',
    fee: '0',
  });
});

test('A2: a line that is not billable has a fee of 0 even without a bill rate', async () => {
  expect(pick(line('USD', 'a:n-unknown'), 'cost', 'bill_rate', 'fee')).toEqual({
    cost: null,
    bill_rate: null,
    fee: '0',
  });
  const { totals } = await report('projects', { project_id: String(NON_BILLABLE) });
  expect(pick(totals, 'actual_fees', 'actual_hours_without_bill_rate', 'actual_hours_without_cost_rate')).toEqual({
    actual_fees: '0',
    actual_hours_without_bill_rate: '0',
    actual_hours_without_cost_rate: '2',
  });
});

test.each(EXPENSE_CASES)('A3: an expense with %s costs %s and is billed at %s', (_what, cost, fee, id) => {
  expect(pick(line('USD', `e:${id}`), 'cost', 'fee', 'hours', 'cost_rate', 'bill_rate')).toEqual({
    cost,
    fee,
    hours: null,
    cost_rate: null,
    bill_rate: null,
  });
});

test('A3: halves of a yen and of a fils are rounded', () => {
  // 0.10 x 1.15 = 0.115 and 33.3333 x 1.125 = 37.4999625.
  expect([line('JPY', 'e:10')?.['fee'], line('KWD', 'e:10')?.['fee']]).toEqual(['0', '0.115']);
  expect([line('JPY', 'e:11')?.['fee'], line('KWD', 'e:11')?.['fee']]).toEqual(['37', '37.5']);
  expect([line('JPY', 'e:11')?.['cost'], line('KWD', 'e:11')?.['cost']]).toEqual(['33', '33.333']);
});

test('A4: no column has a floating type, in any schema', async () => {
  const { company } = companies.get('USD') ?? {};
  const columns = await company?.rows(
    `SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal`,
  );
  const schemas = new Set(columns?.map(({ schema_name }) => schema_name));
  for (const schema of ['source', 'staging', 'core', 'marts', 'quality']) expect(schemas).toContain(schema);
  const floating = columns?.filter(({ data_type }) => /DOUBLE|FLOAT|REAL/.test(String(data_type)));
  expect(floating).toEqual([]);
  const amounts = columns?.filter(({ schema_name, table_name, column_name }) => {
    return (
      schema_name === 'core' &&
      table_name === 'ledger' &&
      /^(hours|cost|fee|cost_rate|bill_rate)$/.test(String(column_name))
    );
  });
  expect(amounts).toHaveLength(5);
  for (const { column_name, data_type } of amounts ?? [])
    expect(data_type).toBe(column_name === 'hours' ? 'DECIMAL(10,6)' : 'DECIMAL(18,4)');
});

test('A4: no column of any report has a floating type', async () => {
  const { company } = companies.get('USD') ?? {};
  for (const [name, more] of [
    ['projects', {}],
    ['phases', {}],
    ['people', {}],
    ['tasks', {}],
    ['pivot', { group_by: 'project' }],
  ] as const) {
    const read = await company?.report(name, { ...WINDOW, ...more });
    // A float would be a JavaScript number; decimals are texts, whole numbers are ids.
    const floats = read?.table.columns.filter(({ unit, name: column }) => {
      return ['hours', 'money', 'percent', 'budget', 'rate'].includes(unit) && typeof read.totals[column] === 'number';
    });
    expect(floats).toEqual([]);
  }
});

test('A4: decimals are read exactly, to their last digit', { tags: ['slow'] }, async () => {
  // 0.1 + 0.2 three times: floats give 0.9000000000000001.
  const company = await openCompany({
    people: [{ people_id: 1, name: 'Ana', cost_rate: '0.1' }],
    projects: [{ project_id: 1, name: 'One' }],
    logged_time: [1, 2, 3].flatMap((entry) => [
      { logged_time_id: `a${entry}`, people_id: 1, project_id: 1, date: DAY, hours: 0.1 },
      { logged_time_id: `b${entry}`, people_id: 1, project_id: 1, date: DAY, hours: '0.2' },
    ]),
  });
  try {
    const { totals } = await company.report('projects', WINDOW);
    expect(totals['actual_hours']).toBe('0.9');
    // 0.01 and 0.02, each three times.
    expect(totals['actual_cost']).toBe('0.09');
  } finally {
    await company.close();
  }
});

test('A4: the largest amount of a line, and a sum of such amounts, is exact', { tags: ['slow'] }, async () => {
  // A thousand lines of 24 h at 999,999,999,999.9999, each 24,000,000,000,000.00: four fit the type of an amount.
  const company = await openCompany({
    people: [{ people_id: 1, name: 'Ana', cost_rate: '999999999999.9999', default_hourly_rate: '999999999999.9999' }],
    projects: [{ project_id: 1, name: 'One' }],
    logged_time: Array.from({ length: 1001 }, (_, index) => ({
      logged_time_id: String(index),
      people_id: 1,
      project_id: 1,
      date: DAY,
      hours: index < 1000 ? 24 : '0.0001',
    })),
  });
  try {
    const { totals } = await company.report('projects', WINDOW);
    // And 0.0001 h: 99,999,999.99999999, rounded to 100,000,000.00.
    expect(totals['actual_cost']).toBe('24000000100000000');
    expect(totals['actual_margin_percent']).toBe('0');
  } finally {
    await company.close();
  }
});

test('A4: each report shows sums of the largest amounts of a month', { tags: ['slow'] }, async () => {
  const rate = '999999999999.9999';
  const largest = { project_id: 1, date: DAY, cost: '99999999999', markup: '99900', billable: 1 };
  const company = await openCompany({
    people: [{ people_id: 1, name: 'Ana', cost_rate: rate, default_hourly_rate: rate }],
    projects: [{ project_id: 1, name: 'One', budget_type: 2, budget_total: '99999999999' }],
    tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: DAY, end_date: DAY, hours: 24 }],
    logged_time: [1, 2].map((id) => ({
      logged_time_id: String(id),
      people_id: 1,
      project_id: 1,
      date: DAY,
      hours: 24,
    })),
    project_expenses: [1, 2].map((id) => ({ project_expense_id: id, name: `Site ${id}`, ...largest })),
  });
  try {
    const window = { start_date: '2026-01-01', end_date: '2026-03-31' };
    const requests: [string, Record<string, string>][] = [
      ...REPORT_NAMES.map((name): [string, Record<string, string>] => [name, {}]),
      ['pivot', { columns: 'month', subtotals: '1', group_by: 'client,project' }],
      ...['cost', 'fees', 'profit'].map((bridge): [string, Record<string, string>] => ['projects', { bridge }]),
      ['projects', { fields: 'name,earned_value,spi,cpi', earned_in: 'fees' }],
      ['people', { interval: 'week' }],
    ];
    for (const [name, sent] of requests) {
      const read = company.report(name, { ...window, ...(name === 'pivot' && { group_by: 'client,month' }), ...sent });
      await expect(read, `${name} ${JSON.stringify(sent)}`).resolves.toBeDefined();
    }
    const { totals } = await company.report('projects', window);
    expect(totals['expense_fees']).toBe('199999999998000');
    expect(totals['actual_cost']).toBe('48000000000000');
  } finally {
    await company.close();
  }
});

test('A4: a record with a rate or cost that is too large is set aside, and the value named', {
  tags: ['slow'],
}, async () => {
  const company = await openCompany({
    people: [
      { people_id: 1, name: 'Too much', cost_rate: RATE_LIMIT },
      { people_id: 2, name: 'Just not', cost_rate: '999999999999.9999' },
    ],
    projects: [{ project_id: 1, name: 'One' }],
    project_expenses: [
      { project_expense_id: 1, project_id: 1, name: 'Too much', date: DAY, cost: '1e400' },
      {
        project_expense_id: 2,
        project_id: 1,
        name: 'With its markup',
        date: DAY,
        cost: '99999999999',
        markup: '99999999999',
        billable: 1,
      },
      {
        project_expense_id: 3,
        project_id: 1,
        name: 'Fine',
        date: DAY,
        cost: '99999999999',
        markup: '99900',
        billable: 1,
      },
    ],
  });
  try {
    const rejected = await company.rows(
      'SELECT resource, record_id, reasons FROM source.rejected ORDER BY resource, record_id',
    );
    expect(rejected.map(({ resource, record_id }) => `${resource} ${record_id}`)).toEqual([
      'people 1',
      'project_expenses 1',
      'project_expenses 2',
    ]);
    for (const { reasons } of rejected)
      expect(reasons).toEqual([expect.stringMatching(/^(cost|cost_rate): .|too large$/)]);
    const { totals } = await company.report('projects', WINDOW);
    // 99,999,999,999 x 1000.
    expect(totals['expense_fees']).toBe('99999999999000');
  } finally {
    await company.close();
  }
});

test('A4: a record with a fee that is too large only after rounding is set aside, and the value named', {
  tags: ['slow'],
}, async () => {
  // 49,999,999,975 x 2000.000001 = 99,999,999,999,999.999975, which rounds to one digit more than an amount has.
  const company = await openCompany({
    projects: [{ project_id: 1, name: 'One' }],
    project_expenses: [
      {
        project_expense_id: 7,
        project_id: 1,
        name: 'Edge',
        date: DAY,
        cost: '49999999975',
        markup: '199900.0001',
        billable: 1,
      },
    ],
  });
  try {
    const rejected = await company.rows('SELECT resource, record_id FROM source.rejected');
    expect(rejected).toEqual([{ resource: 'project_expenses', record_id: '7' }]);
  } finally {
    await company.close();
  }
});
