import { isDiskFull, type SerialQueue } from '../../base/database/index.ts';
import { fullMessageOf } from '../../base/index.ts';
import { readGeneration } from '../generation/generation-pool.ts';
import { findCause } from './cause.ts';
import { type LiveContext, schedulePublication } from './live-context.ts';
import { beginRefresh, explainFault, failRefresh, isFresh, leaveRefresh, showRefresh } from './live-state.ts';
import { lateError, nameCause, refreshError } from './refresh-errors.ts';

/** Thrown when a refresh exceeds the time limit of a turn. */
const TURN_IS_OVER = new Error('The refresh continues beside the turns');

/**
 * Runs work in a turn, just after a refresh.
 * A refresh longer than a turn continues beside the queue, and is waited for there.
 * @param isWanted Called when the turn begins; false skips the work.
 */
export async function whenFresh(
  live: LiveContext,
  work: () => Promise<void>,
  isWanted: () => boolean = () => true,
): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = await live
      .queue(async () => {
        if (!isWanted()) return true;
        await bringUp(live, true);
        await work();
        return true;
      })
      .catch((error: unknown) => {
        if (error !== TURN_IS_OVER || live.stopping.signal.aborted) throw error;
        return false;
      });
    if (!isDone) await waitBeside(live);
  }
}

/** Runs a scheduled refresh: beside the queue, with a search for the cause if it fails. */
export async function refreshBeside(live: LiveContext): Promise<void> {
  if (live.state.refreshing < live.state.written) await bringUpBeside(live).catch(() => undefined);
  await explain(live);
}

/** Refreshes the numbers beside the queue; callers share a refresh in progress. */
export function bringUpBeside(live: LiveContext): Promise<void> {
  live.beside ??= bringUp(live, false).finally(() => {
    live.beside = undefined;
  });
  return live.beside;
}

/** Waits for a refresh beside the queue; after a failure, for one turn's time at most. */
async function waitBeside(live: LiveContext): Promise<void> {
  const before = live.state.fault;
  if (!before) return bringUpBeside(live);
  await untilAborted(bringUpBeside(live), AbortSignal.timeout(live.limits.refreshTurnMs)).catch(() => {
    throw live.state.fault?.error ?? before.error;
  });
}

/**
 * Refreshes the numbers with all writes on disk.
 * @param isInTurn True inside a turn, where all writes wait. Otherwise steps that exclude writes take turns.
 * @throws AppError the fault, or TURN_IS_OVER in a turn.
 */
async function bringUp(live: LiveContext, isInTurn: boolean): Promise<void> {
  const { state, source, limits } = live;
  if (isFresh(state)) return;
  const startedAt = performance.now();
  const { fault } = state;
  if (fault?.written === state.written && startedAt < fault.retryAtMs) {
    live.refresh.schedule(fault.retryAtMs - startedAt);
    throw fault.error;
  }
  if (isInTurn && live.isLong) throw TURN_IS_OVER;
  const seen = beginRefresh(state);
  const timeoutMs = isInTurn ? limits.refreshTurnMs : limits.refreshTimeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const overtaken = state.overtaken.signal;
  const signal = AbortSignal.any([timeout, overtaken, live.stopping.signal]);
  const queue: SerialQueue = isInTurn ? (work) => work() : live.queue;
  try {
    await queue(source.journal.apply);
    await untilAborted(source.refresh(state.pending, signal), signal);
    await queue(async () => {
      live.current = await readGeneration(source.database);
      showRefresh(state, seen);
    });
  } catch (cause) {
    leaveRefresh(state);
    if (overtaken.aborted && state.fault) throw state.fault.error;
    live.isLong ||= timeout.aborted;
    if (timeout.aborted && isInTurn) throw TURN_IS_OVER;
    const error = timeout.aborted ? lateError(timeoutMs) : refreshError(cause);
    const retryAtMs = startedAt + limits.refreshRetryMs;
    const failed = failRefresh(state, { error, written: seen, retryAtMs, isExplained: isDiskFull(cause) });
    live.listener.refreshFailed(fullMessageOf(error));
    live.refresh.schedule(0);
    throw failed.error;
  }
  live.isLong = false;
  live.listener.refreshed((performance.now() - startedAt) / 1000);
  schedulePublication(live);
}

/** Searches for the record that makes refreshes fail, and names it in their error. */
async function explain(live: LiveContext): Promise<void> {
  const { state, source, stopping, queue, limits } = live;
  const { fault } = state;
  if (!fault || isFresh(state) || fault.isExplained || stopping.signal.aborted) return;
  const isWanted = () => state.fault === fault && state.written === fault.written && !stopping.signal.aborted;
  const changes = await state.pending.read(source.database).catch(() => []);
  const record = await findCause(
    changes,
    (change) => queue(() => source.dryRun(change, state.pending, AbortSignal.timeout(limits.dryRunMs))),
    isWanted,
  ).catch(() => undefined);
  if (state.fault !== fault) return;
  const error = nameCause(fault.error, record);
  explainFault(state, fault, error, record !== undefined);
  if (record) live.listener.refreshFailed(fullMessageOf(error));
}

/** Waits for work until a signal, even if the work has not begun. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
