import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { fold } from '../../src/doors/sandbox/admission.ts';
import { FUNCTIONS, TABLE_FUNCTIONS } from '../../src/doors/sandbox/admitted-functions.ts';

const EXPECTED = join(packageDirectory, 'test', 'sandbox', 'expected', 'refused-functions.txt');

let database: Database;
beforeAll(async () => {
  database = await openDatabase(':memory:');
});
afterAll(() => database.close());

async function readNames(types: string): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    `SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE function_type IN (${types}) ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

it('every admitted function exists in the engine', async () => {
  const names = new Set((await readNames("'scalar', 'aggregate', 'macro'")).map(fold));
  // The engine rewrites these into other functions.
  const made = ['ifnull', 'unnest'];
  expect([...FUNCTIONS].filter((name) => !names.has(name) && !made.includes(name))).toEqual([]);
});

it('every admitted table function exists in the engine', async () => {
  const names = new Set(await readNames("'table'"));
  expect([...TABLE_FUNCTIONS].filter((name) => !names.has(name))).toEqual([]);
});

it('every function that is not admitted is on the reviewed list', async () => {
  const scalar = (await readNames("'scalar', 'aggregate', 'macro'")).filter((name) => !FUNCTIONS.has(fold(name)));
  const table = (await readNames("'table', 'table_macro', 'pragma'")).filter(
    (name) => !TABLE_FUNCTIONS.has(fold(name)),
  );
  // Collations are also functions, called by COLLATE; statements need no internal ones.
  const shown = scalar.filter((name) => !/^(icu_collate_|__internal_)/.test(name));
  const text = [
    '# Functions of this version of the engine that SQL from outside may not call.',
    '# A new function is refused until src/doors/sandbox/admitted-functions.ts lists it.',
    '',
    '## In expressions',
    ...shown,
    '',
    '## In FROM, or as pragmas',
    ...table,
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot(EXPECTED);
});
