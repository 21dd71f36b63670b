import { rm } from 'node:fs/promises';
import type { Folder } from './folder.ts';
import { readListing } from './list-pages.ts';
import { parseHeaderCount } from './page.ts';
import type { PulledResource, PullState } from './pulled.ts';
import { countNested, hashRecords, openRecordFile, type RecordFile, recordPath } from './record-file.ts';
import type { Source } from './requests/source.ts';
import { idFields, type List } from './source-lists.ts';

/** Called after each page. `total` is undefined if the source doesn't count. */
export type OnProgress = (step: { resource: string; read: number; total: number | undefined }) => void;

export interface ListContext {
  readonly source: Source;
  readonly folder: Folder;
  readonly state: PullState | undefined;
  /** Large lists that are read whole, whatever has changed. */
  readonly whole: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress;
}

/**
 * Reads a list into its file, from where a killed run left it. A list whose records came inside those of another is
 * only counted: in a company of 800 projects, its pages are half of the requests of a run without changes.
 * @param earlier The lists read before, which may hold its records.
 * @returns undefined if the source has no such list.
 */
export async function readList(
  context: ListContext,
  list: List,
  earlier: readonly PulledResource[],
): Promise<PulledResource | undefined> {
  const { folder, state, onProgress } = context;
  const { name } = list.resource;
  const file = await openRecordFile(folder, list, (read, total) => onProgress?.({ resource: name, read, total }));
  try {
    const held = await findHeld(folder, list, earlier);
    const isBegun = file.state().path !== undefined;
    const isCounted = !isBegun && held !== undefined && held.read === (await readTotal(context, list));
    if (!isCounted && !file.state().isDone) await readQueries(context, list, file);
    const { path, isWhole, read, types, large } = file.state();
    if (path === undefined) {
      await rm(file.path);
      // Unchanged only if they came inside the same records before: a record that was in its list alone may be gone.
      return held && { ...held, isUnchanged: held.digest !== undefined && held.digest === state?.digests[name] };
    }
    const digest = isWhole ? await hashRecords(file.path) : undefined;
    const isUnchanged = digest !== undefined && digest === state?.digests[name];
    return {
      resource: name,
      nestedIn: undefined,
      isWhole,
      isUnchanged,
      read,
      total: undefined,
      deleted: [],
      large,
      digest,
      cursor: undefined,
      types,
    };
  } finally {
    await file.close();
  }
}

/** Returns the records of a list that came inside those of an earlier one; undefined if none of its records has them. */
async function findHeld(
  { directory }: Folder,
  { resource, nested }: List,
  earlier: readonly PulledResource[],
): Promise<PulledResource | undefined> {
  const holder = earlier.find((each) => each.resource === nested?.resource);
  if (!holder || !nested) return undefined;
  const read = await countNested(recordPath(directory, holder.resource), nested.field);
  if (read === undefined) return undefined;
  return { ...holder, resource: resource.name, nestedIn: holder.resource, read, large: [], types: {} };
}

/** Reads the number of records that the source counts in a list; undefined if it doesn't count, or has no such list. */
export async function readTotal(
  { source, signal }: Pick<ListContext, 'source' | 'signal'>,
  { paths }: List,
): Promise<number | undefined> {
  for (const path of paths) {
    const { status, headers } = await source.get(path, { 'per-page': '1' }, signal);
    if (status !== 404) return parseHeaderCount(headers.get('x-pagination-total-count'));
  }
  return undefined;
}

async function readQueries(context: ListContext, list: List, file: RecordFile): Promise<void> {
  const { folder, whole } = context;
  const isWhole = !list.isLarge || folder.start.wholeBecause !== undefined || whole.includes(list.resource.name);
  if (file.state().path === undefined) await file.save({ isWhole });
  for (const [index, parameters] of list.queries.entries()) {
    if (index < file.state().query) continue;
    const isOffered = await readQuery(context, list, parameters, file);
    if (!isOffered && index === 0) break;
    await file.nextQuery();
  }
  await file.save({ isDone: true });
}

/** Reads a query at the first path that the source has. @returns false if it has none. */
async function readQuery(
  { source, folder, signal }: ListContext,
  { resource, paths }: List,
  parameters: Readonly<Record<string, string>>,
  file: RecordFile,
): Promise<boolean> {
  const { since, settledMs } = folder.start;
  const context = { source, signal, note: folder.note };
  const begun = file.state().path;
  for (const path of begun === undefined ? paths : paths.slice(paths.indexOf(begun))) {
    await file.save({ path });
    const read = () => {
      const from = file.state().isWhole ? undefined : since;
      const fields = { ids: idFields(resource), moment: from === undefined ? 'created' : 'modified' } as const;
      return readListing(context, { path, parameters, fields, since: from, settledMs }, file);
    };
    let outcome = await read();
    if (outcome === 'unfiltered') {
      await folder.note(`The source can't tell what changed of ${resource.name}, so the list is read whole.`);
      await file.restart();
      await file.save({ isWhole: true });
      outcome = await read();
    }
    if (outcome === 'read') return true;
  }
  await file.save({ path: begun });
  return false;
}
