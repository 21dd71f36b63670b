import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../../src/doors/sandbox/sandbox.ts';
import { PROCESS_MEMORY_MIB } from '../../../src/doors/sandbox/sandbox-limits.ts';
import { type LoadedCompany, loadCompany, readChildren, readStatus } from '../../sandbox/company.ts';

/** Process memory besides allocations: program, libraries, database pages. Unit: MiB. */
const PROGRAM_MIB = 200;

/** The most that the calling process may grow, whatever the statement. Unit: MiB. */
const GROWTH_MIB = 150;

let company: LoadedCompany;
let sandbox: Sandbox;
let mostMib = 0;
let rssMib = 0;
let watch: NodeJS.Timeout;
beforeAll(async () => {
  company = await loadCompany();
  sandbox = openSandbox(company.file, { schemas: ['marts', 'reports'], size: 1 });
  await sandbox.query({ sql: 'SELECT 1' });
  rssMib = process.memoryUsage().rss / 2 ** 20;
  if (process.platform === 'linux') {
    watch = setInterval(() => {
      for (const pid of readChildren())
        mostMib = Math.max(mostMib, Number.parseInt(readStatus(pid)['VmHWM'] ?? '0', 10) / 1024);
    }, 20);
  }
});
afterEach(async () => {
  // The next one is answered.
  expect((await sandbox.query({ sql: 'SELECT COUNT(*) > 0 FROM marts.ledger' })).rows).toEqual([[true]]);
});
afterAll(async () => {
  clearInterval(watch);
  await sandbox.close();
  await company.remove();
});

/** Timeout for a bomb that takes time but no memory. Unit: ms. */
const TIMEOUT_MS = 500;

const LIMIT_ERROR = /needs more memory|was ended|The answer is larger|supported string size|Cannot create/;

describe('ends within the limits', () => {
  it.each([
    "SELECT repeat('x', 2000000000)",
    "SELECT length(repeat('x', 2000000000))",
    "SELECT length(repeat(repeat('x', 40000), 40000))",
    "SELECT lpad('x', 2000000000, 'y')",
    "SELECT format('{:2000000000d}', 1)",
    "SELECT printf('%2000000000d', 1)",
    "SELECT bitstring('1', 2000000000)",
    'SELECT list_resize([1], 1000000000)',
    'SELECT range(1000000000)',
    'SELECT list(range) FROM range(1000000000)',
    "SELECT length(string_agg(a.range::VARCHAR, ',')) FROM range(1000000) AS a, range(1000000) AS b",
    'SELECT json_group_array(range) FROM range(1000000000)',
    'SELECT range % 100000000, COUNT(*) FROM range(1000000000) GROUP BY 1',
    'SELECT * FROM range(1000000000) ORDER BY hash(range), range OFFSET 500000000',
    'SELECT SUM(a.range * b.range) FROM range(1000000) AS a, range(1000000) AS b',
    'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n',
    "WITH RECURSIVE n AS (SELECT 'x' AS t UNION ALL SELECT t || t FROM n) SELECT MAX(length(t)) FROM n",
    "SELECT COUNT(*) FROM range(100000000) WHERE regexp_matches(repeat('a', 1000) || range, '(a*)*b{500}c')",
    "SELECT length(regexp_replace(repeat('a', 10000000), 'a', repeat('b', 10000), 'g'))",
    "SELECT repeat('x', 100000) FROM range(100000)",
    'SELECT list_transform(range(100000), lambda x: range(100000))',
  ])('%s', async (sql) => {
    const error = await sandbox.query({ sql, timeoutMs: TIMEOUT_MS }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(limit|usage)$/),
      message: expect.stringMatching(LIMIT_ERROR),
    });
  });

  it.each([
    ['parentheses', `SELECT ${'('.repeat(10_000)}1${')'.repeat(10_000)}`],
    ['lists', `SELECT ${'['.repeat(10_000)}1${']'.repeat(10_000)}`],
    ['a sum', `SELECT 1${'+1'.repeat(10_000)}`],
    ['subqueries', `${'SELECT * FROM ('.repeat(3_000)}SELECT 1${')'.repeat(3_000)}`],
    ['not', `SELECT ${'NOT '.repeat(10_000)}true`],
  ])('%s without end', async (_name, sql) => {
    await expect(sandbox.query({ sql })).rejects.toMatchObject({ code: 'usage' });
  });

  it('unions without end', async () => {
    const error = await sandbox
      .query({ sql: `SELECT 1${' UNION ALL SELECT 1'.repeat(3_000)}`, timeoutMs: 5_000 })
      .catch((thrown: unknown) => thrown);
    // At this depth the statement may just run.
    expect(error).toSatisfy((each: object) => 'rows' in each || 'code' in each);
  });

  it('rows without end are cut', async () => {
    const answer = await sandbox.query({
      sql: 'SELECT a.range, b.range FROM range(1000000000) AS a, range(10) AS b',
    });
    expect([answer.rows.length, answer.isTruncated]).toEqual([10_000, true]);
  });
});

describe('nothing reaches beyond the database', () => {
  it.each([
    "SELECT * FROM enable_logging(storage = 'file', storage_path = '/tmp/x')",
    "SELECT * FROM read_text('/etc/passwd')",
    "COPY (SELECT 1) TO '/tmp/x'",
    "ATTACH '/tmp/x.duckdb'",
    'INSTALL httpfs',
  ])('%s', async (sql) => {
    await expect(sandbox.query({ sql })).rejects.toMatchObject({ code: 'usage' });
  });
});

it('no process used more memory than allowed, and the calling one hardly any', () => {
  expect(mostMib).toBeLessThan(PROCESS_MEMORY_MIB + PROGRAM_MIB);
  expect(process.memoryUsage().rss / 2 ** 20 - rssMib).toBeLessThan(GROWTH_MIB);
  if (process.platform === 'linux') expect(mostMib).toBeGreaterThan(0);
});
