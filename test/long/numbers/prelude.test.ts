import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/database.ts';
import { createFunctions } from '../../../src/numbers/model/engine/duckdb.ts';
import { sqlDirectory } from '../../../src/numbers/relation/sql-file.ts';
import { openPostgres, postgresEngine } from '../../engine/postgres.ts';
import { casesWith, PRELUDE_CASES, selectCases } from '../../engine/prelude-cases.ts';

const expected = (cases: readonly (readonly [string, string | null])[]) =>
  cases.map(([expression, value]) => `${expression} = ${value}`);

it('the functions of the prelude are right on DuckDB at their edges', async () => {
  const cases = casesWith('CAST([] AS DECIMAL(10, 6)[])', 'CAST([] AS VARCHAR[])').filter(
    // The words of cost rates come from the records.
    ([expression]) => !expression.startsWith('pl_cost_rate_source'),
  );
  const database = await openDatabase(':memory:');
  try {
    await createFunctions(database, sqlDirectory);
    const rows = await database.rows<{ value: string | null }>(selectCases(cases));
    const found = rows.map(({ value }, index) => `${cases[index]?.[0]} = ${value}`);
    expect(found).toEqual(expected(cases));
  } finally {
    await database.close();
  }
});

it('the functions of the prelude are right on PostgreSQL at their edges', async () => {
  const cases = casesWith('CAST(ARRAY[] AS DECIMAL(10, 6)[])', 'CAST(ARRAY[] AS VARCHAR[])');
  const postgres = await openPostgres();
  const parser = await openDatabase(':memory:');
  try {
    await postgresEngine(postgres, parser, '').prepare();
    const { rows } = await postgres.query<{ value: string | null }>(selectCases(cases));
    const found = rows.map(({ value }, index) => `${cases[index]?.[0]} = ${value}`);
    expect(found).toEqual(expected(cases));
  } finally {
    await parser.close();
    await postgres.close();
  }
});

it('the cases call every function that models and checks call', () => {
  const texts = ['staging', 'core', 'kinds', 'facts', 'marts', 'quality', 'checks'].flatMap((folder) =>
    readdirSync(join(sqlDirectory, folder)).map((file) => readFileSync(join(sqlDirectory, folder, file), 'utf8')),
  );
  const called = new Set(texts.join('\n').match(/\bpl_\w+(?=\()/g));
  const tried = new Set(PRELUDE_CASES.flatMap(([expression]) => expression.match(/\bpl_\w+(?=\()/g) ?? []));
  expect([...called].filter((name) => !tried.has(name))).toEqual([]);
  expect([...tried].filter((name) => !called.has(name))).toEqual([]);
});
