import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { BUNDLED, buildDataset, type Company, companyOf, LOADED, type Row } from '../sql/company.ts';

let database: Database;
let company: Company;
const statements: string[] = [];
beforeAll(async () => {
  database = await buildDataset(BUNDLED, LOADED);
  company = companyOf({
    ...database,
    stream: (sql, ...more) => {
      statements.push(sql);
      return database.stream(sql, ...more);
    },
  });
});
afterAll(() => company.close());

const WINDOW = { start_date: '2025-11-17', end_date: '2026-04-20', cutoff_date: '2026-03-14' };

const NAMES = {
  projects: 'name,project_id',
  phases: 'phase_id,name',
  people: 'name,people_id',
  tasks: 'task_meta_id,name',
};

/** Measures of each family that the reports have. */
const MEASURES = ['actual_hours', 'variance_cost', 'scheduled_fees', 'actual_margin_percent', 'budget_used_percent'];

const OF_PEOPLE = ['capacity_hours', 'scheduled_percent', 'actual_profit'];

const pick = (rows: readonly Row[], fields: string) =>
  rows.map((row) => Object.fromEntries(fields.split(',').map((name) => [name, row[name]])));

describe.each(Object.entries(NAMES))('the report %s with some of its columns', { tags: ['slow'] }, (report, names) => {
  it.each([
    ['', {}],
    ['with its empty rows', { include_empty: '1' }],
    ['by month', { interval: 'month' }],
    ['in an order of its own', { sort: '-actual_hours,-scheduled_fees' }],
    ['of some lines', { client_id: '201,203', status: 'confirmed,tentative' }],
  ])('equals the whole report %s', async (_, more: Record<string, string>) => {
    const sent = { ...WINDOW, ...more };
    const whole = await company.report(report, sent);
    expect(whole.rows.length).toBeGreaterThan(1);
    const known = new Set(whole.table.columns.map(({ name }) => name));
    const chosen = [...(report === 'people' ? OF_PEOPLE : MEASURES), 'budget_unit'].filter((name) => known.has(name));
    const [first = '', ...others] = chosen;
    for (const fields of [names, first, `${names},${others.join(',')}`]) {
      const { rows, totals } = await company.report(report, { ...sent, fields });
      expect(rows, fields).toEqual(pick(whole.rows, fields));
      expect([totals], fields).toEqual(pick([whole.totals], fields));
    }
  });
});

const CAPACITY = 'capacity_hours,actual_hours';

it.each([
  { group_by: 'project', measures: 'budget_used_percent', fields: 'project_id,budget_unit' },
  { group_by: 'project', measures: 'budget_forecast_percent', fields: 'project_id', sort: 'budget_unit,project' },
  { group_by: 'project', measures: CAPACITY, fields: 'project,actual_hours' },
  { group_by: 'person', measures: CAPACITY, fields: 'person,actual_hours' },
  { group_by: 'department,week', measures: CAPACITY, fields: 'department,week' },
  { group_by: 'person,month', measures: CAPACITY, fields: 'person,month,actual_hours' },
  { group_by: 'tag', measures: 'actual_hours,expense_cost', fields: 'tag,expense_cost' },
  { group_by: 'client,person', subtotals: '1', measures: CAPACITY, fields: 'person,actual_hours' },
])('the pivot %o has its rows, whatever fields it leaves out', async ({ fields, ...more }) => {
  const whole = await company.report('pivot', { ...WINDOW, ...more });
  expect(whole.rows.length).toBeGreaterThan(1);
  const { rows, totals } = await company.report('pivot', { ...WINDOW, ...more, fields });
  expect([rows, totals]).toEqual([pick(whole.rows, fields), ...pick([whole.totals], fields)]);
});

it('computes no measure that is neither shown nor sorted by', { tags: ['slow'] }, async () => {
  const read = async (report: string, sent: Record<string, string>) => {
    statements.length = 0;
    await company.report(report, { ...WINDOW, ...sent });
    return statements.join('\n');
  };
  expect(await read('projects', { fields: 'name,actual_hours' })).not.toMatch(/budget_use|cost|fee/);
  expect(await read('projects', { fields: 'name', sort: 'budget_used' })).toMatch(/budget_use/);
  expect(await read('people', { fields: 'name,role' })).not.toMatch(/capacity|overtime/);
  expect(await read('people', { fields: 'name,scheduled_percent' })).not.toMatch(/overtime/);
  expect(await read('people', { fields: 'name,overtime_hours' })).toMatch(/people_capacity.*overtime/s);
  const grouped = { group_by: 'client,project', measures: 'actual_hours,actual_cost,budget_used', subtotals: '1' };
  const fields = 'client,actual_hours';
  expect(await read('pivot', { ...grouped, fields })).not.toMatch(/budget_use|cost/);
  expect(await read('pivot', { ...grouped, fields, columns: 'month' })).not.toMatch(/budget_use|cost/);
});

it('shows the numbers that have other names, too', async () => {
  const { rows } = await company.report('projects', { ...WINDOW, fields: 'name,scheduled' }, { hasAliases: true });
  const { rows: whole } = await company.report('projects', { ...WINDOW, fields: 'name,scheduled_hours' });
  expect(rows.map((row) => row['scheduled'])).toEqual(whole.map((row) => row['scheduled_hours']));
});
