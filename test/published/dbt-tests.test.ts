import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { DataTest } from '../../scripts/dbt-sources.ts';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { type LoadedCompany, loadBundled } from '../sql/company.ts';

interface SourceTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly data_tests?: readonly DataTest[] }[];
}

const { sources } = parse(readFileSync('integrations/dbt/sources.yml', 'utf8')) as {
  sources: readonly { readonly tables: readonly SourceTable[] }[];
};
const tables = sources.flatMap((source) => source.tables);

/** Returns SQL with the rows that break a test, as dbt has it. */
function violationsOf(table: string, column: string, test: DataTest): string {
  const from = `FROM marts.${table} WHERE ${column} IS`;
  if (test === 'not_null') return `SELECT 1 ${from} NULL`;
  if (test === 'unique') return `SELECT 1 ${from} NOT NULL GROUP BY ${column} HAVING COUNT(*) > 1`;
  const { to, field } = test.relationships;
  const [, parent] = /^source\('plumbline', '(\w+)'\)$/.exec(to) ?? [];
  return `SELECT 1 FROM (SELECT ${column} ${from} NOT NULL) AS child
    LEFT JOIN marts.${parent} AS parent ON child.${column} = parent.${field} WHERE parent.${field} IS NULL`;
}

let company: LoadedCompany;
beforeAll(async () => {
  company = await loadBundled();
});
afterAll(() => company.remove());

async function findFailures(database: Database): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, columns } of tables) {
    const tests = columns.flatMap((column) =>
      (column.data_tests ?? []).map((test) => ({ column: column.name, test, title: JSON.stringify(test) })),
    );
    if (tests.length === 0) continue;
    const counts = tests.map(({ column, test }) => `(SELECT COUNT(*) FROM (${violationsOf(name, column, test)}))`);
    const [row] = await database.rows<{ counts: number[] }>(`SELECT [${counts.join(', ')}] AS counts`);
    failures.push(
      ...tests.flatMap(({ column, title }, index) =>
        Number(row?.counts[index]) === 0 ? [] : [`${name}.${column} ${title}`],
      ),
    );
  }
  return failures;
}

it.each([
  ['the database', (file: string) => file],
  ['the copy without rates', fileWithoutRates],
])(
  'the tests of integrations/dbt/sources.yml hold in %s of the bundled company',
  { tags: ['slow'] },
  async (_, fileOf) => {
    const database = await openDatabase(fileOf(company.file), { readOnly: true });
    expect(await findFailures(database).finally(() => database.close())).toEqual([]);
  },
);

it('every key and every relation has its tests', () => {
  const all = tables.flatMap(({ name, columns }) =>
    columns.flatMap((column) =>
      (column.data_tests ?? []).map((test) => `${name}.${column.name} ${JSON.stringify(test)}`),
    ),
  );
  expect(all).toContain('clients.client_id "unique"');
  expect(all).toContain('lines.client_id "not_null"');
  expect(all).toContain(
    `lines.client_id {"relationships":{"to":"source('plumbline', 'clients')","field":"client_id"}}`,
  );
  expect(all.length).toBeGreaterThan(80);
});
