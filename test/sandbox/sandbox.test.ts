import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reservedMib } from '../../src/doors/sandbox/process.ts';
import { openSandbox, type Sandbox, type SqlQuery } from '../../src/doors/sandbox/sandbox.ts';
import {
  ADDRESS_SPACE_MIB,
  CPU_SECONDS,
  MAX_WAITING,
  PROCESS_MEMORY_MIB,
} from '../../src/doors/sandbox/sandbox-limits.ts';
import {
  ENDLESS,
  type LoadedCompany,
  loadCompany,
  readChildren,
  readProcessorMs,
  readStatus,
  writeGeneration,
} from './company.ts';

const isLinux = process.platform === 'linux';

let company: LoadedCompany;
let sandbox: Sandbox;
beforeAll(async () => {
  company = await loadCompany();
  sandbox = openSandbox(company.file, { schemas: ['marts', 'reports'], size: 1 });
});
afterAll(async () => {
  await sandbox.close();
  await company.remove();
});

const query = (sql: string, more: Partial<SqlQuery> = {}) => sandbox.query({ sql, ...more });

describe('an answer', () => {
  it('has columns with their types, and values with all their digits', async () => {
    const answer =
      await query(`SELECT DATE '2026-01-31' AS day, SUM(hours) AS hours, 1.50 AS rate, TRUE AS is_true, NULL AS nothing,
      9007199254740993 AS large, [1, 2] AS list, {'a': 1.5, 'b': [9007199254740993]} AS struct, TIME '10:00' AS time,
      INTERVAL 3 DAY AS span, 'NaN'::DOUBLE AS nan, MAP {'a': 1} AS map, 'x'::BLOB AS blob FROM marts.ledger WHERE kind = 'actual'`);
    expect(answer.columns.slice(0, 5)).toEqual([
      { name: 'day', type: 'DATE' },
      { name: 'hours', type: 'DECIMAL(38,6)' },
      { name: 'rate', type: 'DECIMAL(3,2)' },
      { name: 'is_true', type: 'BOOLEAN' },
      { name: 'nothing', type: 'INTEGER' },
    ]);
    const nested = { a: '1.5', b: ['9007199254740993'] };
    expect(answer.rows).toEqual([
      [
        '2026-01-31',
        '5.5000',
        '1.50',
        true,
        null,
        9007199254740993n,
        [1, 2],
        nested,
        '10:00:00',
        '3 days',
        'NaN',
        "{'a': 1}",
        'x',
      ],
    ]);
    expect(answer.dataVersion).toMatch(/^\d{8}T\d{6}Z-/);
  });

  it('keeps the row order, and renames repeated columns', async () => {
    const { columns, rows } = await query('SELECT range AS a, -range AS a FROM range(3) ORDER BY range DESC;  ');
    expect(columns.map(({ name }) => name)).toEqual(['a', 'a_1']);
    expect(rows).toEqual([
      [2, -2],
      [1, -1],
      [0, 0],
    ]);
  });

  it('is cut at the row limit, and says so', async () => {
    const cut = await query('SELECT * FROM range(1000000000)', { maxRows: 2500 });
    expect([cut.rows.length, cut.isTruncated]).toEqual([2500, true]);
    const whole = await query('SELECT * FROM range(2500)', { maxRows: 2500 });
    expect([whole.rows.length, whole.isTruncated]).toEqual([2500, false]);
    expect((await query('SELECT 1 WHERE false')).rows).toEqual([]);
  });

  it('binds named parameters of every type', async () => {
    const { rows } = await query(
      `SELECT $text, $number, typeof($number), $flag, $day, typeof($day), $nothing, COUNT(*) FILTER (date >= $start) FROM marts.ledger`,
      {
        parameters: {
          text: { type: 'text', text: "it's; --" },
          number: { type: 'number', text: '-012.50' },
          flag: { type: 'boolean', text: 'false' },
          day: { type: 'date', text: '2026-02-28' },
          nothing: { type: 'null', text: '' },
          start: { type: 'text', text: '2026-01-09' },
        },
      },
    );
    expect(rows).toEqual([["it's; --", '-12.50', 'DECIMAL(4,2)', false, '2026-02-28', 'DATE', null, 1]]);
  });
});

describe('an error', () => {
  it.each([
    [
      'SELECT nope FROM marts.ledger',
      `The SQL can't be run: Referenced column "nope" not found in FROM clause! (line 1, column 8)`,
    ],
    [
      "SELECT\n 'é', CAST('x' AS INTEGER)",
      `The SQL can't be run: Could not convert string 'x' to INT32 (line 2, column 7)`,
    ],
    ['SELECT upper(1, 2)', 'No function matches'],
    ["SELECT CAST(CASE WHEN range < 90000 THEN '1' ELSE 'x' END AS INTEGER) FROM range(1000000)", 'Could not convert'],
    ['SELECT $a', 'The SQL names $a, which has no value'],
    ['SELECT 1 ;-- one', 'syntax error'],
  ])('%s', async (sql, message) => {
    await expect(query(sql, { maxRows: 100_000 })).rejects.toThrow(message);
    await expect(query(sql, { maxRows: 100_000 })).rejects.toMatchObject({ code: 'usage', hint: expect.anything() });
  });

  it('for a value refused by a report names the parameter, the value and the allowed values', async () => {
    const call = "SELECT COUNT(*) FROM reports.projects('2026-01-01', '2026-01-31', status := 'bogus')";
    await expect(query(call)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(
        `The SQL can't be run: status: "bogus" is not allowed; give one or more of draft, tentative, confirmed, completed`,
      ),
    });
    const statement = "SELECT COUNT(*) AS rows FROM reports.projects('2026-01-01', '2026-01-31', status := $list)";
    const sent = { list: { type: 'text' as const, text: 'draft,confirmed' } };
    expect((await query(statement, { parameters: sent })).rows).toHaveLength(1);
  });

  it('reports an unknown parameter, and a statement too long', async () => {
    await expect(
      query('SELECT $b', { parameters: { a: { type: 'null', text: '' }, b: { type: 'null', text: '' } } }),
    ).rejects.toThrow('The SQL has no parameter $a');
    await expect(query(`SELECT '${'x'.repeat(1_000_000)}'`)).rejects.toThrow(
      'The SQL has 1000009 bytes; at most 65536 are allowed',
    );
  });

  it('reports an answer that is too large', { tags: ['slow'] }, async () => {
    await expect(query("SELECT repeat('x', 1000000) FROM range(100)")).rejects.toMatchObject({
      code: 'limit',
      message: 'The answer is larger than 16,777,216 bytes',
    });
  });

  it('lets the next statement run', async () => {
    await expect(query('SELECT 1 + 1 AS two')).resolves.toMatchObject({ rows: [[2]] });
  });
});

/** More processor time than reading and checking a statement takes. Unit: ms. */
const BUSY_MS = 300;

describe('time', () => {
  it('ends a statement at its deadline, with its process', { tags: ['slow'] }, async () => {
    const before = isLinux ? readChildren() : [];
    await expect(query(ENDLESS, { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'limit',
      message: 'The statement ran for 0.3 seconds, its limit, and was ended',
    });
    expect((await query('SELECT 1')).rows).toEqual([[1]]);
    if (isLinux) expect(readChildren().filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('ends a statement when its client disconnects', { tags: ['slow'] }, async () => {
    const client = new AbortController();
    const running = query(ENDLESS, { signal: client.signal });
    setTimeout(() => client.abort(new Error('gone')), 200);
    await expect(running).rejects.toThrow('gone');
    await expect(query('SELECT 1', { signal: AbortSignal.abort(new Error('gone before')) })).rejects.toThrow(
      'gone before',
    );
    expect((await query('SELECT 2')).rows).toEqual([[2]]);
  });

  it('queues statements, but not too many', { tags: ['slow'] }, async () => {
    const client = new AbortController();
    const running = query(ENDLESS, { signal: client.signal });
    const waiting = Array.from({ length: MAX_WAITING }, (_, index) => query(`SELECT ${index}`));
    await sleep(50);
    await expect(query('SELECT 1')).rejects.toMatchObject({ code: 'busy' });
    client.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
    expect((await Promise.all(waiting)).map(({ rows }) => rows)).toEqual(waiting.map((_, index) => [[index]]));
  });
});

describe.runIf(isLinux)('the process', () => {
  it('has limits of the operating system, no environment, and no way to write', async () => {
    await query('SELECT 1');
    const [pid = 0] = readChildren();
    const limits = Object.fromEntries(
      readFileSync(`/proc/${pid}/limits`, 'utf8')
        .split('\n')
        .map((line) => line.split(/ {2,}/).slice(0, 3))
        .map(([name = '', soft, hard]) => [name, [soft, hard]]),
    );
    const both = (value: number) => [String(value), String(value)];
    expect(limits).toMatchObject({
      'Max address space': both((ADDRESS_SPACE_MIB + reservedMib) * 2 ** 20),
      'Max data size': both((PROCESS_MEMORY_MIB + reservedMib) * 2 ** 20),
      'Max cpu time': both(CPU_SECONDS),
      'Max file size': both(0),
      'Max core file size': both(0),
      'Max open files': both(64),
    });
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((text) => text.split('=')[0]);
    expect(names.filter((name) => name !== '' && name !== 'PWD').sort()).toEqual([
      'MALLOC_ARENA_MAX',
      'TZ',
      'UV_THREADPOOL_SIZE',
    ]);
  });

  it('is replaced when killed, and its statement gets an error', { tags: ['slow'] }, async () => {
    await query('SELECT 1');
    const [pid = 0] = readChildren();
    const usedMs = readProcessorMs(pid);
    const running = query(ENDLESS);
    await expect.poll(() => readProcessorMs(pid) - usedMs).toBeGreaterThan(BUSY_MS);
    process.kill(pid, 'SIGSEGV');
    await expect(running).rejects.toMatchObject({ code: 'limit', message: expect.stringContaining('SIGSEGV') });
    expect((await query('SELECT 3')).rows).toEqual([[3]]);
  });

  it('is replaced after it dies while idle, whether that was noticed or not', { tags: ['slow'] }, async () => {
    for (let round = 0; round < 3; round += 1) {
      await query('SELECT 1');
      for (const pid of readChildren()) process.kill(pid, 'SIGKILL');
      expect((await query('SELECT 4')).rows).toEqual([[4]]);
    }
    const [pid = 0] = readChildren();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readChildren().includes(pid)).toBe(false);
    expect((await query('SELECT 5')).rows).toEqual([[5]]);
  });

  it('ends with the sandbox', async () => {
    const before = readChildren();
    const other = openSandbox(company.file, { size: 1 });
    await other.query({ sql: 'SELECT 1 FROM core.ledger' });
    expect(readChildren().length).toBe(before.length + 1);
    await other.close();
    expect(readChildren()).toEqual(before);
    await expect(other.query({ sql: 'SELECT 1' })).rejects.toThrow('closed');
  });
});

describe('generations', () => {
  it('moves to the next one on notice, and answers each statement from a single one', { tags: ['slow'] }, async () => {
    const file = join(company.folder, 'moving.duckdb');
    await writeGeneration(file, 'first', 'CREATE TABLE marts.numbers AS SELECT 1 AS number');
    await writeGeneration(`${file}.next`, 'second', 'CREATE TABLE marts.others AS SELECT 2 AS number');
    const moving = openSandbox(file, { size: 1 });
    const first = await moving.query({ sql: 'FROM marts.numbers' });
    await rename(`${file}.next`, file);
    const still = await moving.query({ sql: 'FROM marts.numbers' });
    moving.renew();
    const second = await moving.query({ sql: 'FROM marts.others' });
    expect([first, still, second].map(({ dataVersion, rows }) => [dataVersion, rows])).toEqual([
      ['first', [[1]]],
      ['first', [[1]]],
      ['second', [[2]]],
    ]);
    await moving.close();
  });

  it('names a missing file, and finds it once it exists', async () => {
    const file = join(company.folder, 'missing.duckdb');
    const waiting = openSandbox(file, { size: 1 });
    await expect(waiting.query({ sql: 'SELECT 1' })).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining(`There is no database ${file}`),
    });
    await writeGeneration(file, 'found', 'SELECT 1');
    expect((await waiting.query({ sql: 'SELECT 1' })).dataVersion).toBe('found');
    await waiting.close();
  });
});

it('parses the status of a process', () => {
  if (isLinux) expect(readStatus(process.pid)['Pid']).toBe(String(process.pid));
});
