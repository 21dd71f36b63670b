import { formatTime, quoteText } from '../database/database.ts';
import type { Reader } from './rules/rules.ts';

export const DELETION_RESOURCES = ['tasks', 'timeoffs', 'logged_time'] as const;

/** Lifetime of a listed deletion and of a cursor. Unit: hours. */
export const DELETION_HOURS = 72;

/** Default page size. Unit: deletions. */
export const DEFAULT_DELETIONS = 100;

/** Maximum page size. Unit: deletions. */
export const MAX_DELETIONS = 500;

/** A deleted record with its deletion time, as YYYY-MM-DD HH:MM:SS in UTC. */
export interface Deletion {
  readonly id: string | number;
  readonly timestamp: string;
}

/** A position in a resource's deletions: everything up to the change has been read. */
export interface DeletionCursor {
  readonly resource: string;
  readonly change: number;
  /** Issue time. Unit: s since 1970. */
  readonly seconds: number;
}

/** A page of deletions, oldest first. */
export interface DeletionPage {
  readonly deletions: readonly Deletion[];
  readonly next: DeletionCursor;
  readonly hasMore: boolean;
}

/** Returns whether a cursor is too old to find every later deletion, or comes from other data. */
export async function isExpired(reader: Reader, { change, seconds }: DeletionCursor, now: Date): Promise<boolean> {
  return seconds < startOf(now).getTime() / 1000 || change > (await readLast(reader));
}

/** Reads deletions after a cursor, or from the oldest listed one without a cursor. */
export async function readDeletions(
  reader: Reader,
  resource: string,
  cursor: DeletionCursor | undefined,
  limit: number,
  now: Date,
): Promise<DeletionPage> {
  // Later commits have higher change ids; the next page starts with them.
  const last = await readLast(reader);
  const since = `changed_at >= greatest(TIMESTAMP ${quoteText(formatTime(startOf(now)))}, (SELECT deletions_since FROM service.state))`;
  const rows = await reader.rows<{ change: number; id: string; timestamp: string }>(`
    SELECT change_id AS change, record_id AS id, changed_at AS timestamp FROM service.changes
    WHERE method = 'DELETE' AND resource = ${quoteText(resource)} AND change_id <= ${last}
      AND ${cursor ? `change_id > ${cursor.change}` : since}
    ORDER BY change_id LIMIT ${limit + 1}`);
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    deletions: page.map(({ id, timestamp }) => ({ id: resource === 'logged_time' ? id : Number(id), timestamp })),
    next: {
      resource,
      change: hasMore ? (page.at(-1)?.change ?? last) : last,
      seconds: Math.floor(now.getTime() / 1000),
    },
    hasMore,
  };
}

export function formatCursor({ resource, change, seconds }: DeletionCursor): string {
  return Buffer.from(`${resource}:${change}:${seconds}`).toString('base64url');
}

/** Parses a resource's cursor; undefined when the text isn't valid. */
export function parseCursor(resource: string, text: string): DeletionCursor | undefined {
  const [, name, change, seconds] =
    /^(\w+):(\d{1,15}):(\d{1,11})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (name !== resource || change === undefined || seconds === undefined) return undefined;
  const cursor = { resource, change: Number(change), seconds: Number(seconds) };
  return formatCursor(cursor) === text ? cursor : undefined;
}

function startOf(now: Date): Date {
  return new Date(now.getTime() - DELETION_HOURS * 3_600_000);
}

async function readLast(reader: Reader): Promise<number> {
  const [row] = await reader.rows<{ last: number }>('SELECT COALESCE(max(change_id), 0) AS last FROM service.changes');
  return row?.last ?? 0;
}
