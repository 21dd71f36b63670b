import { type Database, quoteName, quoteText } from '../../../base/database/index.ts';
import type { Catalogue, Parameter } from '../catalogue/catalogue.ts';
import { allowedValues, WINDOW_PARAMETERS } from '../catalogue/parameters.ts';
import { DAY_MACROS, listMacros, macroName } from './macros.ts';
import { type Meanings, meaningOf, readMartColumns, shortType } from './marts.ts';

const MART = 'catalog';

/** A column of a mart, or a parameter of a macro. */
interface CatalogEntry {
  readonly relation: string;
  readonly kind: 'column' | 'parameter';
  readonly position: number;
  readonly name: string;
  readonly type: string;
  readonly unit: string | null;
  readonly description: string;
}

/**
 * Creates the table `marts.catalog`, which describes what SQL may build on: the marts and their columns, itself included, and
 * the macros of `reports` with their parameters. Needs the macros, and the comments of the marts.
 * @throws AppError definition for a column without a description.
 */
export async function buildMartsCatalog(database: Database, catalogue: Catalogue, meanings: Meanings): Promise<void> {
  await database.run(`
    CREATE OR REPLACE TABLE marts.${MART} (
      relation VARCHAR, relation_description VARCHAR, kind VARCHAR, position INTEGER, name VARCHAR, type VARCHAR, unit VARCHAR,
      description VARCHAR
    );
    COMMENT ON TABLE marts.${MART} IS 'One row per column of a mart, and per parameter of a macro in the schema reports.'`);
  const columns = await readMartColumns(database);
  const comments = columns
    .filter(({ mart }) => mart === MART)
    .map(({ name }) => {
      const { description } = meaningOf(meanings, MART, name);
      return `COMMENT ON COLUMN marts.${MART}.${quoteName(name)} IS ${quoteText(description)};`;
    });
  const listed = [...columnEntries(columns, meanings), ...parameterEntries(catalogue), ...dayEntries(catalogue)];
  const entries = listed.map(valuesOf);
  await database.run(`${comments.join('\n')}
    INSERT INTO marts.${MART}
    WITH relations AS (
      SELECT schema_name || '.' || table_name AS relation, comment FROM duckdb_tables() WHERE database_name = current_database()
      UNION ALL
      SELECT schema_name || '.' || view_name, comment FROM duckdb_views() WHERE database_name = current_database()
      UNION ALL
      SELECT DISTINCT schema_name || '.' || function_name, comment FROM duckdb_functions()
      WHERE database_name = current_database() AND (function_type = 'table_macro' OR schema_name = 'reports')
    )
    SELECT entries.relation, replace(relations.comment, chr(10), ' '), entries.kind, entries.position, entries.name, entries.type, entries.unit, entries.description
    FROM (VALUES ${entries.join(',\n')}) AS entries (relation, kind, position, name, type, unit, description)
    LEFT JOIN relations ON relations.relation = entries.relation
    ORDER BY entries.relation, entries.position`);
}

function columnEntries(columns: Awaited<ReturnType<typeof readMartColumns>>, meanings: Meanings): CatalogEntry[] {
  return columns.map(({ mart, name, type, position }) => {
    const { unit, description } = meaningOf(meanings, mart, name);
    return { relation: `marts.${mart}`, kind: 'column', position, name, type: shortType(type), unit, description };
  });
}

function parameterEntries(catalogue: Catalogue): CatalogEntry[] {
  return listMacros(catalogue).flatMap(({ report, parameters }) =>
    parameters.map((parameter, index) => ({
      relation: macroName(report),
      kind: 'parameter',
      position: index + 1,
      name: parameter.sql_name ?? parameter.name,
      type: parameter.type === 'list' ? 'VARCHAR or VARCHAR[]' : 'VARCHAR',
      unit: parameter.type === 'date' ? 'date' : null,
      description: `${parameter.description} Give ${allowedValues(parameter)}${byPeriod(parameter)}.`,
    })),
  );
}

function dayEntries({ parameters }: Catalogue): CatalogEntry[] {
  const { description = '' } = parameters.get('period') ?? {};
  const period = { kind: 'parameter', position: 1, name: 'period', type: 'VARCHAR', unit: null, description } as const;
  return DAY_MACROS.map(({ name }) => ({ relation: name, ...period }));
}

/** Returns the call that gives a day of the window by the name of a period; empty for other parameters. */
function byPeriod({ name }: Parameter): string {
  const macro = DAY_MACROS[WINDOW_PARAMETERS.indexOf(name)];
  return macro ? `, or ${macro.name}('last_month')` : '';
}

function valuesOf({ relation, kind, position, name, type, unit, description }: CatalogEntry): string {
  const texts = [name, type, unit, description].map((text) => (text === null ? 'NULL' : quoteText(text)));
  return `(${[quoteText(relation), quoteText(kind), position, ...texts].join(', ')})`;
}
