import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { exchangeNames } from '../../src/numbers/model/relation-names.ts';

let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
});
afterAll(() => database.close());

const exchange = (...selects: string[]) => exchangeNames(database, selects, (name) => `lake.v7_${name}`);

it.each([
  ['SELECT name FROM core.people', 'SELECT name FROM lake.v7_core.people'],
  ['SELECT people.name FROM core.people', 'SELECT people.name FROM lake.v7_core.people'],
  ['SELECT p.name FROM "core" . "people" AS p', 'SELECT p.name FROM lake.v7_core.people AS p'],
  [
    "SELECT 'core.people' AS place -- FROM core.people\nFROM core.people",
    "SELECT 'core.people' AS place -- FROM core.people\nFROM lake.v7_core.people",
  ],
  [
    "SELECT 'é 😀' AS sign FROM core.people WHERE name = 'é' AND id IN (SELECT id FROM core.rates)",
    "SELECT 'é 😀' AS sign FROM lake.v7_core.people WHERE name = 'é' AND id IN (SELECT id FROM lake.v7_core.rates)",
  ],
  [
    'WITH people AS (SELECT * FROM core.people) SELECT * FROM people',
    'WITH people AS (SELECT * FROM lake.v7_core.people) SELECT * FROM people',
  ],
  [
    'SELECT 1 AS one FROM core.a JOIN core.b ON b.x = a.x UNION SELECT 2 FROM marts.core',
    'SELECT 1 AS one FROM lake.v7_core.a JOIN lake.v7_core.b ON b.x = a.x UNION SELECT 2 FROM lake.v7_marts.core',
  ],
  ['SELECT 1 AS one', 'SELECT 1 AS one'],
])('%s becomes %s', async (select, expected) => {
  expect(await exchange(select)).toEqual([expected]);
});

it('several statements are exchanged at once', async () => {
  expect(await exchange('SELECT 1 FROM core.a', 'SELECT 2 FROM core.b')).toEqual([
    'SELECT 1 FROM lake.v7_core.a',
    'SELECT 2 FROM lake.v7_core.b',
  ]);
});

it('a statement that DuckDB cannot parse is refused', async () => {
  await expect(exchange('SELECT FROM WHERE')).rejects.toMatchObject({
    code: 'definition',
    message: expect.stringMatching(/syntax error.*: SELECT FROM WHERE$/),
  });
});
