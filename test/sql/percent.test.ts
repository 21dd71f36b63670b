import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { createFunctions } from '../../src/numbers/model/engine/duckdb.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';

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

/** Values whose quotients differ by halves of 0.01, or by nearly that, on both sides of the limits of 64-bit numbers and simple products. */
const POINT_VALUES = [
  '0',
  '0.0001',
  '-2.005',
  '3',
  '-20000',
  '99999999.9999',
  '-100000000',
  '999999999999.9999',
  '3000000000001.0001',
  '-12345678901234567890.1234',
  '99999999999999999999.9999',
  '200000000000000000000000000',
];

/** Returns the difference of two percentages, from its numerator and denominator in whole numbers. */
function exactPoints(row: Record<'part' | 'whole' | 'other_part' | 'other_whole', string>): string {
  const [a, b, c, d] = [row.part, row.whole, row.other_part, row.other_whole].map((text) =>
    BigInt(text.replace('.', '')),
  );
  if (a === undefined || !b || c === undefined || !d) throw new Error('a number is missing');
  const [top, bottom] = [10_000n * (a * d - c * b), b * d];
  const isNegative = top < 0n !== bottom < 0n;
  const abs = (value: bigint) => (value < 0n ? -value : value);
  const rounded = (2n * abs(top) + abs(bottom)) / (2n * abs(bottom));
  return new Exact(`${isNegative ? -rounded : rounded}`).div(100).toFixed(2);
}

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  await createFunctions(database, sqlDirectory);
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

it('R5: a difference of percentages is rounded once, of the exact difference, however large its parts are', {
  tags: ['slow'],
}, async () => {
  const rows = await database.rows<Record<'part' | 'whole' | 'other_part' | 'other_whole' | 'points', string>>(`
    WITH numbers AS (SELECT CAST(UNNEST(['${POINT_VALUES.join("', '")}']) AS DECIMAL(38, 4)) AS number)
    SELECT part.number AS part, whole.number AS whole, other_part.number AS other_part, other_whole.number AS other_whole,
      pl_points(part.number, whole.number, other_part.number, other_whole.number) AS points
    FROM numbers AS part CROSS JOIN numbers AS whole CROSS JOIN numbers AS other_part CROSS JOIN numbers AS other_whole
    WHERE whole.number <> 0 AND other_whole.number <> 0`);
  expect(rows).toHaveLength(POINT_VALUES.length ** 2 * (POINT_VALUES.length - 1) ** 2);
  const wrong = rows.filter((row) => row.points !== exactPoints(row));
  expect(wrong).toEqual([]);
});

it('R5: points that two roundings would move by 0.01 are right, and so are halves of 0.01 in either sign', async () => {
  const cases = [
    ['1', '3', '1', '6', '16.67'],
    ['1', '6', '1', '3', '-16.67'],
    ['2', '3', '1', '3', '33.33'],
    ['0.5', '10000', '0', '1', '0.01'],
    ['1', '1', '9999.5', '10000', '0.01'],
    ['9999.5', '10000', '1', '1', '-0.01'],
    ['100000000000000.0000', '300000000000000.0000', '1', '6', '16.67'],
    ['99995000000000000', '100000000000000000', '1', '1', '-0.01'],
    ['100005000000000000', '100000000000000000', '1', '1', '0.01'],
  ];
  const numbers = (row: readonly string[]) => row.slice(0, 4).map((text) => `CAST(${text} AS DECIMAL(38, 4))`);
  const points = cases.map((row) => `pl_points(${numbers(row).join(', ')})`);
  const [row] = await database.rows<{ points: string[] }>(`SELECT [${points.join(', ')}] AS points`);
  expect(row?.points).toEqual(cases.map(([, , , , expected]) => expected));
});

it('R5: points of a percentage of zero or of an unknown value are unknown', async () => {
  const cases = [
    '1, 0, 1, 1',
    '1, 1, 1, 0',
    'NULL, 1, 1, 1',
    '1, 1, 1, NULL',
    '12345678901234.5, 0, 1, 1',
    'NULL, 12345678901234.5, 1, 1',
  ];
  const points = cases.map((list) => `pl_points(${list.replaceAll(/[\d.]+|NULL/g, 'CAST($& AS DECIMAL(38, 4))')})`);
  const [row] = await database.rows<{ points: (string | null)[] }>(`SELECT [${points.join(', ')}] AS points`);
  expect(row?.points).toEqual(cases.map(() => null));
});
