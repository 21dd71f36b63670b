import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { keptPart, withoutMarks } from '../../src/base/database/kept-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-parts-'));
const file = join(folder, 'numbers.duckdb');
let database: Database;

beforeAll(async () => {
  const filled = await openDatabase(file);
  await filled.run('CREATE SCHEMA core; CREATE TABLE core.numbers AS SELECT range AS number FROM range(100000)');
  await filled.close();
});
beforeEach(async () => {
  database = await openDatabase(file, { readOnly: true, memoryLimitMib: 256 });
  return () => database.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const THIRDS = 'SELECT number FROM core.numbers WHERE number % 3 = 0';
// A part with a value of its own shows by that value that it was computed once.
const ONCE = keptPart('SELECT random() AS once FROM range(1)');

const countParts = async () =>
  (await database.rows(`SELECT 1 FROM duckdb_databases() WHERE database_name LIKE 'kept%'`)).length;

it('computes a part once for all statements that share it', async () => {
  const read = (factor: number) =>
    database.rows<{ value: number }>(`WITH part AS (${ONCE}) SELECT once AS value, ${factor} AS factor FROM part`);
  const [first, ...others] = (await Promise.all([read(1), read(2), read(3)])).map(([row]) => row?.value);
  expect(others).toEqual([first, first]);
  expect((await read(4))[0]?.value).toBe(first);
  expect(await countParts()).toBe(1);
});

it('has the rows that the statement has without parts', async () => {
  const sql = `WITH thirds AS (${keptPart(THIRDS)}) SELECT COUNT(*) AS count, SUM(number) AS sum FROM thirds WHERE number < 50000`;
  expect(await database.rows(sql)).toEqual(await database.rows(withoutMarks(sql)));
  expect(withoutMarks(sql)).toContain(`(${THIRDS})`);
});

it('is a comment in a database that is written', async () => {
  const written = await openDatabase(':memory:');
  await written.run('CREATE TABLE numbers AS SELECT 1 AS number');
  const sql = `SELECT * FROM (${keptPart('SELECT * FROM numbers')})`;
  expect(await written.rows(sql)).toEqual([{ number: 1 }]);
  await written.run('UPDATE numbers SET number = 2');
  expect(await written.rows(sql)).toEqual([{ number: 2 }]);
  await written.close();
});

it('keeps a part for each database of views apart, and drops it with them', async () => {
  const part = keptPart('SELECT COUNT(*) AS count FROM core.numbers');
  const views = await database.views('few', async () => [
    'CREATE SCHEMA core',
    'CREATE VIEW core.numbers AS SELECT * FROM plumbline.core.numbers WHERE number < 10',
  ]);
  const reader = await database.reader(views.catalog);
  expect(await reader.rows(`FROM (${part})`)).toEqual([{ count: 10 }]);
  expect(await database.rows(`FROM (${part})`)).toEqual([{ count: 100_000 }]);
  await reader.close();
  await views.release();
});

it('forgets the parts that were read longest ago', async () => {
  for (let first = 0; first < 80; first += 1) {
    await database.rows(`FROM (${keptPart(`SELECT number FROM core.numbers WHERE number = ${first}`)})`);
  }
  await expect.poll(countParts).toBe(64);
  // An eighth of 256 MiB has room for one of these.
  for (let first = 0; first < 3; first += 1) {
    await database.rows(`SELECT COUNT(*) FROM (${keptPart(`SELECT number + ${first} FROM core.numbers`)}) AS part`);
  }
  await expect.poll(countParts).toBe(1);
});

it('tells each reader of a part that fails, and tries again', async () => {
  const sql = `FROM (${keptPart("SELECT CAST('x' || number AS INTEGER) FROM core.numbers")})`;
  const failed = await Promise.allSettled([database.rows(sql), database.rows(sql)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(database.rows(sql)).rejects.toThrow(/x0/);
  await expect.poll(countParts).toBe(0);
});

const ENDLESS = 'SELECT COUNT(*) AS count FROM range(10000000000) AS a, range(10000000000) AS b';

it('gives a part up that nobody waits for any more, and no other', { timeout: 20_000 }, async () => {
  const [leaving, staying] = [new AbortController(), new AbortController()];
  const read = (controller: AbortController) =>
    database.rows(`FROM (${keptPart(ENDLESS)})`, undefined, { signal: controller.signal });
  const [left, stayed] = [expect(read(leaving)).rejects.toThrow('left'), expect(read(staying)).rejects.toThrow('left')];
  await new Promise((resolve) => setTimeout(resolve, 200));
  leaving.abort(new Error('left'));
  await left;
  expect(await countParts()).toBe(1);
  staying.abort(new Error('left'));
  await stayed;
  await expect.poll(countParts).toBe(0);
});

it('reads the part where parts are kept, and what stands in its place elsewhere', async () => {
  const sql = `FROM (${keptPart('SELECT 1 AS kept', 'SELECT 2 AS kept')})`;
  expect(await database.rows(sql)).toEqual([{ kept: 1 }]);
  expect(await database.rows(withoutMarks(sql))).toEqual([{ kept: 2 }]);
  const session = await database.session();
  expect(await session.rows(sql)).toEqual([{ kept: 2 }]);
  await session.close();
});

it('closes while a part is being made', { timeout: 20_000 }, async () => {
  const read = database.rows(`FROM (${keptPart(ENDLESS)})`);
  const refused = expect(read).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await database.close();
  await refused;
});
