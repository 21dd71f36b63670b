import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { createSerialQueue, type SerialQueue } from '../database/serial-queue.ts';
import { AppError, diskError, fullMessageOf, isDiskFull, messageOf, publicMessageOf } from '../error.ts';
import { makeAlarm } from '../live/watch.ts';
import type { RecordName } from '../record/storage/cause.ts';
import type { Journal } from '../record/storage/journal.ts';
import { type Generations, readGeneration } from './generations.ts';
import type { Limits } from './protocol/limits.ts';
import { openPublisher } from './publisher.ts';
import { openSnapshots } from './snapshots.ts';

/** The data of a server that takes changes, as it lies in the working file. */
export interface LiveSource {
  readonly database: Database;
  /** Of the writes that are on disk and not in the database yet. */
  readonly journal: Journal;
  /** The version that the published files hold; undefined when there are none. */
  readonly publishedVersion: string | undefined;
  /**
   * Brings what is derived from the records up to date with all changes that are committed by now, in one transaction, under a data version of
   * its own. Calls wait for each other.
   * @param signal Ends it.
   * @throws AppError check when the numbers would not tie out; whatever fails, they are as they were.
   */
  refresh(signal: AbortSignal): Promise<void>;
  /**
   * Finds the record that makes a refresh fail, if it is one of those that no refresh has shown yet.
   * @param rehearsalMs How long each try may take.
   * @param inTurn Runs each try when nobody writes.
   * @param isWanted Whether it is still to be found.
   */
  findCause(rehearsalMs: number, inTurn: SerialQueue, isWanted: () => boolean): Promise<RecordName | undefined>;
  /** Publishes the data. @param freeze Runs what must run while nobody writes. */
  publish(freeze: (moment: () => Promise<void>) => Promise<void>): Promise<void>;
  /** Closed again, it stays closed. */
  close(): Promise<void>;
}

/** What is told of what happens to live data. */
export interface LiveWitness {
  refreshed(seconds: number): void;
  refreshFailed(message: string): void;
  published(dataVersion: string, seconds: number): void;
  publishFailed(message: string): void;
}

/** How live data is served. */
export interface LiveOptions {
  readonly limits: Limits;
  /** The least time between two publications. Unit: ms. */
  readonly publishEveryMs: number;
  readonly witness: LiveWitness;
}

/** Data that changes while it is read. */
export interface Live {
  /** What reports read: the last change that was answered is in it. */
  readonly generations: Generations;
  /** The working database, to read records from. Whoever writes does it in turn. */
  readonly database: Database;
  /**
   * Runs a work alone. Every write is one: a transaction of a session of its own. So is the moment of a report, just after a refresh: its
   * records and its numbers are those of all writes before it.
   */
  readonly inTurn: SerialQueue;
  /** Is told, in the same turn, of a write that is on disk. Reports that are asked for from now on have it. */
  noteChange(): void;
  /** Writes whose effect is not in the numbers yet. */
  countPending(): number;
  /** Why the numbers can't be brought up to date, as everybody may read it; undefined when they can. */
  findFault(): string | undefined;
  /** Brings the numbers up to date, publishes them, and closes the data. */
  close(): Promise<void>;
}

/** Why a refresh failed, how much was written then, and when it is worth trying again without another write. */
interface Fault {
  readonly error: AppError;
  readonly written: number;
  readonly retryAtMs: number;
  /** Whether the record that is the cause has been looked for, or needn't be. */
  readonly isExplained: boolean;
  /** Whether the cause is known: then a refresh that is under way comes to nothing, and is begun anew when something is written. */
  readonly isNamed: boolean;
}

/** How a refresh is run: in a turn, where it keeps everybody waiting, or beside the turns. */
interface Way {
  readonly inOwnTurn: SerialQueue;
  readonly timeoutMs: number;
}

/**
 * Serves live data. A refresh runs when a report is asked for that a write has changed, and then nobody writes, for so long as a turn may take; else
 * soon after the write, beside other writes, which are for the next one. One that fails, or doesn't come to its end in time, leaves the numbers as they
 * were, and reports are then refused with its error rather than answered with numbers that miss what was written. Records are read and written
 * meanwhile; the one that is the cause is looked for, and named.
 */
export async function openLive(source: LiveSource, { limits, publishEveryMs, witness }: LiveOptions): Promise<Live> {
  const { database, journal } = source;
  const inTurn = createSerialQueue();
  let current = await readGeneration(database);
  // What a crash has left unrefreshed is found by the first refresh.
  let [written, shown] = [1, 0];
  // Of the writes, those that a refresh which is under way will show.
  let begun = 0;
  let fault: Fault | undefined;
  // The refresh that goes on beside the turns, and whether it takes longer than a turn may.
  let aside: Promise<void> | undefined;
  let isLong = false;
  const stopping = new AbortController();
  let overtaken = new AbortController();
  const direct: Way = { inOwnTurn: (work) => work(), timeoutMs: limits.refreshTurnMs };
  const besides: Way = { inOwnTurn: inTurn, timeoutMs: limits.refreshTimeoutMs };
  // Whoever asks outside a turn gives the turns, for what is served mustn't change in the middle of one.
  const bringUp = async (way: Way): Promise<void> => {
    if (shown === written) return;
    const startedAt = performance.now();
    if (fault?.written === written && startedAt < fault.retryAtMs) {
      // An alarm that was set before the fault may have come instead of the one that was set for it.
      refreshing.ring(fault.retryAtMs - startedAt);
      throw fault.error;
    }
    if (way === direct && isLong) throw TURN_IS_OVER;
    const seen = written;
    begun = seen;
    const timeout = AbortSignal.timeout(way.timeoutMs);
    const { signal: isOvertaken } = overtaken;
    const signal = AbortSignal.any([timeout, isOvertaken, stopping.signal]);
    try {
      await way.inOwnTurn(journal.apply);
      await untilAborted(source.refresh(signal), signal);
      await way.inOwnTurn(async () => {
        current = await readGeneration(database);
        shown = Math.max(shown, seen);
      });
    } catch (cause) {
      begun = shown;
      if (isOvertaken.aborted && fault) throw fault.error;
      isLong ||= timeout.aborted;
      if (timeout.aborted && way === direct) throw TURN_IS_OVER;
      const error = timeout.aborted ? lateError(way.timeoutMs) : refreshError(cause);
      const isSame = fault?.written === seen && fault.isExplained;
      fault = {
        error: isSame && fault ? fault.error : error,
        written: seen,
        retryAtMs: startedAt + limits.refreshRetryMs,
        isExplained: isSame || isDiskFull(cause),
        isNamed: isSame && fault?.isNamed === true,
      };
      witness.refreshFailed(fullMessageOf(error));
      refreshing.ring(0);
      throw fault.error;
    }
    isLong = false;
    fault = undefined;
    witness.refreshed((performance.now() - startedAt) / 1000);
    publisher.note(current.company.dataVersion);
  };
  const bringUpAside = () => {
    aside ??= bringUp(besides).finally(() => {
      aside = undefined;
    });
    return aside;
  };
  // Whoever asks when the last one has failed is not kept waiting for long.
  const waitAside = async () => {
    const before = fault;
    if (!before) return bringUpAside();
    await untilAborted(bringUpAside(), AbortSignal.timeout(limits.refreshTurnMs)).catch(() => {
      throw fault?.error ?? before.error;
    });
  };
  const explain = async () => {
    if (!fault || shown === written || fault.isExplained || stopping.signal.aborted) return;
    const failed = fault;
    const isWanted = () => fault === failed && written === failed.written && !stopping.signal.aborted;
    const record = await source.findCause(limits.rehearsalMs, inTurn, isWanted).catch(() => undefined);
    if (fault !== failed) return;
    fault = { ...failed, error: nameCause(failed.error, record), isExplained: true, isNamed: record !== undefined };
    if (record) witness.refreshFailed(fault.error.message);
  };
  const refreshing = makeAlarm(async () => {
    if (begun < written) await bringUpAside().catch(() => undefined);
    await explain();
  });
  // One that takes longer than a turn may goes on beside the turns, and is waited for there.
  const whenFresh = async (work: () => Promise<void>, isWanted: () => boolean = () => true): Promise<void> => {
    for (let isDone = false; !isDone; ) {
      isDone = await inTurn(async () => {
        if (!isWanted()) return true;
        await bringUp(direct);
        await work();
        return true;
      }).catch((error: unknown) => {
        if (error !== TURN_IS_OVER || stopping.signal.aborted) throw error;
        return false;
      });
      if (!isDone) await waitAside();
    }
  };
  const publisher = openPublisher(source, publishEveryMs, witness, whenFresh);
  const snapshots = openSnapshots(
    database,
    () => current,
    limits.snapshotsAtOnce,
    (isWanted, open) => whenFresh(open, isWanted),
  );
  const begin = async () => {
    await bringUpAside().catch(() => undefined);
    await publisher.begin(current.company.dataVersion);
  };
  // A server starts whether or not its numbers can be brought up to date.
  await Promise.race([begin(), sleep(limits.refreshTurnMs, undefined, { ref: false })]);
  isLong = aside !== undefined;
  return {
    database,
    generations: {
      settle: () => (shown === written ? undefined : whenFresh(async () => undefined)),
      current: () => current,
      latest: () => (shown === written ? current : undefined),
      lend: snapshots.lend,
    },
    inTurn,
    noteChange() {
      written += 1;
      if (fault?.isNamed) {
        overtaken.abort();
        overtaken = new AbortController();
      }
      refreshing.ring(limits.refreshDelayMs);
    },
    countPending: () => written - shown,
    findFault: () => (fault && shown < written ? publicMessageOf(fault.error) : undefined),
    async close() {
      if (isLong || fault) stopping.abort();
      await refreshing.close();
      await whenFresh(async () => undefined).catch(() => undefined);
      await publisher.close();
      await source.close();
    },
  };
}

/** What says that a refresh takes longer than a turn may. */
const TURN_IS_OVER = new Error('The refresh goes on beside the turns');

/** Waits for a work until a signal, also while it has not begun. */
function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

const CANNOT = "The numbers can't be brought up to date";

function lateError(timeoutMs: number): AppError {
  return new AppError('storage', `${CANNOT} within ${timeoutMs / 1000} s`);
}

/** The error of a refresh as readers may have it: what the database says may quote costs, so it is for the log. */
function refreshError(cause: unknown): AppError {
  const error = diskError(cause);
  return error instanceof AppError ? error : new AppError('storage', CANNOT, { evidence: messageOf(error), cause });
}

/** Says which record a refresh fails because of. */
function nameCause({ code, message, hint, evidence = '', cause }: AppError, record: RecordName | undefined): AppError {
  if (!record) {
    const unknown = 'Which record is the cause is not known: the log says more.';
    return new AppError(code, message, { hint: hint ?? unknown, evidence, cause });
  }
  const path = `/v3/${record.resource.replaceAll('_', '-')}/${record.id}`;
  return new AppError(code, `${message}. The cause is the record ${path}`, {
    hint: 'Change or delete it. Reports are answered again when the numbers are up to date.',
    evidence,
    cause,
  });
}
