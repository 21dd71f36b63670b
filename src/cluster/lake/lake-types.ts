import { type Database, quoteName } from '../../base/database/index.ts';

/** A column of a relation, with DuckDB's type. */
export interface LakeColumn {
  readonly name: string;
  readonly type: string;
}

/** @param relation With its schema, such as "core.people". */
export function readLakeColumns(database: Database, relation: string): Promise<LakeColumn[]> {
  const [schema = '', name = ''] = relation.split('.');
  return database.rows<LakeColumn>(
    `SELECT column_name AS name, column_type AS type FROM (DESCRIBE ${quoteName(schema)}.${quoteName(name)})`,
  );
}

/** Returns Trino's type for a type of DuckDB, as it reads the Parquet file of such a column. */
export function trinoType(type: string): string {
  if (type.endsWith('[]')) return `ARRAY(${trinoType(type.slice(0, -2))})`;
  if (type.startsWith('ENUM')) return 'VARCHAR';
  return type === 'TIMESTAMP' ? 'TIMESTAMP(6)' : type;
}
