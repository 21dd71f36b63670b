import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { moneyUnits, quotient } from '../../src/numbers/report/source/exact-units.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';

async function openMemory() {
  const database = await openDatabase(':memory:', { settings: { threads: '1' } });
  onTestFinished(() => database.close());
  return database;
}

/** Rounds half away from zero. @param below Not 0. */
function divide(above: bigint, below: bigint): bigint {
  const [size, by] = [above < 0n ? -above : above, below < 0n ? -below : below];
  const rounded = (2n * size + by) / (2n * by);
  return above < 0n === below < 0n ? rounded : -rounded;
}

it(`divides whole numbers of any size exactly, PLUMBLINE_SEED=${SEED}`, async () => {
  const random = new Prng(SEED);
  const whole = (digits: number) =>
    BigInt(random.pick(['', '-']) + Array.from({ length: random.int(1, digits) }, () => random.int(0, 9)).join(''));
  const edges = [3n, 9n].flatMap((head) => [head * 10n ** 18n - 1n, head * 10n ** 18n, head * 10n ** 18n + 1n]);
  const pairs = [
    ...edges.flatMap((edge) => [1n, 7n, ...edges].map((other) => [edge, other] as const)),
    ...Array.from({ length: 500 }, () => [whole(30), whole(20) || 1n] as const),
  ];
  const values = pairs.map(([above, below]) => `(CAST('${above}' AS HUGEINT), CAST('${below}' AS HUGEINT))`);
  const database = await openMemory();
  const rows = await database.rows<{ found: string }>(
    `SELECT CAST(${quotient('above', 'below')} AS VARCHAR) AS found FROM (VALUES ${values.join(', ')}) AS pairs(above, below)`,
  );
  expect(rows.map(({ found }) => found)).toEqual(pairs.map(([above, below]) => String(divide(above, below))));
});

it('is null for a quotient by 0, and takes decimals as ten-thousandths on both sides of a billion', async () => {
  const texts = ['0.0001', '999999999.9999', '1000000000', '-999999999.9999', '-123456789012345678.9012'];
  const database = await openMemory();
  const rows = await database.rows<{ units: string; none: null }>(
    `SELECT CAST(${moneyUnits('amount')} AS VARCHAR) AS units, ${quotient('CAST(5 AS HUGEINT)', 'CAST(0 AS HUGEINT)')} AS none
    FROM (VALUES ${texts.map((text) => `(CAST('${text}' AS DECIMAL(38, 4)))`).join(', ')}) AS amounts(amount)`,
  );
  expect(rows).toEqual(
    ['1', '9999999999999', '10000000000000', '-9999999999999', '-1234567890123456789012'].map((units) => ({
      units,
      none: null,
    })),
  );
});
