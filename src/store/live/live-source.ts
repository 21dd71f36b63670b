import { dirname, resolve } from 'node:path';
import type { Config } from '../../base/config/index.ts';
import { type Database, formatTime } from '../../base/database/index.ts';
import { syncPath } from '../../base/index.ts';
import {
  buildRecordViews,
  closeToWrites,
  dropModels,
  dropTypes,
  openRefresher,
  openToWrites,
  prepareModels,
  type Refresher,
  type RefreshSteps,
  type Stage,
} from '../../numbers/model/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import { createDataset } from '../../records/ingest/index.ts';
import { journalFile } from '../generation/generation-files.ts';
import { digestDefinitions } from '../generation/model-definitions.ts';
import type { Build } from '../generation/publish.ts';
import { createSyncTables } from '../generation/sync-tables.ts';
import { type Journal, openJournal } from '../record/storage/journal.ts';
import { prepareService, settleRecords } from '../record/storage/tables.ts';
import type { PendingChanges } from './live-state.ts';
import { copyFrozen, freezeWorking, publishWorking } from './publish-working.ts';
import { isOutdated, refreshSteps } from './refresh-steps.ts';
import { openWorking, type Working } from './working-file.ts';

/** The data of a writable server, in its working file. */
export interface LiveSource {
  readonly database: Database;
  readonly file: string;
  /** Writes that are on disk but not yet in the database. */
  readonly journal: Journal;
  /** Version of the published files; undefined without published files. */
  readonly publishedVersion: string | undefined;
  /**
   * Updates everything derived from the records with all committed pending changes, in one transaction.
   * The result has a new data version; without a change, nothing is done. Concurrent calls are serialized.
   * @param signal Aborts the refresh.
   * @throws AppError check when the numbers would not tie out; any failure leaves them unchanged.
   */
  refresh(pending: PendingChanges, signal: AbortSignal): Promise<void>;
  /**
   * Changes records and refreshes the numbers with them, in one transaction. Requires that nobody writes.
   * @param inspect As RefreshSteps.
   */
  refreshWith(
    change: (session: Database) => Promise<void>,
    pending: PendingChanges,
    inspect: NonNullable<RefreshSteps['inspect']>,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Runs work in a transaction that is undone, beside the state before it. Requires that nobody writes.
   * @param copied As Refresher.preview.
   */
  preview<T>(
    work: (stage: PreviewStage) => Promise<T>,
    pending: PendingChanges,
    copied: readonly string[],
    signal: AbortSignal,
  ): Promise<T>;
  /** Returns whether a refresh would succeed after a change, and undoes both. Requires that nobody writes. */
  dryRun(change: (session: Database) => Promise<void>, pending: PendingChanges, signal: AbortSignal): Promise<boolean>;
  /** Freezes the file for a publication or a copy. Requires that nobody writes. */
  freeze(): Promise<void>;
  /** Publishes the frozen file and ends the freeze. */
  publish(): Promise<void>;
  /** Copies the frozen file to a path where nothing is, and ends the freeze. */
  copy(to: string): Promise<void>;
  /** Closes the data; further calls do nothing. */
  close(): Promise<void>;
}

/** A transaction that is undone, as Stage. */
export interface PreviewStage extends Pick<Stage, 'session' | 'catalog'> {
  /** Updates everything derived from the records with the changes so far. @param inspect As RefreshSteps. */
  refresh(inspect: NonNullable<RefreshSteps['inspect']>): Promise<void>;
}

/**
 * Opens the working file of a database for a writable server.
 * @throws AppError busy if another server owns it, storage if it can't be created or
 *   belongs to another database.
 * @param keepReplaced Keeps what a publication replaces.
 */
export async function openLiveSource(
  { database: name, memoryLimitMib }: Config,
  now: Date,
  keepReplaced?: Build<void>['keepReplaced'],
): Promise<LiveSource> {
  const file = resolve(name);
  // The working file, which computes reports, gets half of the memory; publishing gets a quarter.
  const [workingMib, publishMib] = [Math.floor(memoryLimitMib / 2), Math.floor(memoryLimitMib / 4)];
  const working = await openWorking(
    file,
    { memoryLimitMib: workingMib },
    {
      create: createDataset,
      definitions: digestDefinitions(),
      adopt: (copy) => adoptModels(copy, now),
      prepare: (opened) => prepareWorking(opened, now),
      now,
    },
  );
  return connectWorking(working, file, publishMib, keepReplaced);
}

/**
 * Connects working data with its journal, its refreshes and its publications.
 * @param publishMib The memory limit of a publication. Unit: MiB.
 */
export async function connectWorking(
  working: Working,
  file: string,
  publishMib: number,
  keepReplaced?: Build<void>['keepReplaced'],
): Promise<LiveSource> {
  const { database, baseVersion, publishedVersion, close } = working;
  let journal: Journal | undefined;
  const closeAll = async () => {
    await journal?.close();
    await close();
  };
  try {
    journal = await openJournal(database, journalFile(file));
    await syncPath(dirname(file));
    let opening: Promise<Refresher> | undefined;
    // Opened by the first change: reading the models takes longer than the rest of a sync without changes.
    const refresher = () => {
      opening ??= openRefresher(database, sqlDirectory).catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    };
    return {
      database,
      file,
      journal,
      publishedVersion,
      async refresh(pending, signal) {
        if (!(await isOutdated(database, pending))) return;
        await (await refresher()).refresh(refreshSteps(baseVersion, pending), signal);
      },
      refreshWith: async (change, pending, inspect, signal) =>
        (await refresher()).refresh({ ...refreshSteps(baseVersion, pending), inspect }, signal, change),
      preview: async (work, pending, copied, signal) =>
        (await refresher()).preview(
          (stage) =>
            work({
              ...stage,
              refresh: (inspect) => stage.refresh({ ...refreshSteps(baseVersion, pending), inspect }),
            }),
          copied,
          signal,
        ),
      dryRun: async (change, pending, signal) =>
        (await refresher()).dryRun(change, refreshSteps(baseVersion, pending), signal),
      freeze: () => freezeWorking(database),
      async publish() {
        // Imported only when used: the definitions of reports take long to read, and a run without changes publishes nothing.
        const { describeGeneration, fillWithoutRates } = await import('../generation/generation-contents.ts');
        await publishWorking(database, file, publishMib, {
          async generation(copy) {
            await closeToWrites(copy, sqlDirectory);
            await describeGeneration(copy);
          },
          withoutRates: fillWithoutRates,
          keepReplaced,
        });
      },
      copy: (to) => copyFrozen(database, file, to),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * Keeps the models of a generation built by this version: at company size M a rebuild takes five seconds.
 * @returns false if the service has changed records that the models depend on.
 */
export async function adoptModels(copy: Database, now: Date): Promise<boolean> {
  await prepareService(copy, formatTime(now));
  if (await settleRecords(copy)) return false;
  await openToWrites(copy, sqlDirectory);
  return true;
}

/** Rebuilds everything derived from the records with the models of this version. */
export async function prepareWorking(database: Database, now: Date): Promise<void> {
  await dropModels(database);
  await dropTypes(database);
  await createSyncTables(database);
  await prepareService(database, formatTime(now));
  await buildRecordViews(database, sqlDirectory);
  await settleRecords(database);
  // Changes not yet shown stay pending, so that the search for a failing record includes them.
  if (!(await prepareModels(database, sqlDirectory))) return;
  await database.run(
    'UPDATE service.state SET refreshed_change_id = (SELECT COALESCE(max(change_id), 0) FROM service.changes)',
  );
}
