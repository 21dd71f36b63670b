import { stringify } from 'yaml';
import { type Mart, shortType } from '../src/report/marts/marts.ts';

const HEADER = `# The marts as sources of dbt, for the adapter dbt-duckdb. Made by scripts/dbt-sources.ts; don't edit it:
# npx vitest run --project short test/published/guide.test.ts --update
`;

/** Returns the marts as a sources.yml of dbt, with the types and the meanings of their columns. */
export function formatDbtSources(marts: readonly Mart[]): string {
  const tables = marts.map(({ name, grain, description, columns }) => ({
    name: name.slice(name.indexOf('.') + 1),
    description: `${grain} ${description}`.trim(),
    columns: columns.map((column) => ({
      name: column.name,
      data_type: shortType(column.type),
      description: column.description,
    })),
  }));
  const source = { name: 'plumbline', schema: 'marts', description: 'The marts of Plumbline.', tables };
  return HEADER + stringify({ version: 2, sources: [source] }, { lineWidth: 0 });
}
