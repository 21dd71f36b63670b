import type { Database } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { readGeneration } from '../generation/generation-pool.ts';
import { findRefusedLines } from './closed-days.ts';
import type { DatedWay } from './dated-ways.ts';
import { type LiveContext, schedulePublication } from './live-context.ts';
import { showRefresh } from './live-state.ts';
import { refreshError } from './refresh-errors.ts';

/**
 * Runs a write and its refresh in one transaction, and judges what they change in closed days. Call only in a turn.
 * @param wayOf Called after the change: returns the way to write its records from a day on, if there is one.
 * @throws AppError input for a refused write, limit for one whose effect isn't known in time; or that of the refresh.
 */
export async function tryOut(
  { source, state, limits, closed }: LiveContext,
  change: (session: Database) => Promise<void>,
  wayOf: () => DatedWay | undefined,
): Promise<void> {
  const signal = AbortSignal.timeout(limits.trialMs);
  const inspect = async (session: Database, isRebuilt: boolean) => {
    const refusal = await findRefusedLines(closed, session, isRebuilt, wayOf());
    if (refusal) throw refusal;
  };
  try {
    await source.refreshWith(change, state.pending, inspect, signal);
  } catch (cause) {
    if (!signal.aborted) throw refreshError(cause);
    const names = [...new Set(closed.map(({ closing }) => closing))].join(', ');
    throw new AppError('limit', `The effect on ${names}, closed hard, is not known within ${limits.trialMs / 1000} s`, {
      hint: `Reopen ${names} for this change.`,
    });
  }
}

/** Shows what a trial has committed. Call only in its turn. */
export async function showTrial(live: LiveContext): Promise<void> {
  try {
    live.current = await readGeneration(live.source.database);
    // The trial has refreshed the numbers with all that was written before, too.
    showRefresh(live.state, live.state.written);
  } catch {
    // The write is done; the next refresh shows it.
    return;
  }
  schedulePublication(live);
}
