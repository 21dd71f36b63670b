import { stringify } from 'yaml';
import { type Mart, type MartColumn, shortType } from '../src/numbers/report/marts/marts.ts';
import { type MartShape, readStar } from '../src/numbers/report/marts/star.ts';

const HEADER = `# The marts as sources of dbt, for the adapter dbt-duckdb. Made by scripts/dbt-sources.ts; don't edit it:
# npx vitest run --project short test/published/guide.test.ts --update
# test/published/dbt-tests.test.ts runs the data tests as SQL.
`;

/** A data test of dbt: of a column, or of a table. */
export type DataTest =
  | 'unique'
  | 'not_null'
  | { readonly relationships: { readonly to: string; readonly field: string } };

/** Returns the marts as a sources.yml of dbt, with the types, the meanings and the tests of their columns. */
export function formatDbtSources(marts: readonly Mart[]): string {
  const tables = marts.map(({ name, grain, description, columns }) => {
    const table = name.slice(name.indexOf('.') + 1);
    return {
      name: table,
      description: `${grain} ${description}`.trim(),
      columns: columns.map((column) => describeColumn(column, readStar().get(table))),
    };
  });
  const source = { name: 'plumbline', schema: 'marts', description: 'The marts of Plumbline.', tables };
  return HEADER + stringify({ version: 2, sources: [source] }, { lineWidth: 0, aliasDuplicateObjects: false });
}

function describeColumn({ name, type, description }: MartColumn, shape: MartShape | undefined) {
  const tests = shape ? testsOf(name, shape) : [];
  return { name, data_type: shortType(type), description, ...(tests.length > 0 && { data_tests: tests }) };
}

function testsOf(name: string, { key, refers }: MartShape): DataTest[] {
  const isUnique = key.length === 1 && key[0] === name;
  const to = refers?.[name];
  return [
    ...(isUnique ? (['unique'] as const) : []),
    ...(key.includes(name) || to !== undefined ? (['not_null'] as const) : []),
    ...(to === undefined ? [] : [relationTo(to)]),
  ];
}

function relationTo(mart: string): DataTest {
  const field = readStar().get(mart)?.key[0] ?? '';
  return { relationships: { to: `source('plumbline', '${mart}')`, field } };
}
