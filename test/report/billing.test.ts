// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { explainLine } from '../../src/numbers/report/explain/explain-line.ts';
import { buildCompany, type Company, catalogue, companyOf, openCompany, type Records } from '../sql/company.ts';

const PEOPLE = [{ people_id: 1, name: 'Ana', default_hourly_rate: '100', cost_rate: '50' }];

/** Returns logged time of Ana. */
const logged = (project_id: number, id: string, date: string, hours: number, more: object = {}) => ({
  ...{ logged_time_id: id, people_id: 1, project_id, date, hours },
  ...more,
});

const MARCH = { start_date: '2026-03-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' };

/** Returns measures of projects as one text each: the number, or - for none. */
async function measured(company: Company, names: readonly string[], asked: Readonly<Record<string, string>> = {}) {
  const { rows, totals } = await company.report('pivot', {
    ...MARCH,
    ...{ group_by: 'project', measures: names.join(',') },
    ...asked,
  });
  const write = (row: Readonly<Record<string, unknown>>) => names.map((name) => row[name] ?? '-').join(' ');
  return [...rows.map(write), write(totals)];
}

/** A, time and materials, and B, a fixed fee by progress, of one client. */
const A_AND_B: Records = {
  settings: { currency: 'EUR' },
  clients: [{ client_id: 7, name: 'Acme' }],
  people: PEOPLE,
  projects: [
    { project_id: 1, name: 'A', client_id: 7 },
    { project_id: 2, name: 'B', client_id: 7, budget_type: 2, budget_total: '10000' },
  ],
  logged_time: [
    logged(1, '1', '2026-03-02', 10),
    logged(1, '2', '2026-03-03', 5),
    logged(1, '3', '2026-03-04', 2),
    logged(2, '4', '2026-03-10', 8),
    logged(2, '5', '2026-04-10', 8),
  ],
  progress: [
    { progress_id: 1, project_id: 2, date: '2026-03-31', percent: 40 },
    { progress_id: 2, project_id: 2, date: '2026-04-30', percent: 75 },
  ],
  invoices: [
    {
      ...{ invoice_id: 1, number: 'INV-1', client_id: 7, issue_date: '2026-03-31', due_date: '2026-04-30' },
      lines: [
        {
          ...{ invoice_line_id: 11, project_id: 1, amount: '1350', kind: 'time' },
          covers: [{ logged_time_id: '1' }, { logged_time_id: '2' }],
        },
      ],
    },
    {
      ...{ invoice_id: 2, client_id: 7, issue_date: '2026-03-01' },
      lines: [{ invoice_line_id: 21, project_id: 2, amount: '6000', kind: 'fixed' }],
    },
  ],
  write_offs: [
    {
      ...{ write_off_id: 1, project_id: 1, date: '2026-03-31', amount: '150', reason: 'Rework' },
      covers: [{ logged_time_id: '1' }, { logged_time_id: '2' }],
    },
  ],
};

const BALANCES = ['position', 'contract_asset', 'contract_liability', 'unbilled_fees', 'billing_difference'];

describe('A and B', () => {
  let database: Database;
  let company: Company;
  beforeAll(async () => {
    database = await buildCompany(A_AND_B, new Date('2026-05-02T12:00:00Z'));
    company = companyOf(database);
  });
  afterAll(() => company.close());

  it('spreads amounts over what they cover by value (M4)', async () => {
    const covers = await company.rows(
      'SELECT bill_kind, line_id, amount FROM core.covers ORDER BY bill_kind, bill_id, line_id',
    );
    expect(covers.map(({ bill_kind, line_id, amount }) => `${bill_kind} ${line_id} ${amount}`)).toEqual([
      'invoice a:1 900',
      'invoice a:2 450',
      'write_off a:1 100',
      'write_off a:2 50',
    ]);
  });

  it('nets earned, billed and written off within a contract, never across (M2)', async () => {
    expect(await measured(company, ['actual_revenue', 'invoiced', 'written_off', 'net_revenue'])).toEqual([
      '1700 1350 150 1550',
      '4000 6000 0 4000',
      '5700 7350 150 5550',
    ]);
    expect(await measured(company, BALANCES)).toEqual(['200 200 0 200 0', '-2000 0 2000 0 0', '-1800 200 2000 200 0']);
    expect(await measured(company, BALANCES, { group_by: 'client' })).toEqual([
      '-1800 200 2000 200 0',
      '-1800 200 2000 200 0',
    ]);
    expect(await measured(company, ['realization_percent', 'undecided_fees'], { project_id: '1' })).toEqual([
      '90 200',
      '90 200',
    ]);
  });

  it('says which work is not billed for 90 days', async () => {
    const asked = { start_date: '2026-03-01', end_date: '2026-06-30', cutoff_date: '2026-06-30', insights: '1' };
    const { told } = await company.report('projects', asked);
    const said = told.flatMap(({ insights }) => insights).filter(({ rule }) => rule === 'unbilled_over_90');
    expect(said.map(({ text }) => text)).toEqual([
      'Work of 200.00 EUR is not billed for more than 90 days. In all 200.00 EUR of it is to bill.',
    ]);
  });

  it('has the position alone of parts of contracts (M2)', async () => {
    const names = ['position', 'contract_asset', 'unbilled_fees'];
    expect(await measured(company, names, { group_by: 'person', project_id: '1' })).toEqual([
      '1700 - -',
      '-1500 - -',
      '200 - -',
    ]);
    expect(await measured(company, names, { people_id: '1', project_id: '1' })).toEqual(['1700 - -', '1700 - -']);
  });

  it('carries balances on from row to row (M2)', async () => {
    const asked = { ...MARCH, end_date: '2026-04-30', cutoff_date: '2026-04-30' };
    const names = ['opening_position', 'actual_revenue', 'invoiced', 'written_off', 'position', 'unbilled_31_60'];
    expect(await measured(company, names, { ...asked, group_by: 'project,month' })).toEqual([
      '0 1700 1350 150 200 0',
      '200 0 0 0 200 200',
      '0 4000 6000 0 -2000 0',
      '-2000 3500 0 0 1500 0',
      '0 9200 7350 150 1700 200',
    ]);
    const { rows } = await company.report('contracts', { ...asked, start_date: '2026-04-01' });
    expect(rows.map((row) => [row['name'], row['opening_position'], row['actual_revenue'], row['position']])).toEqual([
      ['A', '200', '0', '200'],
      ['B', '-2000', '3500', '1500'],
    ]);
  });

  it('lists lines of invoices and write-offs behind their amounts alone, and explains them (I2)', async () => {
    const { rows } = await company.report('lines', { ...MARCH, report: 'projects', measure: 'invoiced' });
    expect(rows.map((row) => `${row['kind']} ${row['line_id']} ${row['contribution']}`)).toEqual([
      'invoice i:21 6000',
      'invoice i:11 1350',
    ]);
    const all = await company.report('lines', { ...MARCH });
    expect(all.rows.some((row) => row['kind'] === 'invoice')).toBe(false);
    const explained = await Promise.all(
      ['i:11', 'w:1'].map((id) => explainLine(database, { full: catalogue, withoutRates: catalogue }, true, id)),
    );
    expect(explained.map(({ steps }) => steps.map(({ name }) => name).join(' '))).toEqual([
      'day project amount',
      'day amount',
    ]);
    const marts = await company.rows(
      "SELECT line_id, amount, project FROM marts.lines WHERE kind IN ('invoice', 'write_off') ORDER BY line_id",
    );
    expect(marts.map(({ line_id, amount, project }) => `${line_id} ${amount} ${project}`)).toEqual([
      'i:11 1350 A',
      'i:21 6000 B',
      'w:1 150 A',
    ]);
  });
});

/** Returns the texts of a query of a company. */
async function inCompany<T>(records: Records, ask: (company: Company) => Promise<T>): Promise<T> {
  const company = companyOf(await buildCompany(records, new Date('2026-05-02T12:00:00Z')));
  try {
    return await ask(company);
  } finally {
    await company.close();
  }
}

it('leaves a difference to the value of what is billed below it, without a write-off (M5)', async () => {
  const balances = await inCompany({ ...A_AND_B, write_offs: [] }, (company) =>
    measured(company, BALANCES, { project_id: '1' }),
  );
  expect(balances[0]).toBe('350 350 0 200 150');
});

it('has work outside the periods of a retainer to bill, and none within (M3)', async () => {
  const amounts = [{ amount: 40, price: '3600' }];
  const company = await openCompany({
    ...{ settings: { currency: 'EUR' }, people: PEOPLE, projects: [{ project_id: 1, name: 'A' }] },
    retainers: [{ retainer_id: 1, project_id: 1, start_date: '2026-03-01', end_date: '2026-03-31', amounts }],
    logged_time: [
      logged(1, '1', '2026-02-27', 2),
      logged(1, '2', '2026-02-28', 3),
      logged(1, '3', '2026-03-02', 8),
      logged(1, '4', '2026-04-01', 4),
    ],
    invoices: [
      {
        ...{ invoice_id: 1, number: 'INV-1', issue_date: '2026-03-01' },
        lines: [{ invoice_line_id: 11, project_id: 1, amount: '190', kind: 'time', covers: [{ logged_time_id: '1' }] }],
      },
    ],
  });
  const asked = { start_date: '2026-02-01', end_date: '2026-04-30', cutoff_date: '2026-04-30' };
  // 3 h and 4 h are to bill. The position has the month of the retainer, too: 3,600.00 + 900.00 - 190.00.
  expect(await measured(company, ['position', 'unbilled_fees', 'billing_difference'], asked)).toEqual([
    '4310 700 10',
    '4310 700 10',
  ]);
  await company.close();
});

it('rounds cumulatively, in the order of days and ids (M4)', async () => {
  const records: Records = {
    ...A_AND_B,
    people: [{ ...PEOPLE[0], default_hourly_rate: '33.33' }],
    projects: [{ project_id: 1, name: 'A' }],
    progress: [],
    write_offs: [],
    logged_time: ['1', '2', '3'].map((id) => logged(1, id, '2026-03-02', 1)),
    invoices: [
      {
        ...{ invoice_id: 1, issue_date: '2026-03-31' },
        lines: [
          {
            ...{ invoice_line_id: 1, project_id: 1, amount: '100' },
            covers: ['1', '2', '3'].map((id) => ({ logged_time_id: id })),
          },
        ],
      },
    ],
  };
  await inCompany(records, async (company) => {
    const covers = await company.rows('SELECT amount FROM core.covers ORDER BY line_id');
    expect(covers.map(({ amount }) => amount)).toEqual(['33.33', '33.34', '33.33']);
    expect((await measured(company, ['realization_percent', 'billing_difference']))[0]).toBe('100.01 -0.01');
  });
});

it('nets phases of a project, and projects of a contract (I3)', async () => {
  const phased: Records = {
    settings: { currency: 'EUR' },
    people: PEOPLE,
    projects: [1, 2].map((project_id) => ({ project_id, name: `P${project_id}`, contract_id: 'AGR-1' })),
    phases: [
      { phase_id: 1, project_id: 1, name: 'One' },
      { phase_id: 2, project_id: 1, name: 'Two' },
    ],
    logged_time: [
      ...[1, 2, 3].map((day) => logged(1, `1-${day}`, `2026-03-0${day}`, 24, { phase_id: 1 })),
      logged(2, '2', '2026-03-04', 1),
    ],
    invoices: [
      {
        ...{ invoice_id: 1, issue_date: '2026-03-31' },
        lines: [
          { invoice_line_id: 1, project_id: 1, phase_id: 1, amount: '2200' },
          { invoice_line_id: 2, project_id: 1, phase_id: 2, amount: '3000' },
        ],
      },
    ],
  };
  await inCompany(phased, async (company) => {
    const names = ['position', 'contract_asset', 'contract_liability', 'unbilled_fees'];
    expect(await measured(company, names, { group_by: 'phase', project_id: '1' })).toEqual([
      '5000 - - -',
      '-3000 - - -',
      '2000 - - -',
    ]);
    expect(await measured(company, names)).toEqual(['2000 - - -', '100 - - -', '2100 2100 0 -']);
    expect(await measured(company, names, { group_by: 'contract' })).toEqual(['2100 2100 0 -', '2100 2100 0 -']);
  });
});

it('takes credits from covers, and frees work only where a line is credited whole (N1)', async () => {
  const credit = (id: number, issue_date: string, amount: string) => ({
    ...{ invoice_id: id, issue_date },
    lines: [{ invoice_line_id: id * 10, project_id: 1, amount, credits: 11 }],
  });
  const measures = ['position', 'unbilled_fees', 'billing_difference'];
  const partly = {
    ...A_AND_B,
    write_offs: [],
    invoices: [...(A_AND_B.invoices ?? []), credit(5, '2026-04-05', '-350')],
  };
  const asked = { ...MARCH, end_date: '2026-04-30', cutoff_date: '2026-04-30', project_id: '1' };
  expect(await inCompany(partly, (company) => measured(company, measures, asked))).toEqual([
    '700 200 500',
    '700 200 500',
  ]);
  const whole = { ...partly, invoices: [...partly.invoices, credit(6, '2026-04-20', '-1000')] };
  await inCompany(whole, async (company) => {
    expect((await measured(company, measures, asked))[0]).toBe('1700 1700 0');
    expect((await measured(company, measures, { ...asked, cutoff_date: '2026-04-19' }))[0]).toBe('700 200 500');
  });
});

it('leaves all blank in a company without bills (M6)', async () => {
  const { invoices: _, write_offs: __, ...without } = A_AND_B;
  const names = [...BALANCES, 'invoiced', 'written_off', 'net_revenue', 'realization_percent', 'opening_position'];
  const balances = await inCompany(without, (company) => measured(company, names));
  expect(balances.at(-1)).toBe(names.map(() => '-').join(' '));
});

it('gives a line without a project to those of what it covers, or of its invoice (I3)', async () => {
  const records: Records = {
    ...A_AND_B,
    write_offs: [],
    invoices: [
      {
        ...{ invoice_id: 1, issue_date: '2026-03-31' },
        lines: [
          { invoice_line_id: 1, amount: '500', covers: [{ logged_time_id: '2' }] },
          { invoice_line_id: 2, amount: '1800', covers: [{ logged_time_id: '1' }, { logged_time_id: '4' }] },
          { invoice_line_id: 3, amount: '-100', kind: 'discount' },
        ],
      },
      {
        ...{ invoice_id: 2, issue_date: '2026-03-31', status: 'draft' },
        lines: [{ invoice_line_id: 4, amount: '50', project_id: 1, covers: [{ logged_time_id: '3' }] }],
      },
      {
        ...{ invoice_id: 3, issue_date: '2026-03-31', status: 'void' },
        lines: [{ invoice_line_id: 5, amount: '70', project_id: 1 }],
      },
      { ...{ invoice_id: 4, issue_date: '2026-03-31' }, lines: [{ invoice_line_id: 6, amount: '9' }] },
    ],
  };
  await inCompany(records, async (company) => {
    const lines = await company.rows('SELECT * FROM core.billing_lines ORDER BY line_id');
    expect(lines.map((line) => `${line['line_id']} ${line['project_id']} ${line['amount']} ${line['status']}`)).toEqual(
      [
        'i:1 1 500 confirmed',
        'i:2:1 1 1000 confirmed',
        'i:2:2 2 800 confirmed',
        'i:3:1 1 -65.22 confirmed',
        'i:3:2 2 -34.78 confirmed',
        'i:4 1 50 draft',
        'i:6 0 9 confirmed',
      ],
    );
    expect(await measured(company, ['invoiced', 'draft_invoiced', 'unbilled_fees'], { project_id: '1' })).toEqual([
      '1434.78 50 200',
      '1434.78 50 200',
    ]);
  });
});

it('keeps the value of work that has changed or gone since it was billed (N2)', async () => {
  const line = (id: number, cover: object) => ({
    ...{ invoice_line_id: id, project_id: 1, amount: '1000' },
    covers: [cover],
  });
  const records: Records = {
    ...A_AND_B,
    write_offs: [],
    invoices: [
      {
        ...{ invoice_id: 1, issue_date: '2026-03-31' },
        lines: [
          line(1, { logged_time_id: '1', value: '1200' }),
          line(2, { logged_time_id: 'gone', value: '900' }),
          line(3, { project_expense_id: 99 }),
        ],
      },
    ],
  };
  const names = ['position', 'unbilled_fees', 'billing_difference', 'changed_after_billing'];
  await inCompany(records, async (company) => {
    // 1,000.00 today less 1,200.00, and less 900.00; 2,100.00 of value less 3,000.00.
    expect((await measured(company, names, { project_id: '1' }))[0]).toBe('-1300 700 -900 -1100');
    const found = await company.rows(
      `SELECT "check", id, amount_at_risk FROM marts.data_quality
      WHERE "check" IN ('covers_nothing', 'changed_after_billing', 'invoiced_below_value') ORDER BY 1, 2`,
    );
    expect(found.map((row) => `${row['check']} ${row['id']} ${row['amount_at_risk']}`)).toEqual([
      'changed_after_billing 1 -1100',
      'covers_nothing 2 900',
      'covers_nothing 3 0',
    ]);
  });
});

it('has rows of contracts that add up to the total, with settled ones whose work is unbilled (M2)', async () => {
  const company = await openCompany({
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
    projects: [1, 2].map((project_id) => ({ project_id, name: `P${project_id}` })),
    logged_time: [
      { logged_time_id: '1', people_id: 1, project_id: 1, date: '2026-01-05', hours: 3 },
      { logged_time_id: '2', people_id: 1, project_id: 2, date: '2026-01-05', hours: 5 },
      { logged_time_id: '3', people_id: 1, project_id: 2, date: '2026-06-05', hours: 1 },
    ],
    invoices: [{ invoice_id: 1, issue_date: '2026-02-01' }],
    // The first project is billed in one sum that names no work: nothing is open, and its hours are unbilled.
    invoice_lines: [
      { invoice_line_id: 1, invoice_id: 1, project_id: 1, amount: '300', kind: 'fixed' },
      {
        invoice_line_id: 2,
        invoice_id: 1,
        project_id: 2,
        amount: '500',
        kind: 'time',
        covers: [{ logged_time_id: '2' }],
      },
    ],
  });
  const { rows, totals, table } = await company.report('contracts', {
    ...{ start_date: '2026-06-01', end_date: '2026-06-30', cutoff_date: '2026-06-30' },
  });
  // Nothing is opening, and 100 is earned.
  const { left, right, ok } = table.meta.checks.find(({ check }) => check.startsWith('positions: ')) ?? {};
  expect([left, right, ok].map(String)).toEqual(['100.0000', '100.0000', 'true']);
  for (const name of ['opening_position', 'position', 'unbilled_fees', 'unbilled_over_90']) {
    const sum = rows.reduce((total, row) => total + Number(row[name]), 0);
    expect([name, sum]).toEqual([name, Number(totals[name])]);
  }
  await company.close();
});
