import { AppError } from '../error.ts';
import { formatMoment, parseMoment } from './clock.ts';
import { idOf, isObject, parseItems } from './page.ts';
import type { LoggedDeletion } from './pulled.ts';
import type { SourceAnswer } from './request.ts';
import type { Source } from './source.ts';
import { idFields, type List, pathsOf } from './source-lists.ts';

/** Deletions a page. */
const DELETIONS_PER_PAGE = 500;

/** The most pages of one delete log in a run. */
export const MAX_DELETION_PAGES = 2_000;

/** Statuses of a log that is switched off, and of a cursor that is too old or unknown. */
const UNAVAILABLE = new Set([400, 403, 405, 409, 410, 422]);

/** Deletions up to a position. */
export interface DeletionLog {
  readonly deletions: readonly LoggedDeletion[];
  /** The position after them; undefined if the source gives none. */
  readonly cursor: string | undefined;
}

/**
 * Reads a delete log from a cursor to its end. Deletions come at least once and in any order, so each id is
 * returned once, with its last moment.
 * @param cursor Undefined to begin with the oldest deletion that is listed.
 * @returns 'unavailable' if the log is switched off, or if it no longer has the cursor.
 */
export async function readDeletions(
  source: Source,
  { resource }: List,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<DeletionLog | 'unavailable'> {
  for (const name of pathsOf(resource.name)) {
    const path = `deleted/${name}`;
    const first = await askLog(source, path, cursor, signal);
    if (first !== 'absent')
      return first === 'unavailable' ? first : readPages(source, path, idFields(resource), cursor, first, signal);
  }
  return 'unavailable';
}

async function askLog(
  source: Source,
  path: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<SourceAnswer | 'absent' | 'unavailable'> {
  const limit = { limit: String(DELETIONS_PER_PAGE) };
  const answer = await source.ask(path, cursor === undefined ? limit : { ...limit, cursor }, signal);
  if (answer.status === 404) return 'absent';
  return UNAVAILABLE.has(answer.status) ? 'unavailable' : answer;
}

async function readPages(
  source: Source,
  path: string,
  ids: readonly string[],
  start: string | undefined,
  first: SourceAnswer,
  signal: AbortSignal,
): Promise<DeletionLog | 'unavailable'> {
  const found = new Map<string, string>();
  let cursor = start;
  let answer: SourceAnswer | 'absent' | 'unavailable' = first;
  for (let page = 1; page <= MAX_DELETION_PAGES; page += 1) {
    if (typeof answer === 'string') return 'unavailable';
    const items = parseItems(answer, path);
    for (const { id, at } of items.flatMap((item) => parseDeletion(item, ids, source.clock.now()))) {
      if (at > (found.get(id) ?? '')) found.set(id, at);
    }
    const { next, hasMore } = parsePosition(answer);
    const isEnd = next === undefined || next === cursor || items.length === 0;
    cursor = next ?? cursor;
    if (isEnd || hasMore === false) return { deletions: [...found].map(([id, at]) => ({ id, at })), cursor };
    answer = await askLog(source, path, cursor, signal);
  }
  throw new AppError('source', `/${path} did not end after ${MAX_DELETION_PAGES} pages`, {
    hint: 'Run it again with --full, which needs no delete log.',
  });
}

function parseDeletion(item: unknown, ids: readonly string[], now: number): LoggedDeletion[] {
  if (!isObject(item)) return [];
  const id = idOf(item, [...ids, 'id']);
  const at = ['timestamp', 'deleted_at', 'deleted']
    .map((name) => parseMoment(item[name]))
    .find((ms) => ms !== undefined);
  return id === undefined ? [] : [{ id, at: formatMoment(at ?? now) }];
}

/** Parses the next cursor and whether more follows, from the headers or the body. */
function parsePosition({ headers, json }: SourceAnswer): {
  readonly next: string | undefined;
  readonly hasMore: boolean | undefined;
} {
  const body = isObject(json) ? json : {};
  const places = [body, ...['pagination', 'meta'].map((name) => body[name]).filter(isObject)];
  const next = headers.get('x-pagination-next-cursor') ?? places.map((place) => place['next_cursor']).find(Boolean);
  const more =
    headers.get('x-pagination-has-more') ??
    places.map((place) => place['has_more']).find((value) => value !== undefined);
  return {
    next: typeof next === 'string' && next !== '' ? next : undefined,
    hasMore: more === undefined || more === null ? undefined : /^(true|1)$/i.test(String(more)),
  };
}
