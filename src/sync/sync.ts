import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, formatZonedTime } from '../database/database.ts';
import { isDiskFull } from '../database/engine-errors.ts';
import { AppError, safeMessageOf } from '../error.ts';
import { storageError, syncFolder } from '../generation/generation-files.ts';
import { readSyncStatus, writeSyncStatus } from '../generation/sync-status.ts';
import { repeat } from '../generation/watch.ts';
import type { Live } from '../live/live.ts';
import { discardPulled } from '../pull/folder.ts';
import type { OnProgress } from '../pull/read-list.ts';
import type { SourceReader } from '../pull/source-reader.ts';
import { type TieOut, tieOut } from '../tie-out/tie-out.ts';
import type { Puller } from './puller.ts';
import { type RunOptions, type RunSummary, runSync } from './sync-run.ts';

/** The source of a sync, and the data that it fills. */
export interface SyncParts {
  readonly reader: SourceReader;
  readonly live: Live;
  /** The working database of the live data. */
  readonly database: Database;
  /** The path of the published database. */
  readonly file: string;
  /** The most memory of the engine for the records on their way. Unit: MiB. */
  readonly memoryLimitMib: number;
  readonly onProgress?: OnProgress;
}

export interface SyncOptions extends Pick<RunOptions, 'isFull' | 'acceptsShrink' | 'isDry' | 'settingsFile'> {
  /** Compares scheduled hours with the source's own reports after the run. */
  readonly tiesOut?: boolean;
}

/** A good run. */
export interface SyncedRun extends RunSummary {
  /** Undefined unless asked for. */
  readonly tieOut?: TieOut;
}

/** Listener to the runs of a sync. */
export interface SyncListener {
  synced(run: SyncedRun): void;
  syncFailed(error: unknown): void;
}

/**
 * Brings the records of a source into live data, and waits until the numbers show them.
 * Writes the result to the status file.
 * @param signal Ends the reading of the source.
 * @returns the good runs, in order: one, or two if the first has finished a run that was killed.
 * @throws AppError as runSync, or check if the numbers of these records would not tie out.
 */
export async function syncOnce(parts: SyncParts, options: SyncOptions, signal: AbortSignal): Promise<SyncedRun[]> {
  const first = await bringRecords(parts, options, signal);
  // Pages of a killed run are from before it was killed: a run of what has changed since must follow.
  const isStale = first.isResumed && options.isDry !== true;
  const last = isStale ? await bringRecords(parts, { ...options, isFull: false }, signal) : first;
  const earlier = isStale ? [first] : [];
  if (options.tiesOut !== true) return [...earlier, last];
  const { reader, live } = parts;
  const found = await tieOut(reader, live.generations, live.store.now(), signal);
  const tied = { ...last, notes: [...last.notes, ...found.sentences], tieOut: found };
  await noteSuccess(parts, tied);
  return [...earlier, tied];
}

/** Brings the records, until the numbers show them. */
async function bringRecords(parts: SyncParts, options: SyncOptions, signal: AbortSignal): Promise<RunSummary> {
  const { live, database, file, memoryLimitMib } = parts;
  const folder = syncFolder(file);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw storageError(file, cause, 'sync');
  });
  const puller = openPuller(parts, folder, signal);
  try {
    const summary = await runSync({ file, database, store: live.store }, puller, {
      ...options,
      folder,
      memoryLimitMib,
    });
    if (options.isDry === true) return summary;
    await settle(live, file);
    await noteSuccess(parts, summary);
    return summary;
  } catch (error) {
    if (options.isDry !== true) await noteFailure(parts, error).catch(() => undefined);
    throw error;
  }
}

/** Waits until the numbers show the records of a run. @throws AppError storage when the disk is full. */
async function settle({ generations }: Live, file: string): Promise<void> {
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

/** Syncs at an interval until closed, the first time at once. A run that fails is followed by the next. */
export function syncRepeatedly(
  parts: SyncParts,
  options: SyncOptions & { readonly everySeconds: number },
  listener: SyncListener,
): { close(): Promise<void> } {
  const stopping = new AbortController();
  const run = () =>
    syncOnce(parts, options, stopping.signal).then(
      (synced) => synced.forEach(listener.synced),
      (error: unknown) => {
        if (!stopping.signal.aborted) listener.syncFailed(error);
      },
    );
  const first = run();
  const later = repeat(() => first.then(run), options.everySeconds * 1000);
  return {
    async close() {
      stopping.abort();
      await first;
      await later.close();
      await parts.reader.close();
    },
  };
}

function openPuller({ reader, onProgress }: SyncParts, folder: string, signal: AbortSignal): Puller {
  const run = join(folder, 'run');
  return {
    url: reader.url,
    pull: (state, isFull) => reader.pull({ folder: run, state, isFull }, signal, onProgress),
    confirmGone: (resource, ids) => reader.confirmGone(resource, ids, signal),
    finish: () => discardPulled(run),
  };
}

async function noteSuccess({ reader, live, file }: SyncParts, run: RunSummary): Promise<void> {
  const { syncedAt, dataVersion } = live.generations.current().company;
  const { finishedAt, result, message, notes } = run;
  await writeSyncStatus(file, {
    source: reader.url,
    synced_at: syncedAt,
    data_version: dataVersion,
    last_run: { finished_at: `${finishedAt.replace(' ', 'T')}Z`, result, message, notes },
  });
}

async function noteFailure({ reader, live, file }: SyncParts, error: unknown): Promise<void> {
  const before = readSyncStatus(file);
  await writeSyncStatus(file, {
    source: before?.source ?? reader.url,
    synced_at: before?.synced_at ?? null,
    data_version: before?.data_version ?? null,
    last_run: {
      finished_at: formatZonedTime(live.store.now()),
      result: 'failed',
      message: safeMessageOf(error),
      notes: [],
    },
  });
}
