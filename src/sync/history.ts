import { type Database, quoteText } from '../database/database.ts';
import type { PullState } from '../pull/pulled.ts';

/*
 * The tables of syncs: those of the schema `sync`, and service.sync_state, which only the next run needs and published
 * files lack. They are written in the same transaction as the records of the run.
 */

export type Result = 'ok' | 'failed';

/** A row of sync.runs. Times as YYYY-MM-DD HH:MM:SS in UTC. */
export interface Run {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly result: Result;
  readonly isFull: boolean;
  readonly read: number;
  readonly new: number;
  readonly changed: number;
  readonly gone: number;
  readonly setAside: number;
  readonly requests: number;
  readonly waitedMs: number;
  /** The error of a failed run. */
  readonly message: string | null;
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
export function saveRun(run: Run): string {
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
