import { afterAll, beforeAll, expect, test } from 'vitest';
import { tieSums } from '../../src/numbers/report/run/row-ties.ts';
import { BUNDLED, buildDataset, type Company, companyOf, LOADED, openCompany, pick } from '../sql/company.ts';

const WINDOW = { start_date: '2026-01-15', end_date: '2026-04-14', cutoff_date: '2026-03-31' };

let small: Company;
let bundled: Company;
beforeAll(async () => {
  const logged = (id: string, project_id: number, date: string, hours: number) => ({
    logged_time_id: id,
    people_id: 1,
    project_id,
    date,
    hours,
  });
  small = await openCompany({
    settings: { fiscal_year_starts_in: 2 },
    people: [{ people_id: 1, name: 'Ana', cost_rate: 50 }],
    clients: [
      { client_id: 1, name: 'Alpha' },
      { client_id: 2, name: 'Beta' },
    ],
    projects: [
      { project_id: 1, client_id: 1, name: 'One', budget_type: 1, budget_total: 100 },
      { project_id: 2, client_id: 2, name: 'Two', budget_type: 1, budget_total: 10 },
    ],
    logged_time: [
      logged('a', 1, '2026-01-20', 2),
      logged('b', 1, '2026-03-20', 3),
      logged('c', 2, '2026-01-31', 4),
      logged('d', 2, '2026-02-01', 1),
      logged('outside', 2, '2026-01-14', 8),
    ],
  });
  bundled = companyOf(await buildDataset(BUNDLED, LOADED));
});
afterAll(async () => {
  await small.close();
  await bundled.close();
});

test('each month of the window is a column, and the measure is the total', async () => {
  const { rows, totals, table } = await small.report('pivot', {
    ...WINDOW,
    group_by: 'client',
    columns: 'month',
    measures: 'actual_hours',
  });
  const month = (number: number) => `actual_hours_month_2026_0${number}_01`;
  expect(table.columns.map(({ name }) => name)).toEqual([
    'client_id',
    'client',
    ...[1, 2, 3, 4].map(month),
    'actual_hours',
  ]);
  expect(table.columns.map(({ label }) => label).slice(2)).toEqual([
    'Actual hours 2026-01',
    'Actual hours 2026-02',
    'Actual hours 2026-03',
    'Actual hours 2026-04',
    'Actual hours total',
  ]);
  const numbers = [...rows, totals].map((row) => [...[1, 2, 3, 4].map(month), 'actual_hours'].map((name) => row[name]));
  expect(numbers).toEqual([
    ['2', '0', '3', '0', '5'],
    ['4', '1', '0', '0', '5'],
    ['6', '1', '3', '0', '10'],
  ]);
});

test('a longer period follows the shorter ones in it, as their subtotal, by the fiscal year', async () => {
  const { table, totals } = await small.report('pivot', {
    ...WINDOW,
    group_by: 'client',
    columns: 'quarter,month',
    measures: 'actual_hours',
  });
  const periods = table.columns.filter(({ measure }) => measure);
  expect(periods.map(({ label, name }) => [label.replace('Actual hours ', ''), totals[name]])).toEqual([
    ['2026-01', '6'],
    ['2026-Q4', '6'],
    ['2026-02', '1'],
    ['2026-03', '3'],
    ['2026-04', '0'],
    ['2027-Q1', '4'],
  ]);
});

test('a dimension of group_by goes across when columns names it', async () => {
  const query = { ...WINDOW, measures: 'actual_hours,actual_cost', columns: 'month' };
  const named = await small.report('pivot', { ...query, group_by: 'month,project' });
  const added = await small.report('pivot', { ...query, group_by: 'project' });
  expect(named.rows).toEqual(added.rows);
});

test('a ratio over a period without lines is null, a sum is 0, and a budget has no periods', async () => {
  const { rows, table } = await small.report('pivot', {
    ...WINDOW,
    group_by: 'project',
    columns: 'month',
    measures: 'actual_cost,actual_margin_percent,budget_total,budget_used_percent',
  });
  const names = ['actual_cost_month_2026_02_01', 'actual_margin_percent_month_2026_02_01', 'budget_total'];
  expect(pick(rows[0], ...names)).toEqual({ [names[0] ?? '']: '0', [names[1] ?? '']: null, budget_total: '100' });
  expect(table.columns.filter(({ name }) => name.startsWith('budget_')).map(({ name }) => name)).toEqual([
    'budget_unit',
    'budget_total',
    'budget_used_percent',
  ]);
});

test('fields shows a measure with its periods, sort goes by its total, and pages are of rows', async () => {
  const query = { ...WINDOW, group_by: 'project', columns: 'quarter', measures: 'actual_hours,actual_cost' };
  const { rows, table } = await small.report('pivot', {
    ...query,
    fields: 'actual_hours,project',
    sort: '-project',
    page: '2',
    'per-page': '1',
  });
  expect(rows).toEqual([
    { actual_hours_quarter_2025_11_01: '2', actual_hours_quarter_2026_02_01: '3', actual_hours: '5', project: 'One' },
  ]);
  expect(table.meta.row_count).toBe(2);
});

test('every cell is the number of the long pivot, and the checks say so', { tags: ['slow'] }, async () => {
  const window = { start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };
  const measures = 'scheduled_hours,actual_cost,variance_fees_percent,overtime_hours';
  for (const group_by of ['client,project', 'department', 'billable', 'tag']) {
    const long = await bundled.report('pivot', { ...window, measures, group_by: `${group_by},month` });
    const wide = await bundled.report('pivot', { ...window, measures, group_by, columns: 'month' });
    const keys = wide.table.columns.slice(
      0,
      wide.table.columns.findIndex(({ measure }) => measure),
    );
    const keyOf = (row: (typeof long.rows)[number]) => JSON.stringify(keys.map(({ name }) => row[name]));
    const cells = new Map(long.rows.map((row) => [`${row['month']} ${keyOf(row)}`, row]));
    let compared = 0;
    for (const row of wide.rows) {
      for (const { name, measure } of wide.table.columns) {
        const start = name.match(/\d{4}_\d\d_\d\d$/)?.[0].replaceAll('_', '-');
        if (!measure || !start) continue;
        const cell = cells.get(`${start} ${keyOf(row)}`);
        expect(row[name], `${group_by} ${keyOf(row)} ${name}`).toBe(
          cell ? cell[measure] : measure.endsWith('percent') ? null : '0',
        );
        compared += cell ? 1 : 0;
      }
    }
    expect(compared).toBe(long.rows.length * measures.split(',').length);
    const checks = wide.table.meta.checks.filter(({ check }) => check.includes(' by month: '));
    expect(checks.map(({ ok }) => ok)).toEqual(Array(4).fill(true));
  }
});

test('the capacity of a month is that of the people with hours in it, and of nobody twice', async () => {
  const query = { ...WINDOW, group_by: 'project', columns: 'month', measures: 'capacity_hours' };
  const { rows, totals } = await small.report('pivot', query);
  const january = 'capacity_hours_month_2026_01_01';
  expect([...rows, totals].map((row) => row[january])).toEqual(['96', '96', '96']);
  expect(totals['capacity_hours_month_2026_04_01']).toBe('0');
});

test('a sum that differs from its total in one row fails, though all sums together agree', async () => {
  const sums = [
    { parts: ['1.0000', '2.0000'], total: '4.0000' },
    { parts: ['3.0000'], total: '2.0000' },
  ];
  const words = { subject: 'hours', sides: ['rows', 'total'] } as const;
  expect(await tieSums(words, sums, false)).toMatchObject({ left: '3.0000', right: '4.0000', ok: false });
  expect(await tieSums(words, [{ parts: ['1.0000', null], total: '1.0000' }], true)).toMatchObject({
    left: '1.0000',
    ok: true,
    isCost: true,
  });
});

test('refuses more cells than memory is meant for', { tags: ['slow'] }, async () => {
  const count = 2_003;
  const many = await openCompany({
    people: [{ people_id: 1, name: 'Ana' }],
    projects: Array.from({ length: count }, (_, index) => ({ project_id: index + 1, name: `P${index}` })),
    logged_time: Array.from({ length: count }, (_, index) => ({
      logged_time_id: `l${index}`,
      people_id: 1,
      project_id: index + 1,
      date: '2026-01-15',
      hours: 0.01,
    })),
  });
  const pivot = { group_by: 'project', columns: 'day', measures: 'actual_hours', start_date: '2026-01-01' };
  await expect(many.report('pivot', { ...pivot, end_date: '2028-09-25' })).rejects.toMatchObject({
    code: 'limit',
    message: 'columns: 2003 rows by 999 columns of periods make 2000997 cells, and a pivot has at most 2000000 of them',
  });
  const { rows } = await many.report('pivot', { ...pivot, end_date: '2026-03-31' });
  expect(rows.length).toBe(count);
  await many.close();
});
