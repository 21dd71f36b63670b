import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../src/config/package.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';

/** Values around 0, rounding halves, the limit of 64-bit integers, and far beyond. */
const VALUES = [
  '0',
  '0.0001',
  '0.5',
  '1',
  '2.005',
  '3',
  '200',
  '123456.7891',
  '999999999.9999',
  '1000000000',
  '1000000000.0001',
  '12345678901234567890.1234',
  '99999999999999999999.9999',
].flatMap((value) => (value === '0' ? [value] : [value, `-${value}`]));

const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  await database.run(readFileSync(join(packageDirectory, 'sql', 'prelude', 'duckdb.sql'), 'utf8'));
});
afterAll(() => database.close());

it('R5: a percentage is exact, half away from zero to 2 decimals, however large its parts are', async () => {
  const rows = await database.rows<Record<'part' | 'whole' | 'percent', string>>(`
    WITH numbers AS (SELECT CAST(UNNEST(['${VALUES.join("', '")}']) AS DECIMAL(38, 4)) AS number)
    SELECT part.number AS part, whole.number AS whole, pl_percent(part.number, whole.number) AS percent
    FROM numbers AS part CROSS JOIN numbers AS whole WHERE whole.number <> 0`);
  expect(rows).toHaveLength(VALUES.length * (VALUES.length - 1));
  const expected = rows.map(({ part, whole }) => new Exact(part).times(100).div(whole).toFixed(2));
  // Zero has no sign in the database.
  expect(rows.map(({ percent }) => percent)).toEqual(expected.map((text) => (text === '-0.00' ? '0.00' : text)));
});

it('R5: a percentage of zero or of an unknown value is unknown', async () => {
  const pairs = ['1, 0', '0, 0', '12345678901.5, 0', 'NULL, 1', '1, NULL', 'NULL, 12345678901.5'];
  const percents = pairs.map((pair) => `pl_percent(${pair.replaceAll(/[\d.]+|NULL/g, 'CAST($& AS DECIMAL(38, 4))')})`);
  const [row] = await database.rows<{ percents: (string | null)[] }>(`SELECT [${percents.join(', ')}] AS percents`);
  expect(row?.percents).toEqual(pairs.map(() => null));
});
