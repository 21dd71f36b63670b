import { mkdir } from 'node:fs/promises';
import type { RatesChange } from '../../base/config/index.ts';
import { type Database, formatTime, isDiskFull } from '../../base/database/index.ts';
import { AppError, advisedMessageOf } from '../../base/index.ts';
import { type Pulled, type PullState, stateAfter } from '../../pull/index.ts';
import { storageError, syncFolder } from '../generation/generation-files.ts';
import type { Live } from '../live/live.ts';
import type { Store } from '../live/store.ts';
import { KEEP_SEEN_RATES, type WatchedLines, watchLines } from '../rates/pulled-rates.ts';
import { tellRates } from '../rates/told-rates.ts';
import { comparePulled } from './compare.ts';
import { type FirstMemory, limitFirstMemory } from './first-memory.ts';
import { assertKept, assertNoLocalChanges, noteUnknownCosts } from './guard.ts';
import {
  createState,
  makeRun,
  noteFailure,
  noteSuccess,
  readState,
  type SyncRun,
  saveChanges,
  saveRun,
  saveState,
} from './history.ts';
import { describeIncomplete, findIncomplete, readSurplus } from './list-totals.ts';
import { mergeRecords, SYNC } from './merge.ts';
import type { Puller } from './puller.ts';
import type { ComparedRecords, What } from './record-differences.ts';
import { loadPulled, removeScratch } from './scratch.ts';
import { describeUntold } from './source-settings.ts';

/** The source of a run, and the data that it fills. */
export interface RunParts {
  readonly puller: Puller;
  readonly live: Pick<Live, 'store' | 'generations'>;
  readonly database: Database;
  readonly file: string;
  /** The most memory of the engine for the records on their way. Unit: MiB. */
  readonly memoryLimitMib: number;
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
  /** A folder with files of records that the source doesn't have: they are read in each run. */
  readonly besideFolder?: string | undefined;
  /** Says what becomes of rates without a day that the source changes. Default: rewrite. */
  readonly ratesChange?: RatesChange;
}

/**
 * Brings the records of a source into live data, in one transaction: pull, load, compare, guard, write, show, note.
 * A run that fails changes no record, and is noted in sync.runs and in the status file.
 * @throws AppError source when it can't be read, input when its records must not replace those of the database,
 *   storage when the disk is full, check if the numbers of these records would not tie out.
 */
export async function runSync(parts: RunParts, options: RunOptions): Promise<SyncRun> {
  const { puller, live, file } = parts;
  const folder = await makeFolder(file);
  const startedAt = live.store.now();
  const begun = makeRun(startedAt, options.isFull === true);
  const isDry = options.isDry === true;
  const { ratesChange: change = 'rewrite' } = options;
  let memory: FirstMemory | undefined;
  let watched: WatchedLines | undefined;
  try {
    const run = await inSession(parts, begun, isDry, async (session) => {
      await assertNoLocalChanges(live.store.reader);
      const state = await readState(session, puller.url);
      const pulled = await puller.pull(state, begun.isFull);
      try {
        memory = await limitFirstMemory(parts.database, file, pulled, parts.memoryLimitMib);
        const scratch = { ...options, folder, memoryLimitMib: memory.memoryLimitMib };
        const compare = async (each: Pulled) => {
          return comparePulled(session, puller, await loadPulled(session, each, scratch), { startedAt, change });
        };
        const changes = await compare(pulled);
        const missed = findIncomplete(await readSurplus(session, changes), pulled.resources, state);
        const compared = missed.length === 0 ? changes : await compare(await pullWhole(puller, state, pulled, missed));
        if (options.acceptsShrink !== true) await assertKept(session, compared);
        const described = await describeRun(session, begun, live.store.now(), compared);
        if (isDry) return { ...described, notes: [...described.notes, ...sayRates(compared.rates.changes)] };
        watched = await watchLines(parts.database, compared.rates);
        return await write(session, live.store, described, compared, { url: puller.url, state });
      } finally {
        try {
          // A refused run must read its source anew.
          await puller.finish();
        } finally {
          await session.run('DETACH DATABASE IF EXISTS pulled');
          await removeScratch(folder);
        }
      }
    });
    if (isDry) return run;
    await show(live, file);
    const rates = await watched?.tell();
    const told = rates ? { ...run, notes: [...run.notes, rates.sentence] } : run;
    await noteSuccess(parts, told);
    return told;
  } catch (error) {
    if (!isDry) await noteFailure(parts, error).catch(() => undefined);
    throw error;
  } finally {
    await watched?.close();
    // An engine that has failed takes no limit: its error is the one to tell.
    await memory?.restore().catch(() => undefined);
  }
}

/** Says the rates that a run would change. */
function sayRates(changes: Parameters<typeof tellRates>[0]): string[] {
  const told = tellRates(changes, undefined, true);
  return told ? [told.sentence] : [];
}

/** Pulls once more, with lists read whole whose changes were not all that changed. */
async function pullWhole(
  puller: Puller,
  state: PullState | undefined,
  first: Pulled,
  lists: readonly string[],
): Promise<Pulled> {
  await puller.finish();
  const pulled = await puller.pull(state, false, lists);
  return {
    ...pulled,
    requests: first.requests + pulled.requests,
    waitedMs: first.waitedMs + pulled.waitedMs,
    notes: [...new Set([...first.notes, ...describeIncomplete(lists), ...pulled.notes])],
  };
}

/** Makes the folder for the records on their way, on the database's disk. */
async function makeFolder(file: string): Promise<string> {
  const folder = syncFolder(file);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw storageError(file, cause, 'sync');
  });
  return folder;
}

/** Works in a session of the working database, and notes a failure in sync.runs. */
async function inSession(
  { database, live, file }: RunParts,
  begun: SyncRun,
  isDry: boolean,
  work: (session: Database) => Promise<SyncRun>,
): Promise<SyncRun> {
  const session = await database.session();
  try {
    await createState(session);
    return await work(session);
  } catch (cause) {
    const error = storageError(file, cause, 'sync');
    const finishedAt = formatTime(live.store.now());
    const failed = saveRun({ ...begun, finishedAt, result: 'failed', message: advisedMessageOf(error) });
    // The failure is thrown even if it can't be noted, as on a full disk.
    const note = () => live.store.write(SYNC, async (transaction) => transaction.run([failed]));
    if (!isDry) await note().catch(() => undefined);
    throw error;
  } finally {
    await session.close();
  }
}

async function describeRun(
  session: Database,
  begun: SyncRun,
  finishedAt: Date,
  { pulled, settings, load: validated, differences }: ComparedRecords,
): Promise<SyncRun> {
  const { resources, requests, waitedMs, notes, isResumed } = pulled;
  const isFull = pulled.wholeBecause !== undefined;
  const sumOf = (wanted: What) => differences.reduce((sum, { what, count }) => sum + (what === wanted ? count : 0), 0);
  return {
    ...begun,
    finishedAt: formatTime(finishedAt),
    isFull,
    read: resources.reduce((sum, { read }) => sum + read, 0),
    new: sumOf('new'),
    changed: sumOf('changed'),
    gone: sumOf('gone'),
    setAside: validated?.resources.reduce((sum, { setAside }) => sum + setAside, 0) ?? 0,
    requests,
    waitedMs,
    differences,
    reads: resources.map(({ resource, read }) => ({ resource, read })),
    load: validated,
    notes: isFull && settings === undefined ? [...notes, await describeUntold(session)] : notes,
    isResumed,
  };
}

/** Writes the records that differ, with the run and the state for the next. @returns the run, with what became known. */
async function write(
  session: Database,
  store: Store,
  run: SyncRun,
  compared: ComparedRecords,
  { url, state }: { readonly url: string; readonly state: PullState | undefined },
): Promise<SyncRun> {
  const { pulled, lists, settings, load: validated, differences, incomplete } = compared;
  const surplus = await readSurplus(session, compared);
  await store.write(SYNC, async (transaction) => {
    if (validated) {
      await mergeRecords(transaction, lists, differences, settings !== undefined);
      transaction.run(KEEP_SEEN_RATES);
    }
    transaction.run([
      saveRun(run),
      ...(validated ? [saveChanges(run.startedAt)] : []),
      ...saveState(url, stateAfter(pulled, state, incomplete, surplus), pulled.startedAt),
    ]);
  });
  return { ...run, notes: [...run.notes, ...(await noteUnknownCosts(session))] };
}

/** Waits until the numbers show the records of a run. @throws AppError storage when the disk is full. */
async function show({ generations }: Pick<Live, 'generations'>, file: string): Promise<void> {
  try {
    await generations.settle();
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new AppError(
      'storage',
      `The records are synced, but the disk that holds ${file} has no room for their numbers`,
      {
        hint: 'The published files are as they were. Free some space and sync again: it brings the numbers up to date, too.',
        cause,
      },
    );
  }
}
