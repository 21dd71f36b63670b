import { existsSync, statSync } from 'node:fs';
import { type Database, quoteText } from '../database/database.ts';
import { type Field, SQL_TYPES } from '../resource/field.ts';
import type { Resource } from '../resource/resource.ts';
import { resources } from '../resource/resources.ts';

/**
 * The columns of the published schema source, attached as `published`. Another version of the program may have published
 * it, so only tables and columns that are the same there are compared.
 */
export interface PublishedColumns {
  has(table: string, column: string, field: Field | undefined): boolean;
}

/** The records of a resource before and after others replace them. Unit: records. */
export interface ReplacedRecords {
  readonly resource: string;
  readonly before: number;
  /** Those of before that are no longer there. */
  readonly gone: number;
  readonly after: number;
}

/**
 * Attaches the published database as `published` to a database with other records.
 * @returns the answer of the work; undefined if nothing is published.
 */
export async function withPublished<T>(
  database: Database,
  file: string,
  work: (columns: PublishedColumns) => Promise<T>,
): Promise<T | undefined> {
  if (!existsSync(file) || statSync(file).size === 0) return undefined;
  await database.run(`ATTACH ${quoteText(file)} AS published (READ_ONLY)`);
  try {
    const columns = await database.rows<{ name: string }>(`
      SELECT table_name || '.' || column_name || ' ' || data_type AS name FROM duckdb_columns()
      WHERE database_name = 'published' AND schema_name = 'source'`);
    const names = new Set(columns.map(({ name }) => name));
    return await work({
      has: (table, column, field) => field !== undefined && names.has(`${table}.${column} ${SQL_TYPES[field.type]}`),
    });
  } finally {
    await database.run('DETACH published');
  }
}

/** Returns the resources whose published records can be compared. */
export function comparableResources(columns: PublishedColumns): Resource[] {
  return resources.filter(({ name, id, fields }) => columns.has(name, id, fields[id]));
}

/** Counts the published records, and those of them that the others lack, by resource. */
export function countReplaced(database: Database, columns: PublishedColumns): Promise<ReplacedRecords[]> {
  const counts = comparableResources(columns).map(
    ({ name, table, id }) => `SELECT ${quoteText(name)} AS resource,
      (SELECT count(*) FROM published.${table}) AS before,
      (SELECT count(*) FROM published.${table} WHERE ${id} NOT IN (SELECT ${id} FROM ${table})) AS gone,
      (SELECT count(*) FROM ${table}) AS after`,
  );
  return counts.length === 0 ? Promise.resolve([]) : database.rows(counts.join('\nUNION ALL\n'));
}
