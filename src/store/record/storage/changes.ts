import { type Database, quoteText, type Value } from '../../../base/database/index.ts';
import { isObject, mapInTurns } from '../../../base/index.ts';
import { findResource, type Resource } from '../../../records/resource/index.ts';
import { describeWhole, formatJson, type Row } from '../node.ts';
import type { Insert } from './record-sql.ts';

/*
 * The table service.changes has one row per written record. It serves as the audit trail, the list
 * of deletions, the record of idempotency keys, and the input of refreshes.
 */

export interface Writer {
  /** The token's id and label; empty if no token is required. */
  readonly id: string;
  readonly label: string;
  /** True if answers may show costs and cost rates. */
  readonly seesRates: boolean;
  /** True if what it writes can be given no other day. */
  readonly hasNoDay?: boolean;
  /** An idempotent POST: the client's key, a digest of the request, and the created resource. */
  readonly idempotency?: { readonly key: string; readonly hash: string; readonly resource: string } | undefined;
}

export interface Change {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly resource: Resource;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** SQL of the table, which isn't part of a dataset. */
export const CREATE_CHANGES = `CREATE TABLE IF NOT EXISTS service.changes (
  change_id BIGINT NOT NULL, changed_at TIMESTAMP NOT NULL, token_id VARCHAR, token_label VARCHAR, method VARCHAR NOT NULL,
  resource VARCHAR NOT NULL, record_id VARCHAR NOT NULL, before VARCHAR, after VARCHAR, idempotency_key VARCHAR, request_hash VARCHAR)`;

/**
 * Returns the insert of changes, formatted in turns: a load may change thousands of records.
 * @param at The time, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export async function insertChanges(
  changes: readonly (Change & { readonly id: number })[],
  at: string,
  writer: Writer,
): Promise<Insert> {
  const rows = await mapInTurns(changes, (change) => formatChange(change, at, writer));
  return {
    into: `service.changes (change_id, changed_at, token_id, token_label, method, resource, record_id, before, after,
      idempotency_key, request_hash)`,
    rows: rows.join(',\n'),
  };
}

/** Formats a change; only posted records get the idempotency key, not ones created with them. */
function formatChange(
  { id, method, resource, before, after }: Change & { id: number },
  at: string,
  writer: Writer,
): string {
  const text = (row: Row | undefined) => (row ? quoteText(formatJson(describeWhole(resource, row))) : 'NULL');
  const isPosted = method === 'POST' && resource.name === writer.idempotency?.resource;
  const key = isPosted ? writer.idempotency : undefined;
  return `(${[
    id,
    `TIMESTAMP ${quoteText(at)}`,
    quoteText(writer.id),
    quoteText(writer.label),
    quoteText(method),
    quoteText(resource.name),
    quoteText(String((after ?? before)?.[resource.id])),
    text(before),
    text(after),
    key ? quoteText(key.key) : 'NULL',
    key ? quoteText(key.hash) : 'NULL',
  ].join(', ')})`;
}

/** Records deleted in bulk. */
export interface Gone {
  readonly count: number;
  /** SQL of their `resource` and `record_id`. */
  readonly select: string;
}

/**
 * Returns SQL that notes a replacement of too many records to name: only its deletions are, for their list.
 * @param first The number of the first change; the replacement itself has the last.
 * @param at The time, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export function insertReplacement(first: number, { count, select }: Gone, at: string, writer: Writer): string {
  const constants = `TIMESTAMP ${quoteText(at)}, ${quoteText(writer.id)}, ${quoteText(writer.label)}`;
  return `INSERT INTO service.changes (change_id, changed_at, token_id, token_label, method, resource, record_id)
    SELECT ${first} - 1 + row_number() OVER (ORDER BY resource, record_id), ${constants}, 'DELETE', resource, record_id
    FROM (${select})
    UNION ALL SELECT ${first + count}, ${constants}, 'PATCH', ${quoteText(EVERYTHING)}, ''`;
}

/** The resource of a change that may affect every line. */
const EVERYTHING = 'settings';

/**
 * Describes a replacement for a refresh, which builds everything again.
 * @param at The time, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export function describeReplacement(id: number, at: string): ChangedRecord {
  return {
    change_id: id,
    changed_at: at,
    resource: EVERYTHING,
    record_id: '',
    tables: [],
    people_ids: [],
    project_ids: [],
  };
}

/** Reads the last change's number in a working database; 0 if it has none. */
export async function readLastChange(reader: Pick<Database, 'rows'>): Promise<number> {
  const [row] = await reader.rows<{ last: number }>('SELECT COALESCE(max(change_id), 0) AS last FROM service.changes');
  return row?.last ?? 0;
}

/** A written record with the people and projects it referenced before or after, including itself. */
export interface ChangedRecord {
  readonly change_id: number;
  readonly changed_at: string;
  readonly resource: string;
  /** Its tables in the schema `source`, with those of its lists. */
  readonly tables: readonly string[];
  readonly record_id: string;
  readonly people_ids: readonly number[];
  readonly project_ids: readonly number[];
}

type Unread = Omit<ChangedRecord, 'tables' | 'people_ids' | 'project_ids'>;

/**
 * Describes a change for a refresh.
 * @param at The time, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export function describeChange(
  { id, resource, before, after }: Change & { readonly id: number },
  at: string,
): ChangedRecord {
  const versions = [before, after].filter((version) => version !== undefined);
  const record_id = String((after ?? before)?.[resource.id]);
  const change = { change_id: id, changed_at: at, resource: resource.name, record_id };
  return nameIds(resource, versions, change);
}

/**
 * Reads changes in order, from the JSON of describeWhole.
 * @param where SQL over service.changes.
 */
export async function readChanges(reader: Pick<Database, 'rows'>, where: string): Promise<ChangedRecord[]> {
  type Stored = Unread & Record<'before' | 'after', string | null>;
  const changes = await reader.rows<Stored>(`
    SELECT change_id, changed_at, resource, record_id, before, after FROM service.changes WHERE ${where} ORDER BY change_id`);
  return changes.map(({ before, after, ...change }) => {
    const versions = [before, after].flatMap((text) => (text === null ? [] : [JSON.parse(text) as Row]));
    if (versions.length === 0) return { ...change, tables: [], people_ids: [], project_ids: [] };
    return nameIds(findResource(change.resource), versions, change);
  });
}

function nameIds(resource: Resource, versions: readonly Row[], change: Unread): ChangedRecord {
  const named = (name: string) => findIds(resource, versions, name);
  const tables = [resource.name, ...Object.values(resource.lists).map(({ table }) => table)];
  return { ...change, tables, people_ids: named('people_id'), project_ids: named('project_id') };
}

/** Returns the ids in a field of a record's versions, and in that field of their lists' items. */
function findIds({ lists }: Resource, versions: readonly Row[], name: string): number[] {
  const listed = Object.keys(lists).filter((list) => lists[list]?.fields[name]);
  const ids = versions.flatMap((version) => [
    version[name],
    ...listed.flatMap((list) => ((version[list] ?? []) as Value[]).map((item) => (isObject(item) ? item[name] : item))),
  ]);
  return [...new Set(ids)].filter((id) => typeof id === 'number');
}
