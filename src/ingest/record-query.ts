import { quoteText } from '../database/database.ts';
import type { Items, Resource } from '../resource/field.ts';
import { entryItems, listItems } from './lists.ts';
import { itemShape, type RecordOptions, rawItem, rawRecord, recordShape } from './raw-fields.ts';
import { judgedExpressions } from './validation.ts';

/** What is said of a record with an unknown key or a reason to be set aside, as JSON: its types by member. */
const FAULT = {
  unknown: ['VARCHAR'],
  reasons: ['VARCHAR'],
  /** The whole text, where there are reasons. */
  record: 'VARCHAR',
  /** Values that were left out of the record, which is kept. */
  left_out: [{ field: 'VARCHAR', reason: 'VARCHAR', text: 'VARCHAR' }],
} as const;

/** SQL for what `origin.fault` says. Few records have one: empty columns of their own would take a tenth of the time. */
export function faultMember(name: keyof typeof FAULT): string {
  return `(from_json(origin.fault, ${quoteText(JSON.stringify(FAULT))})).${name}`;
}

/** @param record SQL for the whole text. */
function faultText(record: string): string {
  const members = `'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN ${record} END, 'left_out': left_out`;
  return `CASE WHEN COALESCE(unknown, reasons) IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({${members}}) AS VARCHAR) END`;
}

/**
 * SQL for the records of a resource, typed and judged: a column for each field, then `origin`, a struct of what must be
 * known of a record until it is loaded: file (its number), container_row (of a nested one), rounded, fault (read with
 * faultMember) and, of a resource with lists, lists (text by name).
 * @param relation SQL for the records: file, json, problem, container_row, container_id.
 * @param options.at The moment that a record without one gets, as YYYY-MM-DD HH:MM:SS in UTC. Default: none.
 */
export function buildRecordQuery(
  resource: Resource,
  relation: string,
  { at, ...options }: RecordOptions & { readonly at?: string } = {},
): string {
  const shape = recordShape(resource, options);
  const lists = [...Object.keys(resource.items ?? {}), ...Object.keys(resource.nested ?? {})];
  const columns = Object.entries(resource.fields).map(([name, { isMoment }]) =>
    isMoment && at !== undefined ? `COALESCE(${name}, TIMESTAMP ${quoteText(at)}) AS ${name}` : name,
  );
  const texts = lists.map((name) => `${quoteText(name)}: NULLIF(raw.${name}, '')`);
  return `WITH record AS (
  SELECT *, ${rawRecord(shape)} AS raw
  FROM (
  ${shape.usualKeys?.length ? withEntries(relation) : relation}
  )
), ${judgedExpressions(shape)}
SELECT ${columns.join(', ')}, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': ${faultText('CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END')}
    ${texts.length > 0 ? `, 'lists': {${texts.join(', ')}}` : ''}
  } AS origin
FROM judged`;
}

/** Keys and values of records are read together: to read the keys by themselves would be to read each record once more. */
function withEntries(relation: string): string {
  return `SELECT *, map_keys(entries) AS entry_keys, map_values(entries) AS entry_values
  FROM (SELECT *, from_json(json, '"MAP(VARCHAR,VARCHAR)"') AS entries FROM (
  ${relation}
  ))`;
}

/**
 * SQL for the items of one list of the loaded records of a resource, typed and judged: the record's id, position (from 1),
 * a column for each field, then `origin` as of a record; its container_row is that of the record the item stands in.
 */
export function buildItemQuery(resource: Resource, list: string, items: Items): string {
  const text = `origin.lists.${list}`;
  return `WITH list AS (
  SELECT ${resource.id}, origin.file AS file, rowid AS container_row, ${items.shape === 'list' ? listItems(text) : entryItems(text)} AS items
  FROM source.${resource.name}
  WHERE ${text} IS NOT NULL
), item AS (
  SELECT ${resource.id}, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
), record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, ${rawItem(items)} AS raw
  FROM item
), ${judgedExpressions(itemShape(items))}
SELECT ${resource.id}, CAST(position AS INTEGER) AS position, ${Object.keys(items.fields).join(', ')}, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': ${faultText('CAST(json AS VARCHAR)')}
  } AS origin
FROM judged`;
}

/** SQL for the records that stand inside the loaded records of another resource, as a relation like that of a file. */
export function buildNestedRelation(parent: Resource, list: string): string {
  const text = `origin.lists.${list}`;
  return `SELECT file, CAST(COALESCE(json, 'null') AS VARCHAR) AS json, CAST(NULL AS VARCHAR) AS problem, container_row, container_id
  FROM (
    SELECT origin.file AS file, unnest(${listItems(text)}) AS json, rowid AS container_row, ${parent.id} AS container_id
    FROM source.${parent.name}
    WHERE ${text} IS NOT NULL
  )`;
}
