import { isObject } from '../base/index.ts';
import { limitError, MAX_PAGE_FACTOR } from './list-limits.ts';
import { parseItems } from './page.ts';
import type { LoggedDeletion } from './pulled.ts';
import { type IdFields, sentIdOf } from './record-id.ts';
import { recordTexts } from './record-texts.ts';
import { formatMoment, parseMoment } from './requests/clock.ts';
import type { SourceAnswer } from './requests/request.ts';
import type { Source } from './requests/source.ts';
import { idFields, type List, pathsOf } from './source-lists.ts';

const DELETIONS_PER_PAGE = 500;

/** The most pages of one delete log in a run. */
export const MAX_DELETION_PAGES = 2_000;

/** The longest position in a delete log, which is sent back in an address. Unit: characters. */
export const MAX_CURSOR_CHARACTERS = 2_000;

/** Statuses of a log that is switched off, and of a cursor that is too old or unknown. */
const UNAVAILABLE = new Set([400, 403, 405, 409, 410, 422]);

export interface DeletionLog {
  readonly deletions: readonly LoggedDeletion[];
  /** The position after them; undefined if the source gives none. */
  readonly cursor: string | undefined;
  /** The number of entries left out because their id is invalid. */
  readonly oddIds: number;
}

/**
 * Reads a delete log from a cursor to its end. Deletions come at least once and in any order, so each id is
 * returned once, with its last moment.
 * @param cursor Undefined to begin with the oldest deletion that is listed.
 * @returns 'unavailable' if the log is switched off, or if it no longer has the cursor.
 */
export async function readDeleteLog(
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
  ids: IdFields,
  start: string | undefined,
  first: SourceAnswer,
  signal: AbortSignal,
): Promise<DeletionLog | 'unavailable'> {
  const found = new Map<string, string>();
  const cursors = new Set(start === undefined ? [] : [start]);
  let cursor = start;
  let oddIds = 0;
  let answer: SourceAnswer | 'absent' | 'unavailable' = first;
  for (let page = 1; page <= MAX_DELETION_PAGES; page += 1) {
    if (typeof answer === 'string') return 'unavailable';
    const items = parseItems(answer, path);
    const texts = items.length === 0 ? [] : recordTexts(answer.text);
    const parsed = items.flatMap((item, index) => parseDeletion(item, texts[index] ?? '', ids, source.clock.now()));
    oddIds += items.length - parsed.length;
    for (const { id, at } of parsed) if (at > (found.get(id) ?? '')) found.set(id, at);
    if (found.size > page * DELETIONS_PER_PAGE * MAX_PAGE_FACTOR) {
      throw limitError(`/${path} sends more deletions than requested: ${found.size} on ${page} pages`);
    }
    const { next, hasMore } = parsePosition(answer, path);
    const isEnd = next === undefined || cursors.has(next) || items.length === 0;
    cursor = next ?? cursor;
    if (cursor !== undefined) cursors.add(cursor);
    if (isEnd || hasMore === false) return { deletions: [...found].map(([id, at]) => ({ id, at })), cursor, oddIds };
    answer = await askLog(source, path, cursor, signal);
  }
  throw limitError(`/${path} did not end after ${MAX_DELETION_PAGES} pages`);
}

function parseDeletion(item: unknown, text: string, ids: IdFields, now: number): LoggedDeletion[] {
  if (!isObject(item)) return [];
  const id = sentIdOf(item, text, { ...ids, names: [...ids.names, 'id'] });
  const at = ['timestamp', 'deleted_at', 'deleted']
    .map((name) => parseMoment(item[name]))
    .find((ms) => ms !== undefined);
  return id === undefined ? [] : [{ id, at: formatMoment(at ?? now) }];
}

/** Parses the next cursor and whether more follows, from the headers or the body. */
function parsePosition(
  { headers, json }: SourceAnswer,
  path: string,
): {
  readonly next: string | undefined;
  readonly hasMore: boolean | undefined;
} {
  const body = isObject(json) ? json : {};
  const places = [body, ...['pagination', 'meta'].map((name) => body[name]).filter(isObject)];
  const next = headers.get('x-pagination-next-cursor') ?? places.map((place) => place['next_cursor']).find(Boolean);
  const more =
    headers.get('x-pagination-has-more') ??
    places.map((place) => place['has_more']).find((value) => value !== undefined);
  if (typeof next === 'string' && next.length > MAX_CURSOR_CHARACTERS)
    throw limitError(`/${path} gives a position of more than ${MAX_CURSOR_CHARACTERS} characters`);
  return { next: typeof next === 'string' && next !== '' ? next : undefined, hasMore: parseFlag(more) };
}

function parseFlag(value: unknown): boolean | undefined {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true' || text === 1 || text === '1') return true;
  return text === false || text === 'false' || text === 0 || text === '0' ? false : undefined;
}
