import { formatTime, quoteText } from '../database/database.ts';
import type { Reader } from './rules/rules.ts';

/** Resources whose deletions are listed. */
export const DELETION_RESOURCES = ['tasks', 'timeoffs', 'logged_time'] as const;

/** For how long a deletion is listed, and a cursor good. Unit: hours. */
export const DELETION_HOURS = 72;

/** Deletions of a page where nobody says how many. Unit: deletions. */
export const DEFAULT_DELETIONS = 100;

/** The most deletions of a page. Unit: deletions. */
export const MAX_DELETIONS = 500;

/** A record that was deleted, and when, as YYYY-MM-DD HH:MM:SS in UTC. */
export interface Deletion {
  readonly id: string | number;
  readonly timestamp: string;
}

/** A place in the list of a resource's deletions: everything up to a change has been read. */
export interface DeletionCursor {
  readonly resource: string;
  readonly change: number;
  /** When it was given out. Unit: s since 1970. */
  readonly seconds: number;
}

/** A page of deletions, oldest first, and the place after it. */
export interface DeletionPage {
  readonly deletions: readonly Deletion[];
  readonly next: DeletionCursor;
  readonly hasMore: boolean;
}

/** Whether a cursor is so old that deletions after it may be listed no more, or of another history of the data. */
export async function isExpired(reader: Reader, { change, seconds }: DeletionCursor, now: Date): Promise<boolean> {
  return seconds < startOf(now).getTime() / 1000 || change > (await readLast(reader));
}

/** Reads deletions after a cursor; without one, from the oldest that is listed. */
export async function readDeletions(
  reader: Reader,
  resource: string,
  cursor: DeletionCursor | undefined,
  limit: number,
  now: Date,
): Promise<DeletionPage> {
  // What is committed meanwhile has a later change, which the next page begins with.
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

/** A cursor as an opaque text. */
export function formatCursor({ resource, change, seconds }: DeletionCursor): string {
  return Buffer.from(`${resource}:${change}:${seconds}`).toString('base64url');
}

/** Reads a cursor of a resource; undefined when the text is none. */
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
