import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { CURRENCY_CODES, isCurrency } from '../../src/records/resource/currencies.ts';

const select = readFileSync(join(packageDirectory, 'sql', 'core', 'settings.sql'), 'utf8');

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  const codes = [...CURRENCY_CODES].map(quoteText);
  await database.run(`CREATE SCHEMA staging;
    CREATE TABLE staging.settings AS SELECT unnest([${codes.join(', ')}]) AS currency, NULL AS name, NULL AS time_zone,
      NULL AS week_starts_on, NULL AS fiscal_year_starts_in, NULL AS week_hours`);
});
afterAll(() => database.close());

it('A1: every currency has its minor units, and only currencies have', async () => {
  const rows = await database.rows<{ digits: number; currencies: string }>(
    `SELECT minor_units AS digits, string_agg(currency, ' ' ORDER BY currency) AS currencies FROM (${select}) AS settings
    WHERE minor_units <> 2 GROUP BY minor_units ORDER BY minor_units`,
  );
  expect(rows).toEqual([
    { digits: 0, currencies: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF' },
    { digits: 3, currencies: 'BHD IQD JOD KWD LYD OMR TND' },
    { digits: 4, currencies: 'CLF UYW' },
  ]);
  const listed = [...select.matchAll(/IN '([A-Z ]+)'/g)].flatMap(([, codes = '']) => codes.split(' '));
  expect(listed.filter((code) => !isCurrency(code))).toEqual([]);
});

it('holds all currencies that this JavaScript engine knows, and those that it leaves out', () => {
  const known = Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code));
  expect(known).toEqual([]);
  for (const code of ['CLF', 'UYI', 'UYW', 'VED', 'CHE', 'MXV', 'USN']) expect(isCurrency(code)).toBe(true);
  for (const code of ['XXX', 'XTS', 'XXY', 'eur', 'EUR ', '']) expect(isCurrency(code)).toBe(false);
});
