import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../base/config/index.ts';
import { AppError, removeOnSignal } from '../../base/index.ts';
import { journalFile, removeDatabase, workingFile } from '../generation/generation-files.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { readSyncStatus } from '../generation/sync-status.ts';
import { readHardClosed } from '../history/closing/hard-closed.ts';
import { readWholeLog } from '../history/kept-states.ts';
import { type Live, openLive } from '../live/live.ts';
import { LIVE_LIMITS, type LiveLimits } from '../live/live-limits.ts';
import { openLiveSource } from '../live/live-source.ts';
import { RATES } from './rates-writer.ts';
import { type RateAction, writeSeenRate } from './write-seen-rate.ts';

/** The limits of a command, for which nobody waits. */
const ALONE_LIMITS: LiveLimits = {
  ...LIVE_LIMITS,
  trialMs: LIVE_LIMITS.refreshTimeoutMs,
  previewMs: LIVE_LIMITS.refreshTimeoutMs,
  refreshTurnMs: LIVE_LIMITS.refreshTimeoutMs,
};

export interface RateRequest {
  readonly entryId: number;
  readonly action: RateAction;
  /** Changes nothing. */
  readonly isDry: boolean;
  readonly now: () => Date;
  readonly warn: (message: string) => void;
}

/**
 * Makes a rate seen the one without a day, or takes it out, and publishes the numbers with it.
 * @returns sentences about what it moves.
 * @throws AppError busy if a server or sync owns the data, input for a rate that isn't there or is so already, and if it would move days that
 *   are closed hard.
 */
export async function changeSeenRate(
  config: Config,
  { entryId, action, isDry, now, warn }: RateRequest,
): Promise<readonly string[]> {
  const file = resolve(config.database);
  const loadedAt = await readLoadedAt(config);
  await readWholeLog(file);
  const work = workingFile(file);
  const isLoaded = !existsSync(work);
  // Loaded data stays data of its load, and a working file would keep it from being loaded again.
  const source = await openLiveSource(config, now());
  const discarded = isLoaded ? [work, `${work}.lock`, journalFile(file)] : [];
  for (const path of discarded) removeOnSignal(path);
  let fault: string | undefined;
  try {
    const live = await openLive(source, {
      limits: ALONE_LIMITS,
      publishEveryMs: 0,
      isSynced: isLoaded || readSyncStatus(file) !== undefined,
      now: isLoaded ? () => loadedAt : now,
      listener: {
        refreshed: () => undefined,
        refreshFailed: (message) => warn(`The numbers can't be brought up to date: ${message}`),
        published() {
          fault = undefined;
        },
        publishFailed(message) {
          fault = message;
        },
        dayFailed: warn,
      },
    });
    let told: readonly string[];
    try {
      live.guard(await readHardClosed(file));
      told = await tryAndWrite(live, { entryId, action, isDry });
    } finally {
      await live.close();
    }
    if (fault !== undefined && !isDry) throw unpublishedError(fault, isLoaded);
    return told;
  } finally {
    for (const path of discarded) await removeDatabase(path);
  }
}

function unpublishedError(fault: string, isLoaded: boolean): AppError {
  return new AppError('storage', `The numbers with the change can't be published. ${fault}`, {
    hint: isLoaded
      ? 'Nothing was changed. Once that is mended, run the command again.'
      : 'The change is kept beside the published files: what owns the data publishes it, once that is mended.',
  });
}

/** Tells what a change moves, by a trial, and writes it. */
async function tryAndWrite(
  live: Live,
  { entryId, action, isDry }: Pick<RateRequest, 'entryId' | 'action' | 'isDry'>,
): Promise<readonly string[]> {
  const told: string[] = [];
  const work: Parameters<typeof live.store.write<void>>[1] = async (transaction) => {
    told.splice(0, told.length, ...(await writeSeenRate(transaction, entryId, action)));
  };
  const previewed = { writer: RATES, changes: [], work, relations: [], signal: new AbortController().signal };
  const moved = await live
    .preview(previewed, async ({ notes }) => notes)
    .catch((error: unknown) => {
      throw nameEntry(error, entryId);
    });
  if (!isDry) {
    await live.store.write(RATES, work);
    await live.generations.settle();
  }
  return [...told, ...moved];
}

/** Begins the refusal of a hard closing, which alone has a field, with the entry. */
function nameEntry(error: unknown, entryId: number): unknown {
  if (!(error instanceof AppError) || error.fields.length === 0) return error;
  return new AppError(error.code, `Entry ${entryId} ${error.message}`, { cause: error });
}

/** Reads the moment of the load, or of the last change. @throws AppError storage without a loaded database. */
async function readLoadedAt({ database: file, memoryLimitMib }: Config): Promise<Date> {
  const database = await openGeneration(file, { memoryLimitMib });
  try {
    const [row] = await database.rows<{ ms: number }>('SELECT epoch_ms(loaded_at) AS ms FROM source.generation');
    if (row) return new Date(row.ms);
  } finally {
    await database.close();
  }
  throw new AppError('storage', `${file} doesn't say when it was loaded`, {
    hint: 'Load the dataset again with this version: plumbline load DIR.',
  });
}
