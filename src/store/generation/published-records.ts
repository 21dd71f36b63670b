import { existsSync, statSync } from 'node:fs';
import { type Database, quoteText } from '../../base/database/index.ts';
import {
  type Field,
  type Fields,
  type Resource,
  resources,
  SQL_TYPES,
  settings,
} from '../../records/resource/index.ts';
import { differ } from './record-versions.ts';

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

/** Returns the resources whose published records can be compared, with the fields and lists that can. */
function comparableResources(columns: PublishedColumns): Resource[] {
  return resources
    .filter(({ name, id, fields }) => columns.has(name, id, fields[id]))
    .map((resource) => ({
      ...resource,
      fields: keepFields(columns, resource.name, resource.fields),
      lists: Object.fromEntries(
        Object.entries(resource.lists).flatMap(([name, items]) => {
          const fields = keepFields(columns, items.table, items.fields);
          return Object.keys(fields).length === 0 ? [] : [[name, { ...items, fields }]];
        }),
      ),
    }));
}

function keepFields(columns: PublishedColumns, table: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, field]) => columns.has(table, name, field)));
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

/** The changes of a resource that a load would make. Unit: records. */
export interface RecordChanges extends ReplacedRecords {
  readonly new: number;
  readonly changed: number;
}

/** A setting of the company that a load would change; values as text, null for none. */
export interface SettingChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Counts how other records differ from the published ones, by resource. */
export async function countChanges(database: Database, columns: PublishedColumns): Promise<RecordChanges[]> {
  const replaced = await countReplaced(database, columns);
  const found = await Promise.all(
    comparableResources(columns).map(async (resource) => {
      const { name, table, id } = resource;
      const [row] = await database.rows<{ new: number; changed: number }>(`
        SELECT count(*) FILTER (stored.${id} IS NULL) AS new,
          count(*) FILTER (stored.${id} IS NOT NULL AND (${differ(resource, { come: '', stored: 'published.' }) || 'FALSE'})) AS changed
        FROM ${table} AS come
        LEFT JOIN published.${table} AS stored ON stored.${id} = come.${id}`);
      return [name, row ?? { new: 0, changed: 0 }] as const;
    }),
  );
  const changes = new Map(found);
  return replaced.map((each) => ({ ...each, ...(changes.get(each.resource) ?? { new: 0, changed: 0 }) }));
}

/** Reads the settings that differ from the published ones. */
export async function readSettingChanges(database: Database, columns: PublishedColumns): Promise<SettingChange[]> {
  const names = Object.keys(keepFields(columns, 'settings', settings));
  const rows = names.map(
    (
      name,
    ) => `SELECT ${quoteText(name)} AS name, CAST(stored.${name} AS VARCHAR) AS before, CAST(come.${name} AS VARCHAR) AS after
      FROM published.source.settings AS stored CROSS JOIN source.settings AS come
      WHERE stored.${name} IS DISTINCT FROM come.${name}`,
  );
  return rows.length === 0 ? [] : database.rows(rows.join('\nUNION ALL\n'));
}
