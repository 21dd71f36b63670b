import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { parseSelects } from '../../src/numbers/model/relation-names.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';

/** Every SELECT of sql/. */
const files = readdirSync(sqlDirectory, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql') && !/^(prelude|upgrade)/.test(file))
  .sort();

let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
});
afterAll(() => database.close());

type Node = Readonly<Record<string, unknown>>;

function findNodes(value: unknown, isFound: (node: Node) => boolean): Node[] {
  if (value === null || typeof value !== 'object') return [];
  const children = Object.values(value).flatMap((child) => findNodes(child, isFound));
  return isFound(value as Node) ? [value as Node, ...children] : children;
}

const isUnion = ({ type }: Node) => type === 'SET_OPERATION_NODE';

/** Returns the first SELECT of each union: it gives the columns their types. The parser nests unions of several SELECTs. */
function findFirstSelects(tree: unknown): Node[] {
  const unions = findNodes(tree, isUnion);
  const nested = new Set(unions.flatMap(({ left, right }) => [left, right]));
  const findFirst = (node: Node): Node => (isUnion(node) ? findFirst(node['left'] as Node) : node);
  return unions.filter((union) => !nested.has(union)).map(findFirst);
}

/** Columns that are never null, so that all engines sort them alike: nulls come first in PostgreSQL, and last in DuckDB and Trino. */
const SORTED_DOWN = ['position'];

/** Constructs that the engines parse alike and compute differently. */
const TRAPS: Readonly<Record<string, (tree: unknown) => string[]>> = {
  'a bare NULL in the first SELECT of a union': (tree) =>
    findFirstSelects(tree)
      .flatMap((select) => (select['select_list'] ?? []) as Node[])
      .filter(({ value }) => (value as Node | undefined)?.['is_null'] === true)
      .map(({ alias }) => `NULL AS ${alias}`),
  'a division, which is of whole numbers on PostgreSQL and Trino': (tree) =>
    findNodes(tree, ({ function_name }) => function_name === '/' || function_name === '//').map(() => 'a division'),
  'a descending order of a column that may be null': (tree) =>
    findNodes(tree, ({ type }) => type === 'DESCENDING').flatMap((order) => {
      const names = ((order['expression'] as Node)['column_names'] ?? []) as string[];
      return SORTED_DOWN.includes(names.at(-1) ?? '') ? [] : [`${names.join('.')} DESC`];
    }),
  'a comparison of texts without their case': (tree) =>
    findNodes(tree, ({ function_name }) => /^!?~~\*$/.test(String(function_name))).map(() => 'ILIKE'),
};

async function findTraps(sql: string): Promise<string[]> {
  const [tree] = await parseSelects(database, [sql]);
  expect(tree?.error).toBe(false);
  return Object.values(TRAPS).flatMap((find) => find(tree));
}

it.each(files)('%s has nothing that engines read alike and compute differently', async (file) => {
  expect(await findTraps(readFileSync(join(sqlDirectory, file), 'utf8'))).toEqual([]);
});

it.each([
  ['SELECT NULL AS a UNION ALL SELECT 1 AS a', 'NULL AS a'],
  ['SELECT 1 AS b FROM (SELECT NULL AS a UNION ALL SELECT NULL AS a UNION SELECT 1 AS a) AS t', 'NULL AS a'],
  ['WITH t AS (SELECT NULL AS a EXCEPT SELECT 1 AS a) SELECT a FROM t', 'NULL AS a'],
  ['SELECT a / 2 AS half FROM t', 'a division'],
  ['SELECT ROW_NUMBER() OVER (ORDER BY t.rate DESC) AS place FROM t', 't.rate DESC'],
  ['SELECT a FROM t ORDER BY b DESC', 'b DESC'],
  ["SELECT a FROM t WHERE a ILIKE 'b%'", 'ILIKE'],
])('%s is refused', async (sql, found) => {
  expect(new Set(await findTraps(sql))).toEqual(new Set([found]));
});

it.each([
  'SELECT 1 AS a UNION ALL SELECT NULL AS a',
  'SELECT CAST(NULL AS BIGINT) AS a UNION ALL SELECT NULL AS a UNION ALL SELECT 1 AS a',
  'SELECT ROW_NUMBER() OVER (ORDER BY t.position DESC, t.rate) AS place FROM t',
])('%s is allowed', async (sql) => {
  expect(await findTraps(sql)).toEqual([]);
});
