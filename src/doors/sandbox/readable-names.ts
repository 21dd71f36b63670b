import type { Database } from '../../base/database/index.ts';
import { fold, type ReadableNames } from './admission.ts';

/** The schemas that clients of a server may read; the sources of reports stay private. */
export const PUBLIC_SCHEMAS = ['marts', 'reports', 'sync'];

/** Tells what is in the open file from what is in attached ones. */
const IS_OPEN = 'database_name = current_database()';

/** The marts of attached states; their other schemas, and their macros, stay out of reach. */
const ATTACHED = `
  SELECT database_name AS state, table_name AS name FROM duckdb_tables() WHERE NOT internal AND schema_name = 'marts' AND NOT ${IS_OPEN}
  UNION ALL
  SELECT database_name, view_name FROM duckdb_views() WHERE NOT internal AND schema_name = 'marts' AND NOT ${IS_OPEN}`;

const KEYWORDS = 'SELECT keyword_name AS word FROM duckdb_keywords()';

/**
 * Reads the names that a database offers to SQL.
 * @param schemas The readable schemas. Default: all in the database.
 * @param listed The relations beside it, with their schemas. Default: none.
 */
export async function readNames(
  database: Database,
  schemas?: readonly string[],
  listed: readonly string[] = [],
): Promise<ReadableNames> {
  const read = async (sql: string) => (await database.rows<{ schema: string; name: string }>(sql)).map(foldNames);
  const relations = await read(
    `SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE NOT internal AND ${IS_OPEN}
    UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal AND ${IS_OPEN}`,
  );
  const macros = (type: string) =>
    read(
      `SELECT DISTINCT schema_name AS schema, function_name AS name FROM duckdb_functions()
      WHERE function_type = '${type}' AND NOT internal AND ${IS_OPEN}`,
    );
  const isOpen = ({ schema }: { schema: string }) => schemas?.includes(schema) ?? true;
  const qualify = ({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`;
  return {
    relations: new Set([...relations.filter(isOpen).map(qualify), ...listed]),
    tableMacros: new Set((await macros('table_macro')).filter(isOpen).map(qualify)),
    attached: new Set(
      (await database.rows<{ state: string; name: string }>(ATTACHED)).map(({ state, name }) =>
        fold(`${state}.marts.${name}`),
      ),
    ),
    keywords: new Set((await database.rows<{ word: string }>(KEYWORDS)).map(({ word }) => fold(word))),
    macros: new Set(
      (await macros('macro')).flatMap((each) =>
        each.schema === 'main' ? each.name : isOpen(each) ? qualify(each) : [],
      ),
    ),
  };
}

function foldNames({ schema, name }: { schema: string; name: string }): { schema: string; name: string } {
  return { schema: fold(schema), name: fold(name) };
}
