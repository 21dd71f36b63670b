import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { MAX_IDLE_VIEW_CATALOGS } from '../../src/base/database/view-catalogs.ts';

let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
  await database.run('CREATE TABLE numbers AS SELECT UNNEST(range(10)) AS number');
});
afterAll(() => database.close());

/** Opens a session that reads the numbers below a limit. */
async function openBelow(limit: number, key = `below ${limit}`) {
  const session = await database.session();
  const { catalog, release } = await session.views(key, async () => [
    'CREATE SCHEMA part',
    `CREATE VIEW part.numbers AS SELECT * FROM plumbline.main.numbers WHERE number < ${limit}`,
  ]);
  await session.run(`USE ${catalog}`);
  const count = async () =>
    (await session.rows<{ count: number }>('SELECT COUNT(*) AS count FROM part.numbers'))[0]?.count;
  return { catalog, count, close: () => session.close().finally(release) };
}

async function listCatalogs(): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    "SELECT database_name AS name FROM duckdb_databases() WHERE database_name LIKE 'views%' ORDER BY database_oid",
  );
  return rows.map(({ name }) => name);
}

it('callers with one key share a database, and those with another see theirs', async () => {
  const [three, same, five] = await Promise.all([openBelow(3), openBelow(3), openBelow(5)]);
  expect(three.catalog).toBe(same.catalog);
  expect([await three.count(), await same.count(), await five.count()]).toEqual([3, 3, 5]);
  for (const opened of [three, same, five]) await opened.close();
});

it('those that nobody reads are dropped, the one that was read longest ago first', async () => {
  const kept = await openBelow(1);
  const limits = Array.from({ length: MAX_IDLE_VIEW_CATALOGS + 5 }, (_, index) => index);
  for (const limit of limits) await (await openBelow(2, `idle ${limit}`)).close();
  expect(await listCatalogs()).toHaveLength(MAX_IDLE_VIEW_CATALOGS + 1);
  // The one in use is older than all of them.
  expect(await kept.count()).toBe(1);
  expect((await listCatalogs())[0]).toBe(kept.catalog);
  const again = await openBelow(2, 'idle 0');
  expect(await again.count()).toBe(2);
  await again.close();
  await kept.close();
});

it('one that can not be made is made anew for the next caller', async () => {
  const session = await database.session();
  await expect(session.views('broken', async () => ['CREATE VIEW wrong AS SELECT * FROM nothing'])).rejects.toThrow();
  const { catalog, release } = await session.views('broken', async () => ['CREATE VIEW good AS SELECT 1 AS one']);
  expect(await session.rows(`SELECT one FROM ${catalog}.main.good`)).toEqual([{ one: 1 }]);
  await session.close();
  await release();
});
