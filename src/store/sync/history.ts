import { type Database, formatTime, formatZonedTime, quoteText } from '../../base/database/index.ts';
import { advisedMessageOf } from '../../base/index.ts';
import type { PullState } from '../../pull/index.ts';
import type { IngestSummary } from '../../records/ingest/index.ts';
import { readSyncStatus, writeSyncStatus } from '../generation/sync-status.ts';
import type { Live } from '../live/live.ts';
import type { TieOut } from '../tie-out/tie-out.ts';
import type { Puller } from './puller.ts';
import type { DifferenceCount } from './record-differences.ts';

/*
 * The history of runs. The tables of the schema `sync`, and service.sync_state, which only the next run needs and
 * published files lack, are written in the same transaction as the records of the run. The status file is for other
 * processes.
 */

/** A row of sync.runs. Times as YYYY-MM-DD HH:MM:SS in UTC. */
export interface SyncRun {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly result: 'ok' | 'failed';
  readonly isFull: boolean;
  readonly read: number;
  readonly new: number;
  readonly changed: number;
  readonly gone: number;
  readonly setAside: number;
  readonly requests: number;
  readonly waitedMs: number;
  readonly message: string | null;
  readonly differences: readonly DifferenceCount[];
  /** Records read by resource, in the order of reading. */
  readonly reads: readonly { readonly resource: string; readonly read: number }[];
  /** The validation of the records; undefined if there were none to validate. */
  readonly load: IngestSummary | undefined;
  readonly notes: readonly string[];
  /** True if it brought records that a killed run had read; the source may have changed since. */
  readonly isResumed: boolean;
  /** Undefined unless asked for. */
  readonly tieOut?: TieOut;
  /** Sentences about the changes of closed periods since their closings. */
  readonly closed?: readonly string[];
}

export function makeRun(startedAt: Date, isFull: boolean): SyncRun {
  const none = { read: 0, new: 0, changed: 0, gone: 0, setAside: 0, requests: 0, waitedMs: 0 };
  const empty = { differences: [], reads: [], load: undefined, notes: [], isResumed: false };
  const at = formatTime(startedAt);
  return { ...none, ...empty, startedAt: at, finishedAt: at, result: 'ok', isFull, message: null };
}

/** Creates the table that keeps the state of the last good run. */
export async function createState(session: Database): Promise<void> {
  await session.run('CREATE TABLE IF NOT EXISTS service.sync_state (url VARCHAR NOT NULL, state VARCHAR NOT NULL)');
}

/** Reads the state of the last good run from a source; undefined if there was none. */
export async function readState(session: Database, url: string): Promise<PullState | undefined> {
  const [row] = await session.rows<{ state: string }>(
    `SELECT state FROM service.sync_state WHERE url = ${quoteText(url)}`,
  );
  return row && (JSON.parse(row.state) as PullState);
}

/**
 * Builds SQL that notes a good run: its state, and that the records equal the source's.
 * @param syncedAt The source's clock when the run began, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export function saveState(url: string, state: PullState, syncedAt: string): string[] {
  return [
    'DELETE FROM service.sync_state',
    `INSERT INTO service.sync_state VALUES (${quoteText(url)}, ${quoteText(JSON.stringify(state))})`,
    'DELETE FROM sync.source',
    `INSERT INTO sync.source VALUES (${quoteText(url)}, TIMESTAMP ${quoteText(syncedAt)})`,
  ];
}

/** Builds SQL that adds a run to sync.runs. */
export function saveRun(run: SyncRun): string {
  const values = [
    '(SELECT COALESCE(max(run_id), 0) + 1 FROM sync.runs)',
    `TIMESTAMP ${quoteText(run.startedAt)}`,
    `TIMESTAMP ${quoteText(run.finishedAt)}`,
    quoteText(run.result),
    String(run.isFull),
    run.read,
    run.new,
    run.changed,
    run.gone,
    run.setAside,
    run.requests,
    `${Math.round(run.waitedMs)} / 1000`,
    run.message === null ? 'NULL' : quoteText(run.message),
  ];
  return `INSERT INTO sync.runs SELECT ${values.join(', ')}`;
}

/**
 * Builds SQL that adds the records which differ to sync.changes, under the last run.
 * @param at The moment of the run, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export function saveChanges(at: string): string {
  return `INSERT INTO sync.changes
    SELECT (SELECT max(run_id) FROM sync.runs), resource, record_id, what, TIMESTAMP ${quoteText(at)}
    FROM pulled.source.difference ORDER BY resource, record_id`;
}

/** A run's source, and the data that it filled. */
interface RunPlace {
  readonly puller: Pick<Puller, 'url'>;
  readonly live: Pick<Live, 'store' | 'generations'>;
  readonly file: string;
}

/** Writes a good run to the status file. */
export async function noteSuccess({ puller, live, file }: RunPlace, run: SyncRun): Promise<void> {
  const { syncedAt, dataVersion } = live.generations.current().company;
  const { finishedAt, result, message, notes } = run;
  await writeSyncStatus(file, {
    source: puller.url,
    synced_at: syncedAt,
    data_version: dataVersion,
    last_run: { finished_at: `${finishedAt.replace(' ', 'T')}Z`, result, message, notes },
  });
}

/** Writes a failed run to the status file, beside what was known of the last good one. */
export async function noteFailure({ puller, live, file }: RunPlace, error: unknown): Promise<void> {
  const before = readSyncStatus(file);
  const finishedAt = formatZonedTime(live.store.now());
  await writeSyncStatus(file, {
    source: before?.source ?? puller.url,
    synced_at: before?.synced_at ?? null,
    data_version: before?.data_version ?? null,
    last_run: { finished_at: finishedAt, result: 'failed', message: advisedMessageOf(error), notes: [] },
  });
}
