import { resolve } from 'node:path';
import { quoteText } from '../../base/database/index.ts';
import type { OnProgress, SourceReader } from '../../pull/index.ts';
import { repeat } from '../generation/watch.ts';
import type { Live } from '../live/live.ts';
import { tieOut } from '../tie-out/tie-out.ts';
import { describeHeld } from './held-people.ts';
import { noteSuccess, type SyncRun } from './history.ts';
import { makePuller } from './puller.ts';
import { type RunOptions, type RunParts, runSync } from './sync-run.ts';

/** The source of a sync, and the data that it fills. */
export interface SyncParts extends Omit<RunParts, 'puller'> {
  readonly reader: SourceReader;
  readonly live: Live;
  readonly onProgress?: OnProgress;
}

export interface SyncOptions extends RunOptions {
  /** Compares scheduled hours with the source's own reports after the run. */
  readonly tiesOut?: boolean;
}

export interface SyncListener {
  synced(run: SyncRun): void;
  syncFailed(error: unknown): void;
}

/**
 * Brings the records of a source into live data, until the numbers show them.
 * @param signal Ends the reading of the source.
 * @returns the good runs, in order: one, or two if the first has finished a run that was killed.
 * @throws AppError as runSync.
 */
export async function syncOnce(parts: SyncParts, options: SyncOptions, signal: AbortSignal): Promise<SyncRun[]> {
  const { reader, live, file, onProgress } = parts;
  const runParts = { ...parts, puller: makePuller(reader, file, signal, onProgress) };
  const runs = [await runSync(runParts, options)];
  // Pages of a killed run are from before it was killed: a run of what has changed since must follow.
  if (runs[0]?.isResumed && options.isDry !== true) runs.push(await runSync(runParts, { ...options, isFull: false }));
  const last = runs.at(-1);
  if (!last) return runs;
  const isDry = options.isDry === true;
  const closed = isDry ? [] : await describeClosed(parts, runs);
  const held = isDry ? [] : await describeDeleted(parts, runs);
  const found = options.tiesOut === true ? await tieOut(reader, live.generations, live.store.now(), signal) : undefined;
  const notes = [...held, ...(found?.sentences ?? [])];
  const told = { ...last, notes: [...last.notes, ...notes], ...(found && { tieOut: found }), closed };
  if (notes.length > 0) await noteSuccess(runParts, told);
  return [...runs.slice(0, -1), told];
}

/** Tells what runs have brought into closed periods; nothing if they have changed nothing. */
async function describeClosed({ database, file, live }: SyncParts, runs: readonly SyncRun[]): Promise<string[]> {
  if (runs.every((run) => run.new + run.changed + run.gone === 0)) return [];
  // Imported only when used: reports are a third of the program, and a run without changes needs none.
  const { describeChangedClosings } = await import('../history/closing/changed-closings.ts');
  const session = await database.session();
  return describeChangedClosings(resolve(file), session, live.store.now()).finally(() => session.close());
}

/** Tells which kept states still hold people whom the source no longer has (K9). */
async function describeDeleted({ database, file }: SyncParts, runs: readonly SyncRun[]): Promise<string[]> {
  const deleted = runs.filter(({ gone }) => gone > 0).map(({ startedAt }) => `TIMESTAMP ${quoteText(startedAt)}`);
  if (deleted.length === 0) return [];
  const session = await database.session();
  try {
    const people = await session.rows<{ id: string }>(`SELECT record_id AS id FROM sync.changes
      WHERE resource = 'people' AND what = 'gone' AND learned_at IN (${deleted.join(', ')})`);
    if (people.length === 0) return [];
    return await describeHeld(
      resolve(file),
      session,
      people.map(({ id }) => id),
    );
  } finally {
    await session.close();
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
