import { quoteText } from '../../../base/database/index.ts';
import type { Items } from '../../resource/field.ts';
import { innerLists, ownLists, type Resource } from '../../resource/resource.ts';
import { isNoId } from './field-values.ts';
import { entryItems, listItems } from './lists.ts';
import { itemShape, type RecordOptions, rawItem, rawRecord, recordShape } from './raw-fields.ts';
import { wholeNumber } from './text-values.ts';
import { validatedExpressions } from './validation.ts';

/** The JSON type of `origin.fault`, present on records with unknown keys (true) or reasons to be set aside. */
const FAULT = {
  unknown: 'BOOLEAN',
  reasons: ['VARCHAR'],
  record: 'VARCHAR',
  left_out: [{ field: 'VARCHAR', reason: 'VARCHAR', text: 'VARCHAR' }],
} as const;

/** SQL for the members of `origin.fault`, one JSON column: separate ones take 10 % more time. */
export const UNKNOWN = faultMember('unknown');
export const REASONS = faultMember('reasons');
export const RECORD = faultMember('record');
export const LEFT_OUT = faultMember('left_out');

function faultMember(name: keyof typeof FAULT): string {
  return `(from_json(origin.fault, ${quoteText(JSON.stringify(FAULT))})).${name}`;
}

export function faultText(record: string): string {
  const members = `'unknown': unknown, 'reasons': reasons, 'record': CASE WHEN reasons IS NOT NULL THEN ${record} END, 'left_out': left_out`;
  return `CASE WHEN unknown OR reasons IS NOT NULL OR left_out IS NOT NULL THEN CAST(to_json({${members}}) AS VARCHAR) END`;
}

/**
 * Builds SQL for the typed and validated records of a resource.
 * Columns: the fields, then `origin`, a struct with file (its number), container_row (of the outer record,
 * if nested), rounded, fault (see REASONS), and lists (text by name), all needed until the load ends.
 * @param relation SQL for the records: file, json, problem, container_row, container_id.
 * @param options.at The default of missing moments, as YYYY-MM-DD HH:MM:SS in UTC. Default: none.
 */
export function buildRecordQuery(
  resource: Resource,
  relation: string,
  { at, ...options }: RecordOptions & { readonly at?: string | undefined } = {},
): string {
  const shape = recordShape(resource, options);
  const lists = [...ownLists(resource).map(([name]) => name), ...Object.keys(resource.nested)];
  const columns = Object.entries(resource.fields).map(([name, { isMoment }]) =>
    isMoment && at !== undefined ? `COALESCE(${name}, TIMESTAMP ${quoteText(at)}) AS ${name}` : name,
  );
  const texts = lists.map((name) => `${quoteText(name)}: NULLIF(raw.${name}, '')`);
  return `WITH record AS (
  SELECT *, ${rawRecord(shape)} AS raw
  FROM (
  ${shape.usualKeys?.length ? withEntries(relation) : relation}
  )
), ${validatedExpressions(shape)}
SELECT ${columns.join(', ')}, {
    'file': file, 'container_row': container_row, 'rounded': rounded,
    'fault': ${faultText('CASE WHEN problem IS NULL THEN json ELSE json_extract_string(json, 1) END')}
    ${texts.length > 0 ? `, 'lists': {${texts.join(', ')}}` : ''}
  } AS origin
FROM validated`;
}

/** Reads keys and values together: reading the keys alone would parse each record once more. */
function withEntries(relation: string): string {
  return `SELECT *, map_keys(entries) AS entry_keys, map_values(entries) AS entry_values
  FROM (SELECT *, from_json(json, '"MAP(VARCHAR,VARCHAR)"') AS entries FROM (
  ${relation}
  ))`;
}

/**
 * Builds SQL for the typed and validated items of one list of a resource's loaded records.
 * Columns: the record's id, position (from 1), the fields, then `origin` as in buildRecordQuery.
 */
export function buildItemQuery(resource: Resource, list: string, items: Items): string {
  const inner = innerLists(resource, list).map(({ field }) => field);
  return `WITH ${itemsOf(resource, list, items)}, record AS (
  SELECT * REPLACE (COALESCE(json, 'null') AS json), CAST(NULL AS VARCHAR) AS problem, ${rawItem(items, inner)} AS raw
  FROM item
), ${validatedExpressions(itemShape(items, inner))}
SELECT ${resource.id}, CAST(position AS INTEGER) AS position, ${Object.keys(items.fields).join(', ')}, {
    'file': file, 'container_row': container_row, 'rounded': rounded, 'fault': ${faultText('CAST(json AS VARCHAR)')}
  } AS origin
FROM validated`;
}

/** Returns common table expressions that end in `item`: one row for each item of a list, with its position and `json`. */
export function itemsOf(resource: Resource, list: string, items: Items): string {
  const text = `origin.lists.${items.within?.list ?? list}`;
  const all = `list AS (
  SELECT ${resource.id}, origin.file AS file, rowid AS container_row, ${items.shape === 'list' ? listItems(text) : entryItems(text)} AS items
  FROM source.${resource.name}
  WHERE ${text} IS NOT NULL
), item AS (
  SELECT ${resource.id}, file, container_row, unnest(range(1, len(items) + 1)) AS position, unnest(items) AS json
  FROM list
)`;
  return items.within ? innerItems(resource, all.replace('), item AS (', '), outer_item AS ('), items.within) : all;
}

/**
 * Returns common table expressions that end in `item`: the items inside those of another list, with the keys of these. Of several outer
 * items with the same keys the last one counts, and of one that is set aside nothing: the other list is loaded before.
 * @param all Those that end in `outer_item`, one row for each item of the other list.
 */
function innerItems({ id, lists }: Resource, all: string, { list, field, keys }: NonNullable<Items['within']>): string {
  const keyOf = (key: string) => `json_extract_string(json, '$.${key}')`;
  const isLast = `ROW_NUMBER() OVER (PARTITION BY container_row, ${keys.map((key) => sameId(keyOf(key))).join(', ')} ORDER BY position DESC) = 1`;
  const named = keys.map((key) => `'${key}', ${keyOf(key)}`).join(', ');
  return `${all}, holder AS (
  SELECT *, ${listItems(keyOf(field))} AS items
  FROM outer_item
  WHERE json_type(json) = 'OBJECT' AND (${id}, position) IN (SELECT (${id}, position) FROM source.${lists[list]?.table})
  QUALIFY ${isLast}
), inner_item AS (
  SELECT ${id}, file, container_row, position AS place, unnest(range(1, len(items) + 1)) AS inner_place,
    json_object(${named}) AS holder_keys, unnest(items) AS json
  FROM holder
), item AS (
  SELECT ${id}, file, container_row, ROW_NUMBER() OVER (PARTITION BY container_row ORDER BY place, inner_place) AS position,
    CASE WHEN json_type(json) = 'OBJECT' THEN json_merge_patch(json, holder_keys) ELSE json END AS json
  FROM inner_item
)`;
}

/** Returns SQL for the text of an id, the same for every way to write it, such as 5 and 5.0; null for none. A text that is no id stays as it is. */
function sameId(text: string): string {
  return `CASE WHEN NOT ${isNoId(text)} THEN COALESCE(CAST(${wholeNumber(text, 'BIGINT')} AS VARCHAR), ${text}) END`;
}

/** Builds SQL for records nested in a list of another resource, as a relation like that of a file. */
export function buildNestedRelation(parent: Resource, list: string): string {
  const text = `origin.lists.${list}`;
  return `SELECT file, CAST(COALESCE(json, 'null') AS VARCHAR) AS json, CAST(NULL AS VARCHAR) AS problem, container_row, container_id
  FROM (
    SELECT origin.file AS file, unnest(${listItems(text)}) AS json, rowid AS container_row, ${parent.id} AS container_id
    FROM source.${parent.name}
    WHERE ${text} IS NOT NULL
  )`;
}
