import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TrinoSQL } from 'dt-sql-parser/dist/parser/trino/index.js';
import { loadModule, parseSync } from 'libpg-query';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';

const FOLDER = join(packageDirectory, 'sql');

/** Every SELECT of sql/; the prelude and the steps of kept states alone are written for one engine. */
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql') && !/^(prelude|upgrade)/.test(file))
  .sort();

const readFile = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

/** Functions that the three engines spell alike; all others are the prelude's. */
const STANDARD = new Set(
  'abs count count_star greatest lag lead least lower max min mod nullif position row_number sum unnest'.split(' '),
);

let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
  await loadModule();
});

afterAll(() => database.close());

const trino = new TrinoSQL();

function readPostgres(sql: string): string[] {
  try {
    parseSync(sql);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

const readTrino = (sql: string) => trino.validate(sql).map(({ message }) => message);

interface Node {
  readonly class?: string;
  readonly function_name?: string;
  readonly is_operator?: boolean;
}

function findFunctions(node: unknown): string[] {
  if (node === null || typeof node !== 'object') return [];
  const children = Object.values(node).flatMap(findFunctions);
  const { function_name, is_operator } = node as Node;
  return function_name === undefined || is_operator ? children : [function_name, ...children];
}

async function readDuckdb(sql: string): Promise<{ error: boolean; functions: string[] }> {
  const [row] = await database.rows<{ tree: string }>(`SELECT json_serialize_sql(${quoteText(sql)}) AS tree`);
  const tree = JSON.parse(row?.tree ?? '');
  return { error: tree.error, functions: findFunctions(tree) };
}

it.each(files)('%s is SQL of DuckDB, PostgreSQL and Trino, and calls only what all three have', async (file) => {
  const sql = readFile(file);
  const { error, functions } = await readDuckdb(sql);
  expect(error).toBe(false);
  expect(readPostgres(sql)).toEqual([]);
  expect(readTrino(sql)).toEqual([]);
  expect(functions.filter((name) => !STANDARD.has(name) && !name.startsWith('pl_'))).toEqual([]);
});

it.each([
  ['SELECT a FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1', readPostgres],
  ['SELECT * EXCLUDE (a) FROM t', readPostgres],
  ['SELECT a FROM t GROUP BY ALL', readPostgres],
  ['SELECT a::INTEGER FROM t', readTrino],
  ['SELECT [1, 2] AS list', readTrino],
  ['FROM t', readTrino],
])('%s is refused', (sql, read) => {
  expect(read(sql)).not.toEqual([]);
});

it('the rules are SQL of PostgreSQL and Trino', () => {
  const rules = readFile('prelude/rules.sql');
  expect(readPostgres(rules)).toEqual([]);
  expect(readTrino(rules)).toEqual([]);
});

it('every function of the prelude has the prefix that no engine uses', () => {
  const text = ['duckdb', 'rules', 'words'].map((file) => readFile(`prelude/${file}.sql`)).join('');
  const names = [...text.matchAll(/(?:MACRO|FUNCTION) (\w+)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !name?.startsWith('pl_'))).toEqual([]);
});
