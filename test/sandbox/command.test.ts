import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../errors/gallery.ts';
import { type LoadedCompany, loadCompany } from './company.ts';

let company: LoadedCompany;
beforeAll(async () => {
  company = await loadCompany();
});
afterAll(() => company.remove());

const sql = (...args: string[]) => run(['sql', ...args, '--database', company.file]);

it('prints a table to the terminal', { tags: ['slow'] }, async () => {
  const { stdout, stderr, exitCode } = await sql(
    'SELECT kind, SUM(hours) AS hours, SUM(fee) AS fees FROM marts.ledger GROUP BY kind ORDER BY kind',
    '--format',
    'table',
  );
  expect(stdout.split('\n').slice(0, 7)).toEqual([
    'SQL, USD',
    '',
    'kind       hours      fees',
    '─────────  ─────  ────────',
    'scheduled  30.00  3,000.00',
    'actual      5.50    550.00',
    '',
  ]);
  expect([stderr, exitCode]).toEqual(['', 0]);
});

it('separates thousands in counts and amounts, but not in years and ids', { tags: ['slow'] }, async () => {
  const { stdout } = await sql(
    `SELECT fiscal_year, 2026 AS started, 12345 AS people_id, count(*) + 12000 AS day_count, SUM(12345.5) AS hours
     FROM marts.calendar WHERE date = '2026-01-01' GROUP BY fiscal_year`,
    '--format',
    'table',
  );
  expect(stdout.split('\n').slice(2, 5)).toEqual([
    'fiscal_year  started  people_id  day_count      hours',
    '───────────  ───────  ─────────  ─────────  ─────────',
    '       2026     2026  12345         12,001  12,345.50',
  ]);
});

it('reads every schema of the file, and prints JSON with its data version', { tags: ['slow'] }, async () => {
  const { stdout } = await sql('SELECT cost_rate FROM source.people WHERE people_id = $id', '--param', 'id:number=1');
  expect(JSON.parse(stdout)).toMatchObject({
    columns: [{ name: 'cost_rate', type: 'DECIMAL(18,4)' }],
    rows: [{ cost_rate: 50 }],
    truncated: false,
    data_version: expect.stringMatching(/^\d{8}T\d{6}Z-/),
  });
});

it('writes a file, and reports cut rows on standard error', { tags: ['slow'] }, async () => {
  const output = join(company.folder, 'days.csv');
  const { stdout, stderr, exitCode } = await sql(
    'FROM range(9)',
    '--limit',
    '2',
    '--format',
    'csv',
    '--output',
    output,
  );
  expect([stdout, exitCode]).toEqual(['', 0]);
  expect(stderr).toBe('There are more rows than the 2 that are shown. More: --limit, up to 100000.\n');
  expect(await readFile(output, 'utf8')).toBe('range\r\n0\r\n1\r\n');
});

it.each([
  [['SELECT 1', '2'], 2, 'sql takes one SELECT, but was given "SELECT 1 2"'],
  [[], 2, 'sql takes one SELECT'],
  [['SELECT $a', '--param', 'a'], 2, '--param: "a" is not NAME=VALUE'],
  [['SELECT $a', '--param', 'a:money=1'], 2, '$a: "money" is not a type of parameters'],
  [['SELECT $a', '--param', 'a:number=1e3'], 2, '$a: "1e3" is not a decimal number'],
  [['SELECT 1', '--limit', '0'], 2, '--limit: "0" is not a whole number of rows from 1 to 100000'],
  [['SELECT 1', '--limit', '100001'], 2, '--limit: "100001" is not a whole number of rows from 1 to 100000'],
  [['SELECT 1', '--timeout', 'soon'], 2, '--timeout: "soon" is not a whole number of seconds from 1 to 100'],
  [['SELECT 1', '--timeout', '101'], 2, '--timeout: "101" is not a whole number of seconds from 1 to 100'],
  [['SELECT 1', '--format', 'xml'], 2, '--format: "xml" is not a format'],
  [['INSERT INTO core.ledger VALUES (1)'], 2, 'The SQL is not a SELECT'],
  [["SELECT repeat('x', 2000000000)"], 1, 'The statement needs more memory'],
  [['SELECT 1', '--database', 'nowhere.duckdb'], 1, 'There is no database nowhere.duckdb'],
])('%j fails', { tags: ['slow'] }, async (args, code, message) => {
  const { stderr, stdout, exitCode } = await run(['sql', '--database', company.file, ...args]);
  expect([exitCode, stderr, stdout]).toEqual([code, expect.stringContaining(message), '']);
});
