import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { formatZonedTime } from '../../base/database/index.ts';
import { AppError, replaceFile } from '../../base/index.ts';
import { syncStatusFile } from './generation-files.ts';

/**
 * The last runs of a sync, in a file beside the database: other processes can't read the working file, and a run that
 * finds nothing publishes nothing. Times as YYYY-MM-DDTHH:MM:SSZ.
 */
export interface SyncStatus {
  readonly source: string;
  /** When the records were last known to equal the source's; null before the first good run. */
  readonly synced_at: string | null;
  /** The data version of these records; null before the first good run. */
  readonly data_version: string | null;
  readonly last_run: {
    readonly finished_at: string;
    readonly result: 'ok' | 'failed';
    readonly message: string | null;
    /** Things to know of the source, as sentences. */
    readonly notes: readonly string[];
  };
}

/** Reads the status of a database's sync; undefined if there is none. */
export function readSyncStatus(database: string): SyncStatus | undefined {
  try {
    return JSON.parse(readFileSync(syncStatusFile(database), 'utf8')) as SyncStatus;
  } catch {
    return undefined;
  }
}

export async function writeSyncStatus(database: string, status: SyncStatus): Promise<void> {
  const file = syncStatusFile(database);
  await replaceFile(file, (next) => writeFile(next, `${JSON.stringify(status, null, 2)}\n`), `${file}.next`);
}

export interface PublishedRecords {
  readonly dataVersion: string;
  /** When they equaled the source's, as they were published; null if they come from no source. */
  readonly syncedAt: string | null;
}

/**
 * Returns when published records were last known to equal the source's, as YYYY-MM-DDTHH:MM:SSZ; null if never.
 * A run that finds nothing publishes nothing, so its time is only in the status. While records can't be published, the status
 * is of others.
 */
export function syncedAtOf(published: PublishedRecords, status: SyncStatus | undefined): string | null {
  return status?.data_version === published.dataVersion ? status.synced_at : published.syncedAt;
}

/** The time from which the age of records counts. */
export interface Freshness {
  /** As YYYY-MM-DDTHH:MM:SSZ; null if records that a sync should bring were never there. */
  readonly at: string | null;
  readonly by: 'sync' | 'load';
}

/** Returns the time of the last good sync of published records, or of their load if no sync has ever run. */
export function freshnessOf(
  published: PublishedRecords & { readonly loadedAt: string },
  status: SyncStatus | undefined,
): Freshness {
  const at = syncedAtOf(published, status);
  return at === null && status === undefined ? { at: published.loadedAt, by: 'load' } : { at, by: 'sync' };
}

/** The largest difference of clocks by which records may come from the future. Unit: ms. */
const MAX_CLOCK_ERROR_MS = 5 * 60 * 1000;

/**
 * Checks the age of records.
 * @throws AppError storage if they are older, from the future, or were never there.
 */
export function assertFresh({ at, by }: Freshness, maxAgeSeconds: number, now: Date): void {
  if (at === null) {
    throw new AppError('storage', 'The records have never been synced', {
      hint: 'Run plumbline sync, or leave --max-age out.',
    });
  }
  if (Date.parse(at) - now.getTime() > MAX_CLOCK_ERROR_MS) {
    throw new AppError(
      'storage',
      `The records were last ${by === 'sync' ? 'synced' : 'loaded'} at ${at}, which this machine's clock has not reached`,
      {
        hint: `It shows ${formatZonedTime(now)}, so their age is unknown: set the clock, then sync or load again.`,
      },
    );
  }
  const ageSeconds = ageOf(at, now) ?? 0;
  if (ageSeconds <= maxAgeSeconds) return;
  const minutes = Math.floor(ageSeconds / 60);
  const [done, hint] =
    by === 'sync'
      ? ['synced', 'plumbline status tells why the last sync failed.']
      : ['loaded', 'Load the dataset again: plumbline load DIR.'];
  throw new AppError('storage', `The records are ${minutes} minutes old: they were last ${done} at ${at}`, { hint });
}

/** Returns the age of records in seconds; undefined if they were never synced. */
export function ageOf(syncedAt: string | null, now: Date): number | undefined {
  return syncedAt === null ? undefined : Math.max(0, (now.getTime() - Date.parse(syncedAt)) / 1000);
}
