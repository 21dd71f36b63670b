import type { Database } from '../database/database.ts';
import { SQL_TYPES } from '../resource/field.ts';
import { kinds } from './kinds.ts';
import type { Kind } from './records.ts';
import { UNSAID } from './storage/unsaid.ts';

/** Derives types from time off in a dataset that lists none. */
const TIMEOFF_TYPES = `SELECT timeoff_type_id, max(timeoff_type_name) AS timeoff_type_name
  FROM source.timeoffs WHERE timeoff_type_id IS NOT NULL GROUP BY timeoff_type_id`;

/** Returns the kinds of records in a published database; missing columns are null. */
export async function readPublishedKinds(database: Pick<Database, 'rows'>): Promise<ReadonlyMap<string, Kind>> {
  const columns = await database.rows<{ name: string; columns: string[] }>(`
    SELECT table_name AS name, list(column_name) AS columns FROM duckdb_columns()
    WHERE schema_name = 'source' GROUP BY table_name`);
  const found = new Map(columns.map((table) => [table.name, new Set(table.columns)]));
  return new Map([...kinds].map(([name, kind]) => [name, completeKind(kind, found.get(kind.shape.resource.name))]));
}

function completeKind(kind: Kind, columns: ReadonlySet<string> | undefined): Kind {
  const { shape } = kind;
  const { name } = shape.resource;
  if (!shape.isStored) return kind;
  const there = columns ?? new Set(name === 'timeoff_types' ? ['timeoff_type_id', 'timeoff_type_name'] : []);
  const missing = Object.entries(shape.fields).filter(([field]) => !there.has(field));
  const nulls = missing.map(([field, { type }]) => `CAST(NULL AS ${SQL_TYPES[type]}) AS ${field}`);
  const unsaid = Object.entries(UNSAID.get(name) ?? {}).map(([field, sql]) => `${sql} AS ${field}`);
  const all = unsaid.length === 0 ? '*' : `* REPLACE (${unsaid.join(', ')})`;
  const none = name === 'timeoff_types' ? `(${TIMEOFF_TYPES})` : '(SELECT 1 WHERE FALSE)';
  const from = columns ? shape.table : none;
  const table = `(SELECT ${[all, ...nulls].join(', ')} FROM ${from}) AS ${name}`;
  return { ...kind, shape: { ...shape, table } };
}
