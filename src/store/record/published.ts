import type { Database } from '../../base/database/index.ts';
import { SQL_TYPES } from '../../records/resource/index.ts';
import type { ServedResource } from './records.ts';
import { servedResources } from './served-resources.ts';
import { DERIVED_DEFAULTS } from './storage/derived-defaults.ts';

/** Derives types from time off in a dataset that lists none. */
const TIMEOFF_TYPES = `SELECT timeoff_type_id, max(timeoff_type_name) AS timeoff_type_name
  FROM source.timeoffs WHERE timeoff_type_id IS NOT NULL GROUP BY timeoff_type_id`;

/** Returns the resources as a published database holds them; missing columns are null. */
export async function readPublishedResources(
  database: Pick<Database, 'rows'>,
): Promise<ReadonlyMap<string, ServedResource>> {
  const columns = await database.rows<{ name: string; columns: string[] }>(`
    SELECT table_name AS name, list(column_name) AS columns FROM duckdb_columns()
    WHERE database_name = current_database() AND schema_name = 'source' GROUP BY table_name`);
  const found = new Map(columns.map((table) => [table.name, new Set(table.columns)]));
  return new Map(
    [...servedResources].map(([name, resource]) => [name, completeColumns(resource, found.get(resource.name))]),
  );
}

function completeColumns(resource: ServedResource, columns: ReadonlySet<string> | undefined): ServedResource {
  const { name } = resource;
  if (!resource.isStored) return resource;
  const there = columns ?? new Set(name === 'timeoff_types' ? ['timeoff_type_id', 'timeoff_type_name'] : []);
  const missing = Object.entries(resource.fields).filter(([field]) => !there.has(field));
  const nulls = missing.map(([field, { type }]) => `CAST(NULL AS ${SQL_TYPES[type]}) AS ${field}`);
  const derived = Object.entries(DERIVED_DEFAULTS.get(name) ?? {}).map(([field, sql]) => `${sql} AS ${field}`);
  const all = derived.length === 0 ? '*' : `${name}.* REPLACE (${derived.join(', ')})`;
  const joined =
    derived.length === 0 ? '' : ` JOIN staging.${name} AS staged ON staged.${resource.id} = ${name}.${resource.id}`;
  const none = name === 'timeoff_types' ? `(${TIMEOFF_TYPES})` : '(SELECT 1 WHERE FALSE)';
  const from = columns ? `${resource.table}${joined}` : none;
  const table = `(SELECT ${[all, ...nulls].join(', ')} FROM ${from}) AS ${name}`;
  return { ...resource, table };
}
