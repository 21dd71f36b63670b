/*
 * The relations of analysts: comments of `marts`, reports as macros (`macros`), and their list (`marts-catalog`).
 */
import { type Database, quoteName, quoteText } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readDefinition } from '../catalogue/definition.ts';
import type { Unit } from '../catalogue/table.ts';

export interface Meaning {
  readonly unit: Unit;
  readonly description: string;
  readonly needs_rates?: boolean;
}

/** Looks up a column's meaning by its mart (without schema) and its name. */
export type Meanings = (mart: string, column: string) => Meaning | undefined;

export interface Mart {
  /** The qualified name, such as marts.projects. */
  readonly name: string;
  /** One sentence: the meaning of a row. */
  readonly grain: string;
  /** Further sentences; empty when there are none. */
  readonly description: string;
  readonly row_count: number;
  readonly columns: readonly MartColumn[];
}

export interface MartColumn {
  readonly name: string;
  readonly type: string;
  readonly unit: Unit;
  readonly description: string;
}

/** Marts with columns of another mart, whose meanings they share. */
const SAME_AS: Readonly<Record<string, string>> = { agreed_fees: 'lines', canceled_lines: 'lines', ledger: 'lines' };

/**
 * Loads the meanings of the marts' columns.
 * Order: catalogue/columns.yaml, that of the mart with the same columns, the report that lists it, the
 * dimension that looks it up, the dimension with that key.
 * @throws AppError definition when columns.yaml is wrong.
 */
export function loadMeanings(directory: string, catalogue: Catalogue): Meanings {
  const { columns } = readDefinition(directory, 'catalogue/columns.yaml', 'columns') as {
    columns: Record<string, Record<string, Meaning>>;
  };
  const listOf = (mart: string) =>
    [...catalogue.reports.values()].find(({ name }) => name === mart.replaceAll('_', '-'))?.list;
  const dimensions = [...catalogue.dimensions.values()];
  return (mart, column) =>
    columns[mart]?.[column] ??
    columns[SAME_AS[mart] ?? mart]?.[column] ??
    listOf(SAME_AS[mart] ?? mart)?.[column] ??
    dimensions.find(({ relation }) => relation?.replace('.named_', '.').endsWith(`.${mart}`))?.attributes[column] ??
    dimensions.find(({ key }) => key === column)?.attributes[column];
}

/**
 * Sets the comment of every column in the marts.
 * @throws AppError definition for a column without a description.
 */
export async function commentMarts(database: Database, meanings: Meanings): Promise<void> {
  const columns = await readMartColumns(database);
  const statements = columns.map(({ mart, name }) => {
    const { description } = meaningOf(meanings, mart, name);
    return `COMMENT ON COLUMN marts.${quoteName(mart)}.${quoteName(name)} IS ${quoteText(description)};`;
  });
  await database.transaction(() => database.run(statements.join('\n')));
}

/**
 * Lists the marts of a generation or its copy without rates.
 * Counts the rows of views, which may take a second.
 * @throws AppError definition for a column without a description.
 */
export async function listMarts(database: Database, meanings: Meanings): Promise<Mart[]> {
  const columns = await readMartColumns(database);
  const relations = await database.rows<{ name: string; comment: string; rows: number | null }>(`
    SELECT table_name AS name, comment, estimated_size AS rows FROM duckdb_tables() WHERE schema_name = 'marts' AND database_name = current_database()
    UNION ALL
    SELECT view_name, comment, NULL FROM duckdb_views() WHERE schema_name = 'marts' AND database_name = current_database()
    ORDER BY name`);
  return Promise.all(
    relations.map(async ({ name, comment, rows }) => {
      const [grain = '', ...rest] = comment.replaceAll('\n', ' ').split(/(?<=\.) /);
      return {
        name: `marts.${name}`,
        grain,
        description: rest.join(' '),
        row_count: rows ?? (await countRows(database, name)),
        columns: columns
          .filter(({ mart }) => mart === name)
          .map((column) => ({
            name: column.name,
            type: column.type,
            ...shown(meaningOf(meanings, name, column.name)),
          })),
      };
    }),
  );
}

async function countRows(database: Database, mart: string): Promise<number> {
  const [row] = await database.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM marts.${quoteName(mart)}`);
  return row?.count ?? 0;
}

export function readMartColumns(
  database: Database,
): Promise<{ mart: string; name: string; type: string; position: number }[]> {
  return database.rows(`
    SELECT table_name AS mart, column_name AS name, data_type AS type, column_index AS position
    FROM duckdb_columns() WHERE schema_name = 'marts' AND database_name = current_database()
    ORDER BY table_name, column_index`);
}

/** @throws AppError definition for a column without a description. */
export function meaningOf(meanings: Meanings, mart: string, column: string): Meaning {
  const meaning = meanings(mart, column);
  if (meaning) return meaning;
  throw new AppError('definition', `The column marts.${mart}.${column} has no description`, {
    hint: 'Describe it in reports/catalogue/columns.yaml.',
  });
}

/** Hides the words of an enumeration in the name of its type. */
export function shortType(type: string): string {
  return type.startsWith('ENUM') ? 'ENUM' : type;
}

function shown({ unit, description }: Meaning): { unit: Unit; description: string } {
  return { unit, description };
}
