import type { Database } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { readStar } from '../../numbers/report/marts/index.ts';
import { readMeanings } from '../../store/generation/index.ts';

export interface MartTable {
  /** Without a schema, such as lines. */
  readonly name: string;
  readonly comment: string;
  /** The columns that identify a row; empty for findings, of which two may be equal. */
  readonly key: readonly string[];
  readonly columns: readonly MartTableColumn[];
  /** By column, the mart with each of its values as the key. */
  readonly refers: Readonly<Record<string, string>>;
}

export interface MartTableColumn {
  readonly name: string;
  /** As format_type() of PostgreSQL spells it. */
  readonly type: string;
  readonly comment: string;
}

/** The types of PostgreSQL by those of the engine, but for decimals, which keep their digits. */
const TYPES: Readonly<Record<string, string>> = {
  BIGINT: 'bigint',
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIMESTAMP: 'timestamp without time zone',
  VARCHAR: 'text',
  ENUM: 'text',
};

/** Lists all marts of a generation or its copy without rates. @throws AppError definition for a type without a counterpart. */
export async function readMartTables(database: Database): Promise<MartTable[]> {
  const rows = await database.rows<{ mart: string; grain: string; name: string; type: string; comment: string }>(`
    WITH relations AS (
      SELECT table_name AS mart, comment FROM duckdb_tables()
      WHERE schema_name = 'marts' AND database_name = current_database()
      UNION ALL
      SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'marts' AND database_name = current_database()
    )
    SELECT mart, relations.comment AS grain, column_name AS name, data_type AS type, columns.comment AS comment
    FROM relations
    JOIN duckdb_columns() AS columns
      ON table_name = mart AND schema_name = 'marts' AND database_name = current_database()
    ORDER BY mart, column_index`);
  const star = readStar();
  return [...groupRows(rows, ({ mart }) => mart)].map(([mart, columns]) => ({
    name: mart,
    comment: columns[0]?.grain ?? '',
    key: star.get(mart)?.key ?? [],
    refers: star.get(mart)?.refers ?? {},
    columns: columns.map(({ name, type, comment }) => ({ name, type: typeOf(`marts.${mart}.${name}`, type), comment })),
  }));
}

export function groupRows<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row]);
  return groups;
}

function typeOf(column: string, type: string): string {
  const [, name = '', digits] = /^(\w+)(\(\d+,\d+\))?/.exec(type) ?? [];
  const found = name === 'DECIMAL' && digits !== undefined ? `numeric${digits}` : TYPES[name];
  if (found !== undefined) return found;
  throw new AppError('definition', `${column} has the type ${type}, which has no counterpart in PostgreSQL`);
}

export function isCost(mart: string, column: string): boolean {
  return readMeanings()(mart, column)?.needs_rates === true;
}
