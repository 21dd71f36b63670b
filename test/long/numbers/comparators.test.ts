import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildLedger } from '../../../bench/comparators/fused.ts';
import { cleanTypedTables, loadTypedTables } from '../../../bench/comparators/load.ts';
import { reportByOracle } from '../../../bench/comparators/oracle.ts';
import { generateCompany } from '../../../bench/generate.ts';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { type Database, openDatabase } from '../../../src/base/database/database.ts';
import { loadDataset } from '../../../src/doors/command/load/load-dataset.ts';
import { loadCatalogue } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import { runReport } from '../../reports.ts';

// The benchmark compares the engine with other programs: fair only while both do the same.

/** Invalid, duplicate and unpriced records, parts of other projects and work by call: XS is too small to have any. */
const EXTRA_RECORDS: Readonly<Record<string, readonly object[]>> = {
  people: [{ people_id: 1000077, name: 'By call', work_days_hours: [0, 0, 0, 0, 0, 0, 0], cost_rate: 40 }],
  projects: [{ project_id: 2000077, project_team: [{ people_id: 1000001, phase_id: 77, hourly_rate: 900 }] }],
  phases: [{ phase_id: 77, project_id: 2000002, default_hourly_rate: 500 }],
  project_tasks: [{ task_meta_id: 77, project_id: 2000002, billable: 0 }],
  logged_time: [
    { logged_time_id: 'a', people_id: null, date: '2025-05-05', hours: 8, project_id: 2000001 },
    { logged_time_id: 'b', people_id: 1000001, date: '2025-02-31', hours: 8, project_id: 2000001 },
    { logged_time_id: 'c', people_id: 1000001, date: '2025-05-05', hours: 24.5, project_id: 2000001 },
    { logged_time_id: 'd', people_id: 1000001, date: '2025-05-05', hours: '7.00005', project_id: '2000001' },
    { logged_time_id: 'e', people_id: 1000001, date: '2025-05-05', hours: 3, project_id: 2000001 },
    { logged_time_id: 'e', people_id: 1000001, date: '2025-05-06', hours: 4.25, project_id: 2000002 },
    { logged_time_id: 'f', people_id: 999, date: '2025-05-07', hours: 2.5, project_id: null },
    { logged_time_id: 'g', people_id: 999, date: '2025-05-07', hours: 1, project_id: 888 },
    { logged_time_id: 'h', people_id: 1000001, date: '2025-05-07', hours: 2, project_id: 2000001, phase_id: 77 },
    { logged_time_id: 'i', people_id: 1000001, date: '2025-05-07', hours: 3, phase_id: 77 },
    { logged_time_id: 'j', people_id: 1000001, date: '2025-05-07', hours: 5, project_id: 2000001, task_meta_id: 77 },
  ],
  tasks: [
    { task_id: 1, project_id: 2000001, people_id: 1000002, start_date: '2025-05-09', end_date: '2025-05-08', hours: 8 },
    { task_id: 2, project_id: 2000001, people_ids: [], start_date: '2025-05-05', end_date: '2025-05-08', hours: 8 },
    { task_id: 3, project_id: 2000001, people_id: 1000002, start_date: '2025-05-10', end_date: '2025-05-11', hours: 5 },
    {
      task_id: 4,
      project_id: 888,
      people_id: 999,
      start_date: '2025-01-31',
      end_date: '2025-02-02',
      hours: 1,
      repeat_state: 2,
    },
    {
      task_id: 5,
      project_id: 2000001,
      phase_id: 77,
      task_meta_id: 77,
      people_id: 1000077,
      start_date: '2025-05-01',
      end_date: '2025-05-14',
      hours: 6,
    },
  ],
  timeoffs: [{ timeoff_id: 1, people_id: 1000002, start_date: '2025-05-05', end_date: '2025-05-04', hours: 8 }],
  project_expenses: [{ project_expense_id: 1, project_id: 2000003, date: '2025-05-05', cost: -1 }],
};

type Row = Readonly<Record<string, unknown>>;

let folder = '';
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-comparators-'));
  const directory = join(folder, 'XS');
  await generateCompany('XS', directory);
  for (const [resource, records] of Object.entries(EXTRA_RECORDS)) {
    await appendFile(
      join(directory, `${resource}.ndjson`),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
  }
  const file = join(folder, 'company.duckdb');
  await loadDataset(directory, file);
  database = await openDatabase(file, { readOnly: true });
});

afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

it.each([
  ['a quarter that is over', '2025-04-01', '2025-06-30', '2025-06-30', 8],
  ['a quarter, its cutoff in the middle', '2025-04-01', '2025-06-30', '2025-05-15', 8],
  ['a year', '2025-01-01', '2025-12-31', '2025-08-31', 8],
  ['a year before its first day', '2025-01-01', '2025-12-31', '2024-12-31', 8],
  ['one day', '2025-05-07', '2025-05-07', '2025-05-07', 8],
  ['days after all records', '2031-01-01', '2031-01-31', '2031-01-31', 0],
])('the oracle makes the report of the engine: %s', async (_, start, end, cutoff, rowCount) => {
  const oracle = await reportByOracle(join(folder, 'XS'), start, end, cutoff);
  const engine = await readEngine(start, end, cutoff);
  const shown = JSON.parse(oracle.json) as { projects: Row[]; totals: Row };
  const measured = (row: Row) =>
    normalize(Object.fromEntries(Object.keys(shown.totals).map((name) => [name, row[name] ?? null])));
  const byId = (rows: readonly Row[]) => Object.fromEntries(rows.map((row) => [row['project_id'], measured(row)]));
  expect(Object.keys(shown.totals).length).toBeGreaterThan(30);
  expect(byId(shown.projects)).toEqual(byId(engine.rows));
  expect(measured(shown.totals)).toEqual(measured(engine.totals));
  expect(shown.projects.length).toBe(rowCount);
});

it('the oracle makes as many lines as the engine', async () => {
  const { lines } = await reportByOracle(join(folder, 'XS'), '2025-04-01', '2025-06-30', '2025-06-30');
  const counts = await database.rows<{ kind: string; count: number }>(
    'SELECT kind, COUNT(*) AS count FROM marts.ledger GROUP BY kind',
  );
  expect(lines).toEqual(Object.fromEntries(counts.map(({ kind, count }) => [kind, count])));
});

it('the fused build makes the lines of the engine', async () => {
  const file = join(folder, 'fused.duckdb');
  await loadTypedTables(join(folder, 'XS'), file);
  await cleanTypedTables(file);
  await buildLedger(file);
  const fused = await openDatabase(file, { readOnly: true });
  try {
    expect(await readLines(fused, 'ledger')).toEqual(await readLines(database, 'core.ledger'));
  } finally {
    await fused.close();
  }
});

/** Reads the sums of lines by all that tells them apart but their days and ids, with the sources of their rates. */
async function readLines(from: Database, ledger: string): Promise<object[]> {
  const keys = ['kind', 'people_id', 'role_id', 'project_id', 'phase_id', 'task_meta_id', 'status', 'billable'];
  const sources = ['cost_rate_source', 'bill_rate_source'].map(
    (name) => `CASE WHEN kind <> 'expense' THEN CAST(${name} AS VARCHAR) END AS ${name}`,
  );
  const rows = await from.rows<object>(`
    SELECT * REPLACE (CAST(kind AS VARCHAR) AS kind, CAST(status AS VARCHAR) AS status)
    FROM (SELECT ${keys.join(', ')}, ${sources.join(', ')}, COUNT(*) AS lines, MIN(date) AS first_date, MAX(date) AS last_date,
      COALESCE(SUM(hours), 0) AS hours, SUM(cost) AS cost, SUM(fee) AS fee
      FROM ${ledger} GROUP BY ALL) AS summed
    ORDER BY ALL NULLS FIRST`);
  return rows.map(normalize);
}

async function readEngine(start: string, end: string, cutoff: string): Promise<{ rows: Row[]; totals: Row }> {
  const sent = { start_date: start, end_date: end, cutoff_date: cutoff };
  const table = await runReport(database, loadCatalogue(join(packageDirectory, 'reports')), 'projects', sent);
  const toObject = (row: readonly unknown[]): Row =>
    Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index] ?? null]));
  const rows: Row[] = [];
  for await (const chunk of table.rows) rows.push(...chunk.map(toObject));
  return { rows, totals: toObject(table.totals ?? []) };
}

/** Returns a row whose decimals have no trailing zeros. */
function normalize(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isDecimal = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
      return [name, isDecimal ? new Decimal(value).toFixed() : value];
    }),
  );
}
