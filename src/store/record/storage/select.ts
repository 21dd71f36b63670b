import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Items, Resource } from '../../../records/resource/index.ts';
import { plainField, type Row } from '../node.ts';
import { parseValue } from '../value.ts';
import { idIs } from './record-sql.ts';

/** SQL over the table's columns. */
export interface Wanted {
  readonly where?: string;
  /** Default: the id. */
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * Formats the SQL of records with their columns and ordered lists; empty lists are null.
 * Selects the page first, so that only its records are numbered and its items collected.
 */
export function selectRecords(resource: Resource, { where = 'TRUE', order, limit, offset = 0 }: Wanted): string {
  const { table, id, fields, lists } = resource;
  const names = Object.keys(fields);
  const paging = limit === undefined ? '' : `LIMIT ${limit} OFFSET ${offset}`;
  const sorting = order ?? id;
  const chosen = `SELECT ${names.join(', ')} FROM ${table} WHERE ${where} ORDER BY ${sorting} ${paging}`;
  const page = `SELECT *, row_number() OVER (ORDER BY ${sorting}) AS place FROM (${chosen}) AS chosen`;
  const joins = Object.entries(lists).map(([name, items]) => joinItems(id, name, items));
  const columns = [
    ...names.map((name) => `page.${name}`),
    ...Object.keys(lists).map((name) => `${name}_list.items AS ${name}`),
  ];
  return `WITH page AS MATERIALIZED (${page})
    SELECT ${columns.join(', ')} FROM page ${joins.join(' ')} ORDER BY page.place`;
}

function joinItems(id: string, name: string, items: Items): string {
  return `LEFT JOIN (
      SELECT ${id}, ${listItems(items)} AS items FROM source.${items.table}
      WHERE ${id} IN (SELECT ${id} FROM page) GROUP BY ${id}
    ) AS ${name}_list ON ${name}_list.${id} = page.${id}`;
}

function listItems({ fields }: Items): string {
  const plain = plainField(fields);
  const names = Object.keys(fields);
  const item = plain ? String(names[0]) : `{${names.map((field) => `'${field}': ${field}`).join(', ')}}`;
  return `list(${item} ORDER BY position)`;
}

/**
 * Formats the SQL of one record, with the columns of selectRecords in half its time.
 * @param isIt The condition that the id has a value, in the record's table and those of its lists.
 */
function selectRecord({ table, fields, lists }: Resource, isIt: string): string {
  const columns = [
    ...Object.keys(fields),
    ...Object.entries(lists).map(
      ([name, items]) => `(SELECT ${listItems(items)} FROM source.${items.table} WHERE ${isIt}) AS ${name}`,
    ),
  ];
  return `SELECT ${columns.join(', ')} FROM ${table} WHERE ${isIt}`;
}

/**
 * Finds a record by the id that a client sent.
 * @throws AppError unknown when it doesn't exist, or the text isn't an id.
 */
export async function findRecord(reader: Pick<Database, 'rows'>, resource: Resource, id: string): Promise<Row> {
  const parsed = parseValue(resource.fields[resource.id] ?? { type: 'id' }, id);
  const isId = 'value' in parsed && parsed.value !== null;
  const where = isId ? idIs(resource, { [resource.id]: parsed.value }) : 'FALSE';
  const [found] = await reader.rows<Row>(selectRecord(resource, where));
  if (found) return found;
  throw new AppError('unknown', `There is no record ${id} in ${resource.name}`);
}
