import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Database, readUntil } from '../../src/base/database/database.ts';
import { Exact } from '../../src/base/exact-decimal.ts';
import { hideRates } from '../../src/numbers/report/catalogue/rates.ts';
import { readTies } from '../../src/numbers/report/run/ties.ts';
import { readQuery } from '../read-query.ts';
import { BUNDLED, buildCompany, buildDataset, catalogue, LOADED } from '../sql/company.ts';

let database: Database;
beforeAll(async () => {
  database = await buildDataset(BUNDLED, LOADED);
});
afterAll(() => database.close());

const WINDOW = { start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };

const readProjects = (from: Database, sent: Readonly<Record<string, string>>, seesRates = true) =>
  readQuery(from, { full: catalogue, withoutRates: hideRates(catalogue) }, 'projects', sent, {
    now: LOADED,
    seesRates,
  });

/** Reads the generation once, for requests that each have a database of their own, and a copy of the settings, as those of a part in a kept state. */
async function openRequests() {
  let readings = 0;
  const counted: Database = {
    ...database,
    rows: (...statement) => {
      readings += 1;
      return database.rows(...statement);
    },
  };
  const { context, query } = await readProjects(database, WINDOW);
  const request = (signal = new AbortController().signal, asked = query) =>
    readTies({ company: { ...context.company }, database: readUntil(signal, counted) }, asked);
  return { request, countReadings: () => readings };
}

test('the requests of a window read its tie-outs once', async () => {
  const { request, countReadings } = await openRequests();
  const [first, second] = await Promise.all([request(), request()]);
  expect(first.length).toBeGreaterThan(3);
  expect([second, await request()]).toEqual([first, first]);
  expect(countReadings()).toBe(1);
});

test('an aborted request fails none that waits for its tie-outs', async () => {
  const { request, countReadings } = await openRequests();
  const client = new AbortController();
  const ended = request(client.signal);
  const others = [request(), request()];
  client.abort(new Error('The client left'));
  await expect(ended).rejects.toThrow('The client left');
  const [first, second] = await Promise.all(others);
  expect(first?.length).toBeGreaterThan(3);
  expect(second).toEqual(first);
  expect(countReadings()).toBe(2);
});

test.each([
  ['another window', { end_date: '2026-01-07' }, true],
  ['another filter', { project_id: '501' }, true],
  ['a reader without rates', {}, false],
])('tie-outs are read again for %s', async (_, sent, seesRates) => {
  const { request, countReadings } = await openRequests();
  const { query } = await readProjects(database, { ...WINDOW, ...sent }, seesRates);
  const [first, other] = [await request(), await request(undefined, query)];
  expect(other).not.toEqual(first);
  expect(countReadings()).toBe(2);
});

test('the next generation reads its own', async () => {
  const { request } = await openRequests();
  const next = await openRequests();
  expect(await next.request()).toEqual(await request());
  expect(next.countReadings()).toBe(1);
});

const SUMS = `SELECT CAST(SUM(CASE WHEN kind <> 'expense' THEN cost END) AS VARCHAR) AS cost,
    CAST(SUM(CASE WHEN kind <> 'expense' THEN fee END) AS VARCHAR) AS fees,
    SUM(CASE WHEN kind <> 'expense' THEN hours END) AS labour,
    CAST(SUM(hours * cost_rate) AS VARCHAR) AS exact_cost,
    CAST(SUM(CASE WHEN billable THEN hours * bill_rate END) AS VARCHAR) AS exact_fees,
    COALESCE(SUM(CASE WHEN kind = 'actual' THEN hours END), 0) AS hours
  FROM core.ledger WHERE status <> 'canceled'`;

const EXPENSES = `SELECT CAST(COALESCE(SUM(unrounded_cost), 0) AS VARCHAR) AS exact_cost, CAST(COALESCE(SUM(unrounded_fee), 0) AS VARCHAR) AS exact_fees
  FROM core.expenses WHERE TRUE`;

const PEOPLE = 'SELECT people_id FROM marts.people WHERE department_id = 1';

test.each([
  ['whole months', '2026-01-01', '2026-06-30', {}, ''],
  ['months and days', '2025-12-17', '2026-04-08', {}, ''],
  ['days of a month', '2026-02-03', '2026-02-20', {}, ''],
  ['whole months of a project', '2026-01-01', '2026-06-30', { project_id: '501' }, 'AND project_id = 501'],
  ['whole months of a department', '2026-01-01', '2026-06-30', { department_id: '1' }, `AND people_id IN (${PEOPLE})`],
])(
  'tie-outs of %s are sums of the lines',
  async (_, start_date, end_date, filter: Record<string, string>, condition) => {
    const sent = { start_date, end_date, cutoff_date: '2026-03-14', ...filter };
    const { context, query } = await readProjects(database, sent);
    const [hours, cost, fees, logged, exactCost, exactFees] = await readTies(context, query);
    const window = `AND date BETWEEN '${start_date}' AND '${end_date}'`;
    const [sums] = await database.rows<Record<string, string>>(`${SUMS} ${window} ${condition}`);
    const [all] = await database.rows<Record<string, string>>(`${SUMS} ${window}`);
    const ofExpenses = condition.includes('people_id') ? 'AND FALSE' : condition;
    const [expenses] = await database.rows<Record<string, string>>(`${EXPENSES} ${window} ${ofExpenses}`);
    const exact = (name: string) => new Exact(sums?.[name] ?? 0).plus(expenses?.[name] ?? 0);
    expect(exact('exact_cost').isZero()).toBe(false);
    expect([hours, cost, fees].map((each) => [each?.left, each?.right])).toEqual(
      [sums?.['labour'], sums?.['cost'], sums?.['fees']].map((sum) => [sum, sum]),
    );
    expect([logged?.left, logged?.right]).toEqual([all?.['hours'], all?.['hours']]);
    expect([exactCost, exactFees].map((each) => new Exact(each?.left ?? 0).toFixed())).toEqual(
      ['exact_cost', 'exact_fees'].map((name) => exact(name).toFixed()),
    );
  },
);

test.each(['core.ledger', 'core.ledger_months'])('hours that are wrong in %s alone are found', async (relation) => {
  const change = (by: number) => database.run(`UPDATE ${relation} SET hours = hours + ${by} WHERE kind = 'scheduled'`);
  await change(1);
  onTestFinished(() => change(-1));
  const { context, query } = await readProjects(database, WINDOW);
  const ties = await readTies(context, query);
  expect(ties.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual([
    'labour hours in the window: sum by person, sum by project',
  ]);
});

test('tie-outs of the largest amounts are sums of the lines', { tags: ['slow'] }, async () => {
  const large = await buildCompany({
    people: [{ people_id: 1, name: 'Ana', cost_rate: '399999999.9999', default_hourly_rate: '399999999.9999' }],
    projects: [{ project_id: 1, name: 'One' }],
    logged_time: ['2026-03-02', '2026-03-03'].map((date) => {
      return { logged_time_id: date, people_id: 1, project_id: 1, date, hours: 24 };
    }),
    project_expenses: [{ project_expense_id: 1, project_id: 1, name: 'Site', date: '2026-03-02', cost: '99999999999' }],
  });
  onTestFinished(() => large.close());
  const { context, query } = await readProjects(large, WINDOW);
  const ties = await readTies(context, query);
  expect(ties.map(({ check, left, right }) => [check.split(':')[0], left, right])).toEqual([
    ['labour hours in the window', '48.0000', '48.0000'],
    ['labour cost in the window', '19200000000.0000', '19200000000.0000'],
    ['labour fees in the window', '19200000000.0000', '19200000000.0000'],
    ['logged hours in the window', '48.0000', '48.0000'],
    ['cost in the window, expenses included', '119199999998.9952', '119199999999.0000'],
    ['fees in the window, expenses included', '19199999999.9952', '19200000000.0000'],
  ]);
});
