import { quoteText, type Value } from '../../database/database.ts';
import type { Row } from '../node.ts';
import type { Shape } from '../shape.ts';
import { formatLiteral } from '../value.ts';

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

export function insertRecord(shape: Shape, row: Row): Insert[] {
  const { table, fields, lists } = shape;
  const given = Object.entries(fields).filter(([name]) => row[name] !== undefined && row[name] !== null);
  const names = given.map(([name]) => name).join(', ');
  const values = given.map(([name, field]) => formatLiteral(field, row[name] as Value)).join(', ');
  return [
    { into: `${table} (${names})`, rows: `(${values})` },
    ...Object.keys(lists).flatMap((name) => insertItems(shape, name, row)),
  ];
}

/**
 * Formats the SQL that updates columns of the selected records.
 * @param condition SQL condition that selects records.
 */
export function updateRecords({ table, fields }: Shape, condition: string, values: Row): string[] {
  const settings = Object.entries(values).flatMap(([name, value]) => {
    const field = fields[name];
    return field ? [`${name} = ${formatLiteral(field, value)}`] : [];
  });
  return settings.length === 0 ? [] : [`UPDATE ${table} SET ${settings.join(', ')} WHERE ${condition}`];
}

export function replaceItems(shape: Shape, name: string, row: Row): string[] {
  const items = shape.lists[name];
  return [
    `DELETE FROM source.${items?.table} WHERE ${idIs(shape, row)}`,
    ...formatInserts(insertItems(shape, name, row)),
  ];
}

/**
 * Formats the SQL that deletes records and their lists' items.
 * @param condition SQL condition over their ids.
 */
export function deleteRecords({ table, lists }: Shape, condition: string): string[] {
  return [table, ...Object.values(lists).map((items) => `source.${items.table}`)].map(
    (name) => `DELETE FROM ${name} WHERE ${condition}`,
  );
}

export function idIs(shape: Shape, row: Row): string {
  return `${shape.id} = ${formatId(shape, row[shape.id] as Value)}`;
}

export function idIsOf(shape: Shape, rows: readonly Row[]): string {
  return `${shape.id} IN (${rows.map((row) => formatId(shape, row[shape.id] as Value)).join(', ')})`;
}

function formatId({ fields, id }: Shape, value: Value): string {
  return fields[id]?.type === 'key' ? quoteText(String(value)) : String(value);
}

function insertItems(shape: Shape, name: string, row: Row): Insert[] {
  const items = shape.lists[name];
  const values = (row[name] ?? []) as Value[];
  if (!items || values.length === 0) return [];
  const fields = Object.entries(items.fields);
  const id = formatId(shape, row[shape.id] as Value);
  const tuples = values.map((item, index) => {
    const members = fields.map(([field, type]) => {
      const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
      return formatLiteral(type, isObject ? ((item as Row)[field] ?? null) : item);
    });
    return `(${[id, index + 1, ...members].join(', ')})`;
  });
  const names = [shape.id, 'position', ...fields.map(([field]) => field)].join(', ');
  return [{ into: `source.${items.table} (${names})`, rows: tuples.join(', ') }];
}
