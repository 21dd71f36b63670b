import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteName, quoteText } from '../database/database.ts';
import { leaveTextsPlain } from './compression.ts';

/**
 * Fills an empty database with what readers may see who may not see what work costs: what sql/no-rates.sql names, and nothing else.
 * @param database Has the whole generation attached as `generation`.
 * @param directory The folder sql/.
 */
export async function buildWithoutRates(database: Database, directory: string): Promise<void> {
  await database.run(readFileSync(join(directory, 'prelude', 'duckdb.sql'), 'utf8'));
  const script = readFileSync(join(directory, 'no-rates.sql'), 'utf8');
  const buildCopy = async () => {
    await database.run(script);
    await copyComments(database);
  };
  await leaveTextsPlain(database, () => database.transaction(buildCopy));
}

/** A comment of a relation or, with a column's name, of a column. */
interface Comment {
  readonly kind: 'TABLE' | 'VIEW';
  readonly schema: string;
  readonly name: string;
  readonly column: string | null;
  readonly comment: string;
}

/** Gives every relation and column the comment that the generation has at the one of its name. */
async function copyComments(database: Database): Promise<void> {
  const comments = await database.rows<Comment>(`
    WITH relations AS (
      SELECT 'TABLE' AS kind, database_name, schema_name, table_name AS name, comment FROM duckdb_tables()
      UNION ALL
      SELECT 'VIEW', database_name, schema_name, view_name, comment FROM duckdb_views() WHERE NOT internal
    ),
    commented AS (
      SELECT database_name, schema_name, name, NULL AS column_name, comment FROM relations
      UNION ALL
      SELECT database_name, schema_name, table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal
    )
    SELECT relations.kind, relations.schema_name AS schema, relations.name, theirs.column_name AS column, theirs.comment
    FROM relations
    JOIN commented AS ours ON ours.database_name = relations.database_name AND ours.schema_name = relations.schema_name AND ours.name = relations.name
    JOIN commented AS theirs
      ON theirs.database_name = 'generation' AND theirs.schema_name = ours.schema_name AND theirs.name = ours.name
      AND theirs.column_name IS NOT DISTINCT FROM ours.column_name
    WHERE relations.database_name = current_database() AND theirs.comment IS NOT NULL`);
  const statements = comments.map(({ kind, schema, name, column, comment }) => {
    const relation = `${schema}.${quoteName(name)}`;
    const subject = column === null ? `${kind} ${relation}` : `COLUMN ${relation}.${quoteName(column)}`;
    return `COMMENT ON ${subject} IS ${quoteText(comment)};`;
  });
  await database.run(statements.join('\n'));
}
