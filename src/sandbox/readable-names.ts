import type { Database } from '../database/database.ts';
import { fold, type ReadableNames } from './admission.ts';

/** The schemas that clients of a server may read; the sources of reports stay private. */
export const PUBLIC_SCHEMAS = ['marts', 'reports', 'sync'];

/**
 * Reads the names that a database offers to SQL.
 * @param schemas The readable schemas. Default: all in the database.
 */
export async function readNames(database: Database, schemas?: readonly string[]): Promise<ReadableNames> {
  const read = async (sql: string) => (await database.rows<{ schema: string; name: string }>(sql)).map(foldNames);
  const relations = await read(
    `SELECT schema_name AS schema, table_name AS name FROM duckdb_tables() WHERE NOT internal
    UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal`,
  );
  const macros = (type: string) =>
    read(
      `SELECT DISTINCT schema_name AS schema, function_name AS name FROM duckdb_functions()
      WHERE function_type = '${type}' AND NOT internal`,
    );
  const isOpen = ({ schema }: { schema: string }) => schemas?.includes(schema) ?? true;
  const qualify = ({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`;
  return {
    relations: new Set(relations.filter(isOpen).map(qualify)),
    tableMacros: new Set((await macros('table_macro')).filter(isOpen).map(qualify)),
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
