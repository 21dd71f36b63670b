import { readListing } from '../../src/pull/list-pages.ts';
import type { PageRecord } from '../../src/pull/page.ts';
import type { SourceListing } from '../../src/pull/page-reader.ts';
import type { Reading } from '../../src/pull/reading.ts';
import { formatMoment, parseMoment } from '../../src/pull/requests/clock.ts';
import type { SourceAnswer } from '../../src/pull/requests/request.ts';
import type { Source } from '../../src/pull/requests/source.ts';
import { fastClock, NEVER } from './pulling.ts';

export interface MemoryRecord {
  readonly id: number;
  readonly created: string;
  readonly modified: string;
}

/** Misbehavior of a list in memory. By default it behaves. */
export interface MemoryOptions {
  readonly sort?: 'honored' | 'ignored' | 'refused';
  readonly since?: 'honored' | 'by day' | 'ignored' | 'refused';
  /** The order of records with one timestamp: by id, or another one in each answer. */
  readonly ties?: 'stable' | 'unstable';
  readonly maxPerPage?: number;
  /** Returns the total to tell; undefined for none. */
  readonly total?: (count: number) => number | undefined;
  /** Changes the records before each request. */
  readonly before?: (request: number, records: MemoryRecord[]) => void;
  /** The odd use that a source makes of page numbers: ignores them, sends its last page for later ones, or repeats all without an end. */
  readonly pages?: 'honored' | 'ignored' | 'clamped' | 'endless';
  /** Replaces the records of a page. */
  readonly items?: (items: readonly MemoryRecord[], page: number) => readonly unknown[];
  /** True if single records can be asked for, at the path of the list and their id. */
  readonly hasItems?: boolean;
  /** True if a page past the last is a 404. */
  readonly hasEnd?: boolean;
}

/** The moment at which runs begin. Unit: ms since 1970. */
export const STARTED = Date.UTC(2026, 0, 10);

/** Makes records created a minute apart, or all at once, long before the run. */
export function makeRecords(count: number, gapMs = 60_000): MemoryRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const at = formatMoment(Date.UTC(2026, 0, 1) + index * gapMs);
    return { id: index + 1, created: at, modified: at };
  });
}

/** Makes a record created during the run. */
export function newRecord(id: number): MemoryRecord {
  const at = formatMoment(STARTED + id);
  return { id, created: at, modified: at };
}

/** Opens a source with one list, at every path, that lives in memory. */
export function openMemorySource(records: MemoryRecord[], options: MemoryOptions = {}) {
  const asked: string[] = [];
  const get: Source['get'] = async (path, parameters) => {
    const query = new URLSearchParams(parameters);
    asked.push(`${path}?${query}`);
    options.before?.(asked.length, records);
    const item = /\/(\d+)$/.exec(path)?.[1];
    if (item !== undefined) {
      const record = options.hasItems ? records.find(({ id }) => id === Number(item)) : undefined;
      return answer(record ? 200 : 404, record ?? {});
    }
    return answerList(records, options, query, asked.length);
  };
  const source: Source = {
    base: new URL('http://127.0.0.1/v3'),
    clock: fastClock(),
    get,
    ask: get,
    startRun: () => undefined,
    counts: () => ({ requests: asked.length, waitedMs: 0 }),
  };
  return { source, asked };
}

function answerList(
  records: readonly MemoryRecord[],
  {
    sort = 'honored',
    since = 'honored',
    ties = 'stable',
    pages = 'honored',
    maxPerPage = 200,
    total,
    items: change = (items) => items,
    hasEnd = false,
  }: MemoryOptions,
  query: URLSearchParams,
  request: number,
): SourceAnswer {
  const [key, second] = (query.get('sort')?.split(',') ?? []) as ('created' | 'modified' | 'id')[];
  const from = query.get('modified_since');
  if ((key && sort === 'refused') || (from && since === 'refused'))
    return answer(422, { message: 'Unknown parameter' });
  const least = from && (since === 'by day' ? `${from.slice(0, 10)} 00:00:00` : from);
  const shown = least && since !== 'ignored' ? records.filter(({ modified }) => modified >= least) : [...records];
  const tie = (id: number) => (ties === 'stable' ? id : (id * 7919 * (request + 1)) % 10_007);
  if (key && sort === 'honored')
    shown.sort(
      (one, other) => compare(one, other, key) || (second ? compare(one, other, second) : tie(one.id) - tie(other.id)),
    );
  else shown.sort((one, other) => other.created.localeCompare(one.created) || tie(other.id) - tie(one.id));
  const perPage = pages === 'ignored' ? shown.length : Math.min(maxPerPage, Number(query.get('per-page')));
  const sent = Number(query.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(shown.length / perPage));
  const page = pages === 'ignored' ? 1 : pages === 'clamped' ? Math.min(sent, last) : sent;
  const paged =
    pages === 'endless'
      ? makeRecords(perPage).map((each) => ({ ...each, id: each.id + page * perPage }))
      : shown.slice((page - 1) * perPage, page * perPage);
  const items = change(paged, page);
  const counted = total ? total(shown.length) : shown.length;
  if (hasEnd && items.length === 0 && page > 1) return answer(404, {});
  return answer(200, items, counted === undefined ? {} : { 'x-pagination-total-count': String(counted) });
}

function compare(one: MemoryRecord, other: MemoryRecord, key: keyof MemoryRecord): number {
  return key === 'id' ? one.id - other.id : one[key].localeCompare(other[key]);
}

function answer(status: number, json: unknown, headers: Record<string, string> = {}): SourceAnswer {
  return { status, headers: new Headers(headers), text: JSON.stringify(json), json };
}

/** Reads a list in memory. @returns the ids found, in order, each once. */
export async function readMemory(records: MemoryRecord[], options: MemoryOptions = {}, since?: string) {
  const { source, asked } = openMemorySource(records, options);
  const notes: string[] = [];
  const ids = new Set<string>();
  let reading: Reading | undefined;
  const sink = {
    get reading() {
      return reading;
    },
    ids,
    async append(page: readonly PageRecord[], now: Reading) {
      reading = now;
      for (const { id } of page) ids.add(id);
    },
    async restart() {
      ids.clear();
    },
  };
  const moment = since === undefined ? 'created' : 'modified';
  const query: SourceListing = {
    path: 'list',
    parameters: {},
    fields: { ids: { names: ['id'], isText: false }, moment },
    since: parseMoment(since),
    settledMs: STARTED,
  };
  const note = async (sentence: string) => void notes.push(sentence);
  const outcome = await readListing({ source, signal: NEVER, note }, query, sink);
  return { outcome, ids, asked, notes };
}
