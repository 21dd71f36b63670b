import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { MAX_IDLE_VIEW_CATALOGS } from '../../src/base/database/view-catalogs.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-plans-'));
const file = join(folder, 'numbers.duckdb');
let writer: Database;
let database: Database;

beforeAll(async () => {
  const filled = await openDatabase(file);
  await filled.run('CREATE TABLE numbers AS SELECT range AS number FROM range(100000)');
  await filled.close();
  writer = await openDatabase(':memory:');
});

beforeEach(async () => {
  database = await openDatabase(file, { readOnly: true });
  return () => database.close();
});

afterAll(async () => {
  await writer.close();
  rmSync(folder, { recursive: true });
});

/** Counts cached plans by their connections, without those of the writer and this query. */
async function countKept(of: Database): Promise<number> {
  const [row] = await of.rows<{ count: number }>('SELECT count FROM duckdb_connection_count()');
  return (row?.count ?? 0) - 2;
}

/** Makes another file with numbers. */
async function makeOther(): Promise<string> {
  const other = join(folder, 'other.duckdb');
  const filled = await openDatabase(other);
  await filled.run('CREATE OR REPLACE TABLE numbers AS SELECT range AS number FROM range(3)');
  await filled.close();
  return other;
}

async function readAll(of: Database, sql: string): Promise<unknown[][]> {
  const { chunks } = await of.stream(sql);
  const rows: unknown[][] = [];
  for await (const chunk of chunks) rows.push(...chunk);
  return rows;
}

it('a repeated statement is planned once, whether read at once or streamed', async () => {
  const sql = 'SELECT count(*) AS count FROM numbers WHERE number % 3 = 0';
  for (let time = 0; time < 3; time += 1) {
    expect(await database.rows(sql)).toEqual([{ count: 33_334 }]);
    expect(await readAll(database, sql)).toEqual([[33_334]]);
  }
  expect(await countKept(database)).toBe(1);
});

it.each([
  [128, 4],
  [1_024, 16],
])('of an engine with %i MiB, %i plans are kept: each holds memory of its last run', async (memoryLimitMib, most) => {
  const small = await openDatabase(file, { readOnly: true, memoryLimitMib });
  for (let rest = 0; rest < 20; rest += 1) await small.rows(`SELECT count(*) FROM numbers WHERE number % 20 = ${rest}`);
  expect(await countKept(small)).toBe(most);
  await small.close();
});

it('long statements leave room for fewer plans: each of their parts keeps memory of its own', async () => {
  const small = await openDatabase(file, { readOnly: true, memoryLimitMib: 512 });
  const long = (rest: number) => `SELECT count(*) FROM numbers WHERE number % 20 = ${rest} /* ${'-'.repeat(70_000)} */`;
  for (let rest = 0; rest < 5; rest += 1) await small.rows(long(rest));
  expect(await countKept(small)).toBe(2);
  // One that alone is too long for all takes no room of others.
  await small.rows(`SELECT 1 AS one /* ${'-'.repeat(300_000)} */`);
  expect(await countKept(small)).toBe(2);
  await small.close();
});

it('a statement that reads an attached file is not kept: nothing has its name again', async () => {
  const { catalog, release } = await database.attach(await makeOther());
  expect(await database.rows(`SELECT count(*) AS count FROM ${catalog}.numbers`)).toEqual([{ count: 3 }]);
  expect(await countKept(database)).toBe(0);
  await release();
});

it('readers of views share their plans, which are gone with the views', async () => {
  const count = async (limit: number) => {
    const view = `CREATE VIEW numbers AS SELECT * FROM plumbline.main.numbers WHERE number < ${limit}`;
    const { catalog, release } = await database.views(`below ${limit}`, async () => [view]);
    const reader = await database.reader(catalog);
    const [row] = await reader.rows<{ count: number }>('SELECT count(*) AS count FROM numbers');
    await reader.close().finally(release);
    return row?.count;
  };
  for (const limit of [3, 5, 3, 5]) expect(await count(limit)).toBe(limit);
  expect(await countKept(database)).toBe(2);
  for (let limit = 10; limit < 10 + MAX_IDLE_VIEW_CATALOGS; limit += 1) expect(await count(limit)).toBe(limit);
  const names = "SELECT count(*) AS count FROM duckdb_databases() WHERE database_name LIKE 'views%'";
  expect(await database.rows(names)).toEqual([{ count: MAX_IDLE_VIEW_CATALOGS }]);
  expect(await count(3)).toBe(3);
});

it('a statement that runs twice at the same time is planned for each run', async () => {
  const sql = 'SELECT sum(number) AS sum FROM numbers';
  const answers = await Promise.all(Array.from({ length: 5 }, () => database.rows(sql)));
  expect(answers).toEqual(Array(5).fill([{ sum: 4_999_950_000 }]));
  expect(await countKept(database)).toBe(5);
});

it('a planned statement runs with new parameters, of other types too', async () => {
  const read = async (number: bigint | string | null) =>
    (await database.rows('SELECT $number AS number', { number })).map((row) => row['number']);
  expect(await read(7n)).toEqual([7]);
  expect(await read('seven')).toEqual(['seven']);
  expect(await read(null)).toEqual([null]);
  expect(await read(8n)).toEqual([8]);
});

it('only the latest plans are kept', async () => {
  for (let number = 0; number < 40; number += 1) await database.rows(`SELECT ${number} AS number`);
  expect(await countKept(database)).toBe(16);
});

it('plans of large results, failed statements and abandoned streams are not kept', async () => {
  await readAll(database, 'SELECT number FROM numbers');
  await database.rows('SELECT number FROM numbers WHERE number < 3000');
  await expect(database.rows("SELECT error('wrong') FROM numbers")).rejects.toThrow('wrong');
  await expect(database.rows('SELECT nothing FROM numbers')).rejects.toThrow('nothing');
  const { chunks } = await database.stream('SELECT a.number FROM numbers AS a CROSS JOIN numbers AS b');
  for await (const chunk of chunks) if (chunk.length > 0) break;
  expect(await countKept(database)).toBe(0);
});

it("a writer caches no plans, because a plan depends on the tables' contents", async () => {
  await writer.run('CREATE TABLE counted AS SELECT range AS number FROM range(1000)');
  const sql = 'SELECT count(*) AS count FROM counted WHERE number > 5000';
  const session = await writer.session();
  expect(await writer.rows(sql)).toEqual([{ count: 0 }]);
  expect(await session.rows(sql)).toEqual([{ count: 0 }]);
  expect(await readAll(writer, sql)).toEqual([[0]]);
  await writer.run('INSERT INTO counted VALUES (6000)');
  expect(await writer.rows(sql)).toEqual([{ count: 1 }]);
  expect(await session.rows(sql)).toEqual([{ count: 1 }]);
  expect(await readAll(writer, sql)).toEqual([[1]]);
  await session.close();
});
