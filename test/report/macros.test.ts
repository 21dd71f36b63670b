import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDataset } from '../../src/command/load.ts';
import { packageDirectory } from '../../src/config.ts';
import { type Database, openDatabase, quoteText } from '../../src/database.ts';
import { runReport } from '../../src/report/run.ts';
import { catalogue } from '../sql/company.ts';

/*
 * Each report as a table macro gives the rows that the report gives, number by number.
 */

const folder = mkdtempSync(join(tmpdir(), 'macros-'));
let database: Database;
beforeAll(async () => {
  const file = join(folder, 'company.duckdb');
  await loadDataset(join(packageDirectory, 'fixtures', 'company'), file);
  database = await openDatabase(file, { readOnly: true });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };
const CUTOFF = { cutoff_date: '2026-02-15' };

const CASES: readonly (readonly [string, Record<string, string>])[] = [
  ['projects', WINDOW],
  ['projects', { ...WINDOW, ...CUTOFF, status: 'draft,tentative,confirmed,completed' }],
  ['projects', { ...WINDOW, ...CUTOFF, interval: 'month', client_id: '301,none' }],
  ['projects', { ...WINDOW, ...CUTOFF, task_meta_id: 'none' }],
  ['phases', { ...WINDOW, ...CUTOFF, interval: 'quarter', project_id: '501,502,503,504,505,506' }],
  ['phases', { ...WINDOW, ...CUTOFF, phase_id: 'none', billable: '0' }],
  ['people', { ...WINDOW, ...CUTOFF }],
  ['people', { ...WINDOW, ...CUTOFF, interval: 'week', department_id: '1,none', active: '1' }],
  ['people', { ...WINDOW, ...CUTOFF, project_status: 'confirmed', people_type_id: '1,2' }],
  ['tasks', { ...WINDOW, ...CUTOFF, tag: 'Public transport,Health,none' }],
  ['lines', { ...WINDOW, people_id: '101,102', billable: '1' }],
  ['data-quality', WINDOW],
];

describe('a report as a macro gives the numbers of the report', () => {
  test.each(CASES)('%s %o', async (name, parameters) => {
    const table = await runReport(database, catalogue, name, parameters);
    const expected = [];
    for await (const chunk of table.rows) expected.push(...chunk);
    const given = Object.entries(parameters).map(([parameter, value]) => `"${parameter}" := ${quoteText(value)}`);
    const columns = table.columns.map((column) => `"${column.name}"`).join(', ');
    const { chunks } = await database.stream(
      `SELECT ${columns} FROM reports.${name.replace('-', '_')}(${given.join(', ')})`,
    );
    const rows = [];
    for await (const chunk of chunks) rows.push(...chunk);
    expect(expected.length).toBeGreaterThan(0);
    expect(rows).toEqual(expected);
  });

  test('every report but the one whose dimensions are chosen is one, with what it is said to be', async () => {
    const macros = await database.rows<{ name: string; comment: string }>(
      "SELECT function_name AS name, comment FROM duckdb_functions() WHERE schema_name = 'reports' ORDER BY name",
    );
    const reports = [...catalogue.reports.values()].filter(({ rows, relation }) => rows || relation);
    expect(macros.map(({ name }) => name)).toEqual(reports.map(({ name }) => name.replace('-', '_')).sort());
    for (const { comment } of macros) expect(comment).toMatch(/A row is: /);
  });

  test('dates may be dates, and a text is a value whatever it holds', async () => {
    const [row] = await database.rows<{ count: number }>(
      "SELECT COUNT(*) AS count FROM reports.projects(DATE '2026-01-01', DATE '2026-03-31', tag := 'x''), (SELECT 1')",
    );
    expect(row?.count).toBe(0);
  });
});
