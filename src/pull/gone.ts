import { isObject } from '../base/index.ts';
import { type PageSink, readListing } from './list-pages.ts';
import { type PageRecord, parseItems } from './page.ts';
import type { Reading } from './reading.ts';
import { idOf } from './record-id.ts';
import type { Source } from './requests/source.ts';
import { findList, idFields, type List } from './source-lists.ts';

/** The most records requested one by one; for more, the list is read again. */
export const MAX_SINGLE_CHECKS = 100;

/**
 * Confirms that records absent from a whole list are gone: a record that moved between pages can be absent, too.
 * A few records are requested one by one, if the source has paths of single records; else the list is read again.
 * @param ids Known ids that a whole list, read over several pages, doesn't have.
 * @returns the ids that are gone.
 * @throws AppError source if the source can't be read.
 */
export async function confirmGone(
  source: Source,
  resource: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const list = findList(resource);
  for (const path of list.paths) {
    const first = await source.get(path, { 'per-page': '1' }, signal);
    if (first.status === 404) continue;
    const [known] = parseItems(first, path);
    const knownId = isObject(known) ? idOf(known, idFields(list.resource)) : undefined;
    const isSingle = ids.length <= MAX_SINGLE_CHECKS && knownId !== undefined;
    if (isSingle && (await readStatus(source, path, knownId, signal)) === 200)
      return findMissing(source, path, ids, signal);
    return readAgain(source, list, path, ids, signal);
  }
  // Records without a list of their own came inside other records, so paging didn't split them.
  return list.nested ? [...ids] : [];
}

async function findMissing(
  source: Source,
  path: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const gone: string[] = [];
  for (const id of ids) {
    const status = await readStatus(source, path, id, signal);
    if (status === 404 || status === 410) gone.push(id);
  }
  return gone;
}

async function readStatus(source: Source, path: string, id: string, signal: AbortSignal): Promise<number> {
  return (await source.get(`${path}/${encodeURIComponent(id)}`, {}, signal)).status;
}

async function readAgain(
  source: Source,
  { resource, queries }: List,
  path: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const missing = new Set(ids);
  for (const [index, { expand: _expand, ...parameters }] of queries.entries()) {
    const sink = idSink((id) => missing.delete(id));
    const fields = { ids: idFields(resource), moment: 'created' } as const;
    const listing = { path, parameters, fields, since: undefined, settledMs: 0 };
    const outcome = await readListing({ source, signal, note: async () => undefined }, listing, sink);
    if (outcome !== 'read' && index === 0) return [];
  }
  return [...missing];
}

function idSink(onId: (id: string) => void): PageSink {
  const ids = new Set<string>();
  let current: Reading | undefined;
  return {
    get reading() {
      return current;
    },
    ids,
    async append(records: readonly PageRecord[], reading) {
      current = reading;
      for (const { id } of records) {
        ids.add(id);
        onId(id);
      }
    },
    async restart() {
      ids.clear();
    },
  };
}
