import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Database, openDatabase } from '../../base/database/index.ts';
import { copyPrivately, removeOnSignal } from '../../base/index.ts';
import { storageError } from '../generation/generation-files.ts';
import { readGeneration } from '../generation/generation-pool.ts';
import type { Generation } from '../generation/generations.ts';
import { digestDefinitions, readDefinitions } from '../generation/model-definitions.ts';
import { openGeneration, readDataVersion } from '../generation/open-generation.ts';
import type { ClosedDays } from './closed-days.ts';
import { adoptModels, connectWorking, prepareWorking } from './live-source.ts';
import { makeState } from './live-state.ts';
import { type PreviewedChanges, type PreviewedStates, previewChanges } from './preview-changes.ts';
import { openStore } from './store.ts';

export interface PreviewCopyOptions {
  readonly memoryLimitMib: number;
  readonly now: () => Date;
  /** Days whose actual and expense lines no change may touch. */
  readonly closed: readonly ClosedDays[];
  /** As StoreOptions. */
  readonly isSynced: boolean;
}

/**
 * Previews changes on a copy of a published database, in the folder for temporary files.
 * @throws AppError as previewChanges, and storage if there is no published database or no room for a copy.
 */
export async function previewOnCopy<T>(
  file: string,
  options: PreviewCopyOptions,
  previewed: PreviewedChanges,
  read: (states: PreviewedStates) => Promise<T>,
): Promise<T> {
  const { memoryLimitMib } = options;
  // Refuses what no server would read, either.
  await (await openGeneration(file, { memoryLimitMib })).close();
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-preview-'));
  removeOnSignal(folder);
  const copy = join(folder, basename(file));
  try {
    await copyPrivately(resolve(file), copy);
    const database = await openDatabase(copy, { memoryLimitMib });
    try {
      // Read from the copy: a load may have published another generation meanwhile.
      const generation = await readGeneration(database);
      return await previewIn({ database, copy, generation }, options, previewed, read);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw storageError(copy, error, 'preview');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function previewIn<T>(
  { database, copy, generation }: { database: Database; copy: string; generation: Generation },
  { now, closed, isSynced }: PreviewCopyOptions,
  previewed: PreviewedChanges,
  read: (states: PreviewedStates) => Promise<T>,
): Promise<T> {
  const isBuilt = (await readDefinitions(database))?.digest === digestDefinitions();
  if (!isBuilt || !(await adoptModels(database, now()))) await prepareWorking(database, now());
  const baseVersion = await readDataVersion(database);
  const working = { database, baseVersion, publishedVersion: undefined, close: async () => undefined };
  const source = await connectWorking(working, copy, 0);
  const state = makeState();
  const store = await openStore(database, { now, journal: source.journal, state, isSynced });
  try {
    // The changes of a new day, as on a server.
    await source.refresh(state.pending, previewed.signal);
    const data = { source, records: { undone: store.undone }, generation, pending: state.pending, closed };
    return await previewChanges(data, previewed, read);
  } finally {
    await store.close();
    await source.close();
  }
}
