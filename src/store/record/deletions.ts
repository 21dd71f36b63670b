import { formatTime, quoteText } from '../../base/database/index.ts';
import type { PageBounds } from './list.ts';
import type { Reader } from './rules/rules.ts';
import { readLastChange } from './storage/changes.ts';

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
  /** Number of listed deletions after the cursor, on all pages. */
  readonly total: number;
  readonly next: DeletionCursor;
  readonly hasMore: boolean;
}

/** Returns whether a cursor is too old to find every later deletion, or comes from other data. */
export async function isCursorExpired(
  reader: Reader,
  { change, seconds }: DeletionCursor,
  now: Date,
): Promise<boolean> {
  return seconds < startOf(now).getTime() / 1000 || change > (await readLastChange(reader));
}

/** Reads a page of the deletions after a cursor, or of all that are listed without a cursor. */
export async function readDeletions(
  reader: Reader,
  resource: string,
  cursor: DeletionCursor | undefined,
  { page, perPage }: PageBounds,
  now: Date,
): Promise<DeletionPage> {
  // Later commits have higher change ids; the next page starts with them.
  const last = await readLastChange(reader);
  const since = `changed_at >= greatest(TIMESTAMP ${quoteText(formatTime(startOf(now)))}, (SELECT deletions_since FROM service.state))`;
  const listed = `service.changes
    WHERE method = 'DELETE' AND resource = ${quoteText(resource)} AND change_id <= ${last}
      AND ${cursor ? `change_id > ${cursor.change}` : since}`;
  const [count] = await reader.rows<{ total: number }>(`SELECT count(*) AS total FROM ${listed}`);
  const total = count?.total ?? 0;
  const offset = (page - 1) * perPage;
  const rows =
    offset >= total
      ? []
      : await reader.rows<{ change: number; id: string; timestamp: string }>(`
    SELECT change_id AS change, record_id AS id, changed_at AS timestamp FROM ${listed}
    ORDER BY change_id LIMIT ${perPage} OFFSET ${offset}`);
  const hasMore = offset + rows.length < total;
  return {
    deletions: rows.map(({ id, timestamp }) => ({ id: resource === 'logged_time' ? id : Number(id), timestamp })),
    total,
    next: {
      resource,
      change: hasMore ? (rows.at(-1)?.change ?? last) : last,
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
