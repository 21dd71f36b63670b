import { quoteText, type Value } from '../../../base/database/index.ts';
import { isObject } from '../../../base/index.ts';
import { DECIMAL_TYPES, type Field, type Resource } from '../../../records/resource/index.ts';
import type { Row } from '../node.ts';

export interface Insert {
  /** A table and its columns, such as "source.tasks (task_id, name)". */
  readonly into: string;
  /** SQL of the rows, such as "(1, 'a'), (2, 'b')". */
  readonly rows: string;
}

/** Formats inserts, one statement per set of columns: it takes hardly longer than a single insert. */
export function formatInserts(inserts: readonly Insert[]): string[] {
  const byColumns = new Map<string, string[]>();
  for (const { into, rows } of inserts) {
    const same = byColumns.get(into);
    if (same) same.push(rows);
    else byColumns.set(into, [rows]);
  }
  return [...byColumns].map(([into, rows]) => `INSERT INTO ${into} VALUES ${rows.join(', ')}`);
}

export function insertRecord(resource: Resource, row: Row): Insert[] {
  const { table, fields, lists } = resource;
  const given = Object.entries(fields).filter(([name]) => row[name] !== undefined && row[name] !== null);
  const names = given.map(([name]) => name).join(', ');
  const values = given.map(([name, field]) => formatLiteral(field, row[name] as Value)).join(', ');
  return [
    { into: `${table} (${names})`, rows: `(${values})` },
    ...Object.keys(lists).flatMap((name) => insertItems(resource, name, row)),
  ];
}

/**
 * Formats the SQL that updates columns of the selected records.
 * @param condition SQL condition that selects records.
 */
export function updateRecords({ table, fields }: Resource, condition: string, values: Row): string[] {
  const settings = Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name];
    return field ? [`${name} = ${formatLiteral(field, value)}`] : [];
  });
  return settings.length === 0 ? [] : [`UPDATE ${table} SET ${settings.join(', ')} WHERE ${condition}`];
}

export function replaceItems(resource: Resource, name: string, row: Row): string[] {
  const items = resource.lists[name];
  return [
    `DELETE FROM source.${items?.table} WHERE ${idIs(resource, row)}`,
    ...formatInserts(insertItems(resource, name, row)),
  ];
}

/**
 * Formats the SQL that deletes records and their lists' items.
 * @param condition SQL condition over their ids.
 */
export function deleteRecords({ table, lists }: Resource, condition: string): string[] {
  return [table, ...Object.values(lists).map((items) => `source.${items.table}`)].map(
    (name) => `DELETE FROM ${name} WHERE ${condition}`,
  );
}

export function idIs(resource: Resource, row: Row): string {
  return `${resource.id} = ${formatId(resource, row[resource.id] as Value)}`;
}

export function idIsOf(resource: Resource, rows: readonly Row[]): string {
  return `${resource.id} IN (${rows.map((row) => formatId(resource, row[resource.id] as Value)).join(', ')})`;
}

function formatId({ fields, id }: Resource, value: Value): string {
  return fields[id]?.type === 'key' ? quoteText(String(value)) : String(value);
}

function insertItems(resource: Resource, name: string, row: Row): Insert[] {
  const items = resource.lists[name];
  const values = (row[name] ?? []) as Value[];
  if (!items || values.length === 0) return [];
  const fields = Object.entries(items.fields);
  const id = formatId(resource, row[resource.id] as Value);
  const tuples = values.map((item, index) => {
    const members = fields.map(([field, type]) => {
      return formatLiteral(type, isObject(item) ? ((item as Row)[field] ?? null) : item);
    });
    return `(${[id, index + 1, ...members].join(', ')})`;
  });
  const names = [resource.id, 'position', ...fields.map(([field]) => field)].join(', ');
  return [{ into: `source.${items.table} (${names})`, rows: tuples.join(', ') }];
}

/** Formats a value as an SQL literal; decimals keep all their digits. */
export function formatLiteral(field: Field, value: Value): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `[${value.map(String).join(', ')}]`;
  if (typeof value !== 'string') return String(value);
  if (field.type === 'date') return `DATE ${quoteText(value)}`;
  if (field.type === 'timestamp') return `TIMESTAMP ${quoteText(value)}`;
  return DECIMAL_TYPES.includes(field.type) ? value : quoteText(value);
}
