import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-streams-'));
let database: Database;

/** Runs for minutes unless interrupted. */
const LONG = 'SELECT COUNT(*) AS count FROM numbers AS a CROSS JOIN numbers AS b WHERE a.number + b.number < 0';

beforeAll(async () => {
  const file = join(folder, 'numbers.duckdb');
  const writer = await openDatabase(file);
  await writer.run('CREATE TABLE numbers AS SELECT range AS number FROM range(2000000)');
  await writer.close();
  database = await openDatabase(file, { readOnly: true });
});

afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

async function countRows(sql: string, signal?: AbortSignal): Promise<number> {
  const { chunks } = await database.stream(sql, undefined, signal && { signal });
  let rows = 0;
  for await (const chunk of chunks) rows += chunk.length;
  return rows;
}

it('a stream returns every row', { tags: ['slow'] }, async () => {
  expect(await countRows('SELECT number FROM numbers')).toBe(2_000_000);
  expect(await countRows('SELECT number FROM numbers WHERE number < 0')).toBe(0);
});

it('a stream that fails midway throws: a partial result never looks complete', { tags: ['slow'] }, async () => {
  const failing = "SELECT CASE WHEN number > 1500000 THEN error('too far') ELSE number END AS number FROM numbers";
  await expect(countRows(failing)).rejects.toMatchObject({
    code: 'limit',
    message: expect.stringContaining('ended early'),
  });
});

it("a signal ends a running statement with the signal's reason", async () => {
  const reason = new Error('the client has gone');
  const controller = new AbortController();
  const ends = Promise.allSettled([
    database.rows(LONG, undefined, { signal: controller.signal }),
    database.stream(LONG, undefined, { signal: controller.signal }),
    countRows('SELECT a.number FROM numbers AS a CROSS JOIN numbers AS b', controller.signal),
  ]);
  await sleep(200);
  controller.abort(reason);
  expect(await ends).toEqual(Array(3).fill({ status: 'rejected', reason }));
});

it('an aborted signal ends a statement at once, and a later one has no effect', async () => {
  const reason = new Error('gone before');
  await expect(database.rows('SELECT 1 AS one', undefined, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(database.stream('SELECT 1', undefined, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  expect(await database.rows('SELECT 1 AS one', undefined, { signal: controller.signal })).toEqual([{ one: 1 }]);
  controller.abort();
  expect(await database.rows('SELECT 2 AS two')).toEqual([{ two: 2 }]);
});

it('concurrent readers each get their own rows', async () => {
  const numbers = Array.from({ length: 24 }, (_, number) => number);
  const answers = await Promise.all(
    numbers.map((number) => database.rows('SELECT SUM(number % 7) + $number AS sum FROM numbers', { number })),
  );
  const [first] = await database.rows<{ sum: number }>('SELECT SUM(number % 7) AS sum FROM numbers');
  expect(answers).toEqual(numbers.map((number) => [{ sum: (first?.sum ?? 0) + number }]));
});

it('a short read does not wait for a long one', async () => {
  const controller = new AbortController();
  let isLongDone = false;
  const long = database.rows(LONG, undefined, { signal: controller.signal }).finally(() => {
    isLongDone = true;
  });
  const ended = expect(long).rejects.toThrow();
  await sleep(50);
  expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(isLongDone).toBe(false);
  controller.abort();
  await ended;
});
