import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { loadCatalogues } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import { writeTable } from '../../src/numbers/write/formats.ts';
import { parseAsked } from '../../src/store/ask/ask.ts';
import { runReport } from '../reports.ts';
import { BUNDLED, buildDataset, type Company, catalogue, companyOf, LOADED, openCompany } from '../sql/company.ts';
import { readBytes } from '../write/tables.ts';

const WINDOW = { start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31', subtotals: '1' };

let database: Database;
let company: Company;
beforeAll(async () => {
  database = await buildDataset(BUNDLED, LOADED);
  company = companyOf(database);
});
afterAll(() => company.close());

const pivot = (parameters: Readonly<Record<string, string>>) => company.report('pivot', { ...WINDOW, ...parameters });

test('each group of rows is followed by its sum, inner groups first, and who adds up the rows gets the totals', async () => {
  const { rows, totals, table } = await pivot({ group_by: 'client,project_status,project', measures: 'actual_hours' });
  const { subtotals = [], columns } = table;
  const place = columns.findIndex(({ name }) => name === 'actual_hours');
  expect(sum(rows.map((row) => row['actual_hours']))).toBe(Number(totals['actual_hours']));
  const keys: string[] = [];
  let end = 0;
  for (const { level, by, first, count, values } of subtotals) {
    const own = rows.slice(first, first + count);
    expect(sum(own.map((row) => row['actual_hours'])), `${level} ${first}`).toBe(Number(values[place]));
    expect(first + count).toBeGreaterThanOrEqual(end);
    end = first + count;
    const key = JSON.stringify([level, ...by.map((name) => own[0]?.[name])]);
    expect(own.every((row) => JSON.stringify([level, ...by.map((name) => row[name])]) === key)).toBe(true);
    keys.push(key);
  }
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(subtotals.map(({ level }) => level))).toEqual(new Set([1, 2]));
  const outer = subtotals.filter(({ level }) => level === 1);
  expect(outer.reduce((all, { count }) => all + count, 0)).toBe(rows.length);
  const checks = table.meta.checks.filter(({ check }) => check.endsWith('each subtotal'));
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual([
    ['actual hours by client: sum of the rows, each subtotal', true],
    ['actual hours by project status: sum of the rows, each subtotal', true],
  ]);
});

test('a percentage is computed from the sums, and capacity counts the people of the rows once', async () => {
  const measures = 'scheduled_hours,capacity_hours,scheduled_percent';
  const { table, totals } = await pivot({ group_by: 'project_status,project,person', measures });
  const { totals: whole } = await pivot({ group_by: 'project_status,project', measures });
  const values = (name: string, level: number) =>
    (table.subtotals ?? [])
      .filter((each) => each.level === level)
      .map((each) => Number(each.values[table.columns.findIndex((column) => column.name === name)]));
  expect(totals['capacity_hours']).toBe(whole['capacity_hours']);
  for (const capacity of values('capacity_hours', 1))
    expect(capacity).toBeLessThanOrEqual(Number(totals['capacity_hours']));
  const percents = values('scheduled_percent', 1);
  const capacities = values('capacity_hours', 1);
  for (const [i, hours] of values('scheduled_hours', 1).entries())
    expect(percents[i]?.toFixed(2)).toBe(((hours / (capacities[i] || 1)) * 100).toFixed(2));
});

test('budgets and earned value in subtotals are those of the rows, and open into their lines', {
  tags: ['slow'],
}, async () => {
  const phases = [11, 12].map((phase_id) => ({
    phase_id,
    project_id: 1,
    name: `P${phase_id}`,
    budget_total: phase_id,
  }));
  const own = await openCompany({
    people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
    projects: [
      { project_id: 1, name: 'Hours by phase', budget_type: 1, budget_priority: 1 },
      { project_id: 2, name: 'Money of all', budget_type: 3, budget_total: '1000' },
    ],
    phases: [...phases, { phase_id: 21, project_id: 2, name: 'P21' }],
    logged_time: [11, 11, 12, 21].map((phase_id, index) => ({
      logged_time_id: String(index),
      people_id: 1,
      project_id: Math.floor(phase_id / 10),
      phase_id,
      date: '2026-03-02',
      hours: 1.3333,
    })),
  });
  onTestFinished(() => own.close());
  const measures = ['budget_total', 'budget_used', 'budget_at_completion', 'actual_to_date'];
  const sent = { ...WINDOW, group_by: 'billable,phase', measures: measures.join(','), links: '1' };
  const { rows, totals, table } = await own.report('pivot', sent);
  const { columns, subtotals = [] } = table;
  const [values = []] = subtotals.map((subtotal) => subtotal.values);
  const subtotalOf = (name: string) => values[columns.findIndex((column) => column.name === name)];
  expect(subtotals).toHaveLength(1);
  expect(measures.map((name) => Number(subtotalOf(name)))).toEqual([23, 3.9999, 23, 5.3332]);
  for (const name of measures) {
    expect(sum(rows.map((row) => row[name] ?? 0)), name).toBe(Number(subtotalOf(name)));
    expect(Number(totals[name])).toBe(Number(subtotalOf(name)));
    const opened = Object.fromEntries(new URLSearchParams(String(subtotalOf('_lines')).split('?')[1]));
    const lines = await own.report('lines', { ...opened, measure: name });
    expect(Number(lines.totals['contribution']), name).toBe(Number(subtotalOf(name)));
  }
});

test('periods go across in subtotals, too, and periods of an interval add up to their dimension', async () => {
  const measures = 'actual_hours';
  const wide = await pivot({ group_by: 'client,project', columns: 'quarter', measures });
  const long = await pivot({ group_by: 'client', interval: 'quarter', measures });
  const start = wide.table.columns.findIndex(({ measure }) => measure);
  const across = (wide.table.subtotals ?? []).map(({ values }) => sum(values.slice(start, -1)));
  const down = (long.table.subtotals ?? []).map(({ values }) => Number(values.at(-1)));
  expect(across).toEqual(down);
  expect(down.length).toBeGreaterThan(5);
});

test('sort orders groups by their subtotals, and rows within them', async () => {
  const { table, rows } = await pivot({ group_by: 'client,project', measures: 'actual_hours', sort: '-actual_hours' });
  const sums = (table.subtotals ?? []).map(({ values }) => Number(values.at(-1)));
  expect(sums).toEqual([...sums].sort((a, b) => b - a));
  for (const { first, count } of table.subtotals ?? []) {
    const own = rows.slice(first, first + count).map((row) => Number(row['actual_hours']));
    expect(own).toEqual([...own].sort((a, b) => b - a));
  }
});

test('rows by tag overlap within a client, so its subtotal counts each line once', async () => {
  const { table } = await pivot({ group_by: 'client,tag', measures: 'actual_hours' });
  const { rows } = await company.report('pivot', {
    ...WINDOW,
    subtotals: '0',
    group_by: 'client',
    measures: 'actual_hours',
  });
  const own = (table.subtotals ?? []).map(({ values }) => Number(values.at(-1)));
  expect(own).toEqual(rows.map((row) => Number(row['actual_hours'])));
  expect(table.meta.checks.some(({ check }) => check.includes('subtotal'))).toBe(false);
});

test('JSON has them apart from the rows with their level, and a terminal below their rows', async () => {
  const parameters = { group_by: 'client,project', measures: 'actual_hours', client_id: '201,202' };
  const json = JSON.parse(await textOf('json', parameters));
  expect(json.pivot.length).toBe(4);
  expect(json.subtotals).toEqual([
    expect.objectContaining({ _level: 1, client_id: 201, project_id: null, actual_hours: 3588.25 }),
    expect.objectContaining({ _level: 1, client_id: 202, project_id: null, actual_hours: 854.75 }),
  ]);
  expect(Object.keys(json)).toEqual(['pivot', 'subtotals', 'totals', 'meta']);
  expect(await textOf('table', parameters)).toMatch(/521 .*\n201 +Kestrel Bank +Total +3,588\.25\n202/);
});

test('a table without a column of the rows names the group in its subtotal', async () => {
  const parameters = {
    group_by: 'client,project',
    measures: 'actual_hours',
    client_id: '201',
    fields: 'client,actual_hours',
  };
  expect(await textOf('table', parameters)).toMatch(/\nKestrel Bank total +3,588\.25\n/);
});

test.each(['csv', 'ndjson', 'parquet', 'arrow'] as const)('%s refuses them before they are computed', (format) => {
  const days = { loggedDays: [], weekStartsOn: 1, fiscalYearStartsIn: 1, asOf: undefined };
  const sent = { ...WINDOW, group_by: 'client,project' };
  const ask = () =>
    parseAsked(loadCatalogues('reports'), 'pivot', sent, { today: '2026-06-03', company: days }, format);
  expect(ask).toThrow(
    expect.objectContaining({ code: 'usage', fields: [expect.objectContaining({ field: 'subtotals' })] }),
  );
});

test.each([
  [{ group_by: 'client' }, /second dimension/],
  [{ group_by: 'client,month', columns: 'month' }, /second dimension/],
  [{ group_by: 'client,project', page: '2' }, /no page/],
])('refuses %j', async (parameters, message) => {
  await expect(pivot(parameters)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
});

function sum(values: readonly unknown[]): number {
  return Number(values.reduce<number>((all, value) => all + Number(value), 0).toFixed(6));
}

async function textOf(format: Parameters<typeof writeTable>[0], parameters: Record<string, string>): Promise<string> {
  const table = await runReport(database, catalogue, 'pivot', { ...WINDOW, ...parameters });
  return (await readBytes(writeTable(format, table, { shown: table.columns.map(({ name }) => name) }))).toString();
}
