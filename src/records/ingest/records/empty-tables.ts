import type { Database } from '../../../base/database/index.ts';
import { type Fields, SQL_TYPES } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';

/** Creates the tables of resources without files, in one transaction: each commit waits for the disk. */
export async function createEmptyTables(database: Database, resources: readonly Resource[]): Promise<void> {
  if (resources.length === 0) return;
  await database.transaction(() => database.run(resources.flatMap(formatTables).join(';\n')));
}

function formatTables({ name, id, fields, lists }: Resource): string[] {
  const idType = SQL_TYPES[fields[id]?.type ?? 'text'];
  return [
    `CREATE TABLE source.${name} (${formatColumns(fields)})`,
    `ALTER TABLE source.${name} ALTER COLUMN ${id} SET NOT NULL`,
    ...Object.values(lists).map(
      (items) =>
        `CREATE TABLE source.${items.table} (${id} ${idType}, position INTEGER, ${formatColumns(items.fields)})`,
    ),
  ];
}

function formatColumns(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, { type }]) => `${name} ${SQL_TYPES[type]}`)
    .join(', ');
}
