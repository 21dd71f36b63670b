// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import { explainLine } from '../../src/numbers/report/explain/explain-line.ts';
import { buildCompany, type Company, catalogue, companyOf, openCompany, pick } from '../sql/company.ts';

const PRICED = { start_date: '2025-09-01', end_date: '2025-12-31', amounts: [{ amount: 40, price: '3600' }] };

interface Case {
  readonly retainer: object;
  readonly project?: object;
}

/** Retainers by name, with their words and those of their projects. */
const CASES = {
  evenly: { retainer: PRICED },
  billed: { retainer: { ...PRICED, overage: 'billed' } },
  'as used': { retainer: { ...PRICED, recognise: 'as_used', rollover: 'both' } },
  unpriced: { retainer: { ...PRICED, amounts: [{ amount: 40 }] } },
  fees: { retainer: { ...PRICED, unit: 'fee', recognise: 'as_used', amounts: [{ amount: '3600' }] } },
  tentative: { retainer: PRICED, project: { status: 1 } },
  canceled: { retainer: PRICED, project: { status: 4 } },
  internal: { retainer: PRICED, project: { non_billable: true } },
  'kept to its end': { retainer: { ...PRICED, rollover: 'surplus' } },
  'beside a fee': { retainer: PRICED, project: { budget_type: 2, budget_total: '90000' } },
} as const satisfies Record<string, Case>;

type Name = keyof typeof CASES;

const NAMES = Object.keys(CASES) as Name[];
const idOf = (name: Name) => NAMES.indexOf(name) + 1;

let database: Database;
let company: Company;
beforeAll(async () => {
  database = await buildCompany({
    settings: { currency: 'EUR' },
    people: [
      { people_id: 1, name: 'Ana', default_hourly_rate: '100', cost_rate: '50' },
      { people_id: 2, name: 'Ben', default_hourly_rate: '100' },
    ],
    projects: NAMES.map((name) => ({ project_id: idOf(name), name, ...(CASES[name] as Case).project })),
    retainers: NAMES.map((name) => ({ retainer_id: idOf(name), project_id: idOf(name), ...CASES[name].retainer })),
    logged_time: NAMES.flatMap((name) =>
      (['2025-09-10', '2025-09-11', '2025-09-12', '2026-01-12'] as const).map((date) => ({
        ...{ logged_time_id: `${idOf(name)}-${date}`, people_id: 1, project_id: idOf(name), date, hours: 15 },
      })),
    ),
    // Ben has logged nothing of what is planned.
    tasks: (['evenly', 'unpriced'] as const).map((name) => ({
      ...{
        task_id: idOf(name),
        project_id: idOf(name),
        people_id: 2,
        hours: 4,
        start_date: '2025-09-15',
        end_date: '2025-09-15',
      },
    })),
    project_expenses: [
      { project_expense_id: 1, project_id: 1, name: 'Train', date: '2025-09-10', cost: '70', billable: true },
    ],
  });
  company = companyOf(database);
});
afterAll(() => company.close());

/** Returns measures of a project in September. */
async function inSeptember(name: Name, ...measures: readonly string[]) {
  const { rows } = await company.report('pivot', {
    ...{ start_date: '2025-09-01', end_date: '2025-09-30', group_by: 'project' },
    ...{ project_id: String(idOf(name)), measures: measures.join(',') },
  });
  return measures.map((measure) => rows[0]?.[measure]);
}

it('earns the price by day; what is beyond is free, or billed (T6)', async () => {
  const names = ['actual_revenue', 'actual_fees', 'fees_beyond_budget'];
  // A billed expense uses no lot, and earns its fee.
  expect(await inSeptember('evenly', ...names)).toEqual(['3670', '4500', '500']);
  expect(await inSeptember('billed', ...names)).toEqual(['4100', '4500', '0']);
  expect(await inSeptember('beside a fee', ...names)).toEqual(['3600', '4500', '500']);
});

it('earns as it is used, and a debt with the lot that pays it', async () => {
  expect(await inSeptember('as used', 'actual_revenue', 'fees_beyond_budget')).toEqual(['3600', '0']);
  const { rows } = await company.report('lines', {
    ...{
      start_date: '2025-09-01',
      end_date: '2025-12-31',
      measure: 'actual_revenue',
      project_id: String(idOf('as used')),
    },
  });
  expect(rows.map((row) => pick(row, 'line_id', 'contribution'))).toEqual([
    { line_id: `a:${idOf('as used')}-2025-09-10`, contribution: '1350' },
    { line_id: `a:${idOf('as used')}-2025-09-11`, contribution: '1350' },
    { line_id: `a:${idOf('as used')}-2025-09-12`, contribution: '900' },
    { line_id: `f:r${idOf('as used')}:2025-10-01`, contribution: '450' },
    // On the end all lots lapse: 35 hours of October, and two whole ones.
    { line_id: `f:r${idOf('as used')}:2025-12-31`, contribution: '10350' },
  ]);
});

it('has a line of its own for what no work earns, in SQL and explained (K4)', async () => {
  const [line] = await company.rows(
    `SELECT kind, date, project_id, project, people_id, person, hours, cost, fee, amount FROM marts.lines
     WHERE line_id = 'f:r${idOf('as used')}:2025-10-01'`,
  );
  expect(line).toEqual({
    ...{ kind: 'revenue', date: '2025-10-01', project_id: idOf('as used'), project: 'as used' },
    ...{ people_id: 0, person: null, hours: null, cost: null, fee: null, amount: '450' },
  });
  const { steps } = await explainLine(
    database,
    { full: catalogue, withoutRates: hideRates(catalogue) },
    true,
    `f:r${idOf('as used')}:2025-10-01`,
  );
  expect(steps[0]?.text).toContain('The price of the retainer is earned as it is used');
});

it('earns the own fees of work without a price, and a fee that is the price', async () => {
  expect(await inSeptember('unpriced', 'actual_revenue', 'fees_beyond_budget')).toEqual(['4000', '500']);
  expect(await inSeptember('fees', 'actual_revenue', 'fees_beyond_budget')).toEqual(['3600', '900']);
});

it('earns by the status of its project: nothing while it is tentative, as used when it is canceled, never where it is internal', async () => {
  expect(await inSeptember('tentative', 'actual_revenue')).toEqual(['0']);
  expect(await inSeptember('canceled', 'actual_revenue')).toEqual(['3600']);
  expect(await inSeptember('internal', 'actual_revenue')).toEqual(['0']);
});

it('earns fees on days outside all periods', async () => {
  const { rows } = await company.report('pivot', {
    ...{ start_date: '2026-01-01', end_date: '2026-01-31', group_by: 'project', measures: 'actual_revenue' },
  });
  expect(rows[0]?.['actual_revenue']).toBe('1500');
});

it('plans its price by day, whatever is scheduled (K5)', async () => {
  expect(await inSeptember('evenly', 'scheduled_revenue')).toEqual(['3670']);
});

it('misses revenue only where work earns its own fee (K7)', async () => {
  expect(await inSeptember('evenly', 'missing_fees', 'missing_revenue')).toEqual(['400', '0']);
  expect(await inSeptember('unpriced', 'missing_fees', 'missing_revenue')).toEqual(['400', '400']);
});

it('lists what each period opened, used and left, and leaves out of a statement what is internal (T5)', async () => {
  const parameters = { start_date: '2025-09-01', end_date: '2026-12-31', project_id: String(idOf('as used')) };
  const { rows } = await company.report('retainers', parameters);
  const shown = [
    'date',
    'opened',
    'rolled',
    'used',
    'used_percent',
    'lapsed',
    'balance',
    'beyond',
    'forecast_balance',
    'used_up_on',
    'price',
  ];
  expect(rows.map((row) => Object.values(pick(row, ...shown)).join(' '))).toEqual([
    '2025-09-01 40 0 45 112.5 0 -5 0 -5 2025-09-12 3600',
    '2025-10-01 40 -5 0 0 0 35 0 35  3600',
    '2025-11-01 40 35 0 0 0 75 0 75  3600',
    '2025-12-01 40 75 0 0 115 0 0 0  3600',
  ]);
  const kept = { ...parameters, start_date: '2025-11-01', project_id: String(idOf('kept to its end')) };
  const { rows: last } = await company.report('retainers', kept);
  expect(last.map((row) => Object.values(pick(row, 'rolled', 'used', 'lapsed', 'balance')).join(' '))).toEqual([
    '40 0 0 80',
    '80 0 120 0',
  ]);
  const statement = await company.report('retainers', { ...parameters, statement: '1' });
  expect(Object.keys(statement.rows[0] ?? {})).toEqual(
    Object.keys(rows[0] ?? {}).filter((name) => !/forecast|used_up|price/.test(name)),
  );
});

describe('the sentence retainer_used', () => {
  let running: Company;
  beforeAll(async () => {
    running = await openCompany({
      settings: { currency: 'EUR' },
      people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
      projects: [1, 2, 3].map((project_id) => ({ project_id, name: `Project ${project_id}` })),
      phases: [{ phase_id: 31, project_id: 3, name: 'Run' }],
      retainers: [
        { retainer_id: 1, project_id: 1, start_date: '2026-03-01', amounts: [{ amount: 40 }] },
        { retainer_id: 2, project_id: 2, start_date: '2026-03-01', amounts: [{ amount: 18 }] },
        {
          retainer_id: 3,
          project_id: 3,
          phase_id: 31,
          start_date: '2026-03-01',
          unit: 'fee',
          amounts: [{ amount: '1000' }],
        },
      ],
      logged_time: [
        [1, 0, 24],
        [1, 0, 10],
        [2, 0, 20],
        [3, 31, 8],
      ].map(([project_id, phase_id, hours], index) => ({
        ...{ logged_time_id: `l${index}`, people_id: 1, project_id, phase_id, date: '2026-03-18', hours },
      })),
      tasks: [{ task_id: 1, project_id: 1, people_id: 1, hours: 6, start_date: '2026-03-20', end_date: '2026-03-20' }],
    });
  });
  afterAll(() => running.close());

  const told = async (report: string, sent: Readonly<Record<string, string>> = {}) => {
    const { told: rows } = await running.report(report, {
      start_date: '2026-03-01',
      end_date: '2026-03-31',
      insights: '1',
      ...sent,
    });
    return rows.map(({ insights }) => insights.flatMap(({ rule, text }) => (rule === 'retainer_used' ? [text] : [])));
  };

  it('says how much is used, when nothing is left by the plan, and what is beyond', { tags: ['slow'] }, async () => {
    expect(await told('projects')).toEqual([
      [
        '34.00 of 40.00 hours of the retainer since 1 March 2026 are used (85.00 %). By the plan nothing is left from 20 March 2026 on.',
      ],
      ['2.00 hours are beyond the retainer: all 18.00 hours since 1 March 2026 are used.'],
      ['800.00 of 1,000.00 EUR of the retainer since 1 March 2026 are used (80.00 %).'],
    ]);
    expect((await told('phases')).flat()).toHaveLength(3);
  });

  it('has numbers that open what makes them, in the days of the period alone', { tags: ['slow'] }, async () => {
    const { told: rows } = await running.report('projects', {
      ...{ start_date: '2026-03-10', end_date: '2026-06-30', insights: '1', cutoff_date: '2026-03-18' },
    });
    const numbers = rows.flatMap(({ insights }) =>
      insights.flatMap((each) => (each.rule === 'retainer_used' ? each.numbers : [])),
    );
    const opened = numbers.flatMap(({ query, measure, value }) =>
      query && measure ? [{ query, measure, value }] : [],
    );
    expect(opened.map(({ measure }) => measure)).toEqual([
      ...['retainer_used', 'retainer_used_percent', 'retainer_beyond', 'retainer_used', 'retainer_used_percent'],
    ]);
    for (const { query, measure, value } of opened) {
      const { measure: _, report, ...asked } = Object.fromEntries(new URLSearchParams(query.split('?')[1]));
      const { totals } = await running.report(report ?? '', { ...asked, fields: measure });
      expect(Number(totals?.[measure])).toBe(Number(value));
    }
  });

  it.each([
    ['of other days', { end_date: '2026-02-28', start_date: '2026-02-01', include_empty: '1' }],
    ['with another cutoff', { cutoff_date: '2026-03-31' }],
  ])('says nothing in a report %s', async (_, sent) => {
    const rows = await told('projects', sent);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.flat()).toEqual([]);
  });
});
