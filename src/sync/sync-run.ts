import { readFile } from 'node:fs/promises';
import { type Database, formatTime, quoteText } from '../database/database.ts';
import { safeMessageOf } from '../error.ts';
import { storageError } from '../generation/generation-files.ts';
import type { IngestSummary } from '../ingest/ingest-summary.ts';
import type { Store } from '../live/store.ts';
import { type Pulled, type PullState, stateAfter } from '../pull/pulled.ts';
import { confirmDeletions, confirmDifferences } from './confirm.ts';
import {
  assertCurrencyKept,
  assertNoLocalChanges,
  assertNoShrink,
  assertRatesKept,
  assertSameCompany,
  noteUnknownCosts,
} from './guard.ts';
import { createState, type Run, readState, saveChanges, saveRun, saveState } from './history.ts';
import { mergeRecords, SYNC } from './merge.ts';
import type { Puller } from './puller.ts';
import { comparedLists, type DifferenceCount, findDifferences } from './record-differences.ts';
import { changedLists, fillScratch, removeScratch } from './scratch.ts';
import { describeUntold, parseSourceSettings } from './source-settings.ts';

/** The database that a sync writes to. */
export interface SyncTarget {
  /** The path of the published database, for messages. */
  readonly file: string;
  readonly database: Database;
  readonly store: Store;
}

export interface RunOptions {
  /** Reads everything again. */
  readonly isFull?: boolean;
  /** Lets a large part of a resource vanish. */
  readonly acceptsShrink?: boolean;
  /** Changes nothing. */
  readonly isDry?: boolean;
  /** A JSON file with the settings of the company, for a run that reads everything. */
  readonly settingsFile?: string | undefined;
  /** The folder for the records on their way, on the database's disk. */
  readonly folder: string;
  readonly memoryLimitMib: number;
}

export interface RunSummary extends Run {
  readonly differences: readonly DifferenceCount[];
  /** Records read by resource, in the order of reading. */
  readonly reads: readonly { readonly resource: string; readonly read: number }[];
  /** The validation of the records; undefined if there were none to validate. */
  readonly load: IngestSummary | undefined;
  readonly notes: readonly string[];
  /** True if it brought records that a killed run had read; the source may have changed since. */
  readonly isResumed: boolean;
}

/**
 * Brings the records of a source into the working database, in one transaction.
 * A run that fails changes no record, and is noted in sync.runs.
 * @throws AppError source when it can't be read, input when its records must not replace those of the database,
 *   storage when the disk is full.
 */
export async function runSync(target: SyncTarget, puller: Puller, options: RunOptions): Promise<RunSummary> {
  const startedAt = formatTime(target.store.now());
  const session = await target.database.session();
  try {
    await createState(session);
    return await bring(session, target.store, puller, options, startedAt);
  } catch (cause) {
    const error = storageError(target.file, cause, 'sync');
    // The failure is thrown even if it can't be noted, as on a full disk.
    const note = () => noteFailure(target.store, startedAt, options.isFull === true, safeMessageOf(error));
    if (!options.isDry) await note().catch(() => undefined);
    throw error;
  } finally {
    await session.close();
  }
}

async function bring(
  session: Database,
  store: Store,
  puller: Puller,
  options: RunOptions,
  startedAt: string,
): Promise<RunSummary> {
  await assertNoLocalChanges(store.reader);
  const state = await readState(session, puller.url);
  const pulled = await puller.pull(state, options.isFull === true);
  try {
    return await merge(session, store, puller, { ...options, startedAt, state, pulled });
  } finally {
    // A refused run must read its source anew.
    await puller.finish();
    await session.run('DETACH DATABASE IF EXISTS pulled');
    await removeScratch(options.folder);
  }
}

interface MergeOptions extends RunOptions {
  readonly startedAt: string;
  readonly state: PullState | undefined;
  readonly pulled: Pulled;
}

async function merge(
  session: Database,
  store: Store,
  puller: Puller,
  { startedAt, state, pulled, ...options }: MergeOptions,
): Promise<RunSummary> {
  const changed = changedLists(pulled);
  const lists = comparedLists(changed);
  const isFull = pulled.wholeBecause !== undefined;
  const given = isFull && options.settingsFile !== undefined ? await readFile(options.settingsFile, 'utf8') : undefined;
  const settings = given ?? (pulled.settings === undefined ? undefined : parseSourceSettings(pulled.settings));
  let load: IngestSummary | undefined;
  let differences: DifferenceCount[] = [];
  let incomplete: ReadonlySet<string> = new Set();
  const hasRecords = changed.length > 0 || settings !== undefined;
  if (hasRecords) {
    // A run whose DETACH failed leaves its records attached.
    await session.run('DETACH DATABASE IF EXISTS pulled');
    const scratch = await fillScratch(options.folder, pulled, { ...options, settings });
    load = scratch.summary;
    await session.run(`ATTACH ${quoteText(scratch.file)} AS pulled`);
    await assertSameCompany(session, lists, puller.url);
    await confirmDeletions(session, puller, lists, pulled);
    await findDifferences(session, lists, startedAt);
    ({ differences, incomplete } = await confirmDifferences(session, puller, lists, pulled));
    if (options.acceptsShrink !== true) {
      await assertRatesKept(session, lists);
      // A settings file is its owner's word.
      if (given === undefined && settings !== undefined) await assertCurrencyKept(session);
      await assertNoShrink(session, differences);
    }
  }
  const assumed = isFull && settings === undefined ? [await describeUntold(session)] : [];
  const summary: RunSummary = {
    startedAt,
    finishedAt: formatTime(store.now()),
    result: 'ok',
    isFull,
    read: pulled.resources.reduce((sum, { read }) => sum + read, 0),
    new: sumOf(differences, 'new'),
    changed: sumOf(differences, 'changed'),
    gone: sumOf(differences, 'gone'),
    setAside: load?.resources.reduce((sum, { setAside }) => sum + setAside, 0) ?? 0,
    requests: pulled.requests,
    waitedMs: pulled.waitedMs,
    message: null,
    differences,
    reads: pulled.resources.map(({ resource, read, nestedIn }) => ({
      resource,
      // Records that come inside others have no list of their own.
      read: nestedIn === undefined ? read : (load?.resources.find((each) => each.resource === resource)?.read ?? 0),
    })),
    load,
    notes: [...pulled.notes, ...assumed],
    isResumed: pulled.isResumed,
  };
  if (options.isDry === true) return summary;
  await store.write(SYNC, async (transaction) => {
    if (hasRecords) await mergeRecords(transaction, lists, differences, settings !== undefined);
    transaction.run([
      saveRun(summary),
      ...(hasRecords ? [saveChanges(startedAt)] : []),
      ...saveState(puller.url, stateAfter(pulled, state, incomplete), pulled.startedAt),
    ]);
  });
  return { ...summary, notes: [...summary.notes, ...(await noteUnknownCosts(session))] };
}

async function noteFailure(store: Store, startedAt: string, isFull: boolean, message: string): Promise<void> {
  const none = { read: 0, new: 0, changed: 0, gone: 0, setAside: 0, requests: 0, waitedMs: 0 };
  const run: Run = { ...none, startedAt, finishedAt: formatTime(store.now()), result: 'failed', isFull, message };
  await store.write(SYNC, async (transaction) => transaction.run([saveRun(run)]));
}

function sumOf(differences: readonly DifferenceCount[], wanted: DifferenceCount['what']): number {
  return differences.reduce((sum, { what, count }) => sum + (what === wanted ? count : 0), 0);
}
