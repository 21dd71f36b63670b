import { type Turns, takeTurns } from '../database/turns.ts';
import type { Database } from '../database.ts';
import { diskError, fullMessageOf, publicMessageOf } from '../error.ts';
import type { Journal } from '../record/journal.ts';
import { type Generations, readGeneration } from './generations.ts';
import type { Limits } from './limits.ts';
import { openPublisher } from './publisher.ts';
import { openSnapshots } from './snapshots.ts';
import { makeAlarm } from './watch.ts';

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
   * @throws AppError check when the numbers would not tie out; they are then as they were.
   */
  refresh(): Promise<void>;
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
  readonly inTurn: Turns;
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
  readonly error: unknown;
  readonly written: number;
  readonly retryAtMs: number;
}

/**
 * Serves live data. A refresh runs when a report is asked for that a write has changed, and then nobody writes; else soon after the write, beside
 * other writes, which are for the next one. One that fails leaves the numbers as they were, and reports are then refused with its error rather
 * than answered with numbers that miss what was written.
 */
export async function openLive(source: LiveSource, { limits, publishEveryMs, witness }: LiveOptions): Promise<Live> {
  const { database, journal } = source;
  const inTurn = takeTurns();
  let current = await readGeneration(database);
  // What a crash has left unrefreshed is found by the first refresh.
  let [written, shown] = [1, 0];
  // Of the writes, those that a refresh which is under way will show.
  let begun = 0;
  let fault: Fault | undefined;
  // Whoever asks outside a turn gives the turns, for what is served mustn't change in the middle of one.
  const bringUp = async (inOwnTurn: Turns): Promise<void> => {
    if (shown === written) return;
    const startedAt = performance.now();
    if (fault?.written === written && startedAt < fault.retryAtMs) {
      // An alarm that was set before the fault may have come instead of the one that was set for it.
      refreshing.ring(fault.retryAtMs - startedAt);
      throw fault.error;
    }
    const seen = written;
    begun = seen;
    try {
      await inOwnTurn(journal.apply);
      await source.refresh();
      await inOwnTurn(async () => {
        current = await readGeneration(database);
        shown = Math.max(shown, seen);
      });
    } catch (cause) {
      const error = diskError(cause);
      begun = shown;
      fault = { error, written: seen, retryAtMs: startedAt + limits.refreshRetryMs };
      witness.refreshFailed(fullMessageOf(error));
      refreshing.ring(limits.refreshRetryMs);
      throw error;
    }
    fault = undefined;
    witness.refreshed((performance.now() - startedAt) / 1000);
    publisher.note(current.company.dataVersion);
  };
  const refresh = () => bringUp((work) => work());
  const refreshing = makeAlarm(async () => {
    if (begun < written) await bringUp(inTurn).catch(() => undefined);
  });
  const publisher = openPublisher(source, publishEveryMs, witness, (moment) =>
    inTurn(async () => {
      await refresh();
      await moment();
    }),
  );
  const openFresh = (isWanted: () => boolean, open: () => Promise<void>) =>
    inTurn(async () => {
      if (!isWanted()) return;
      await refresh();
      await open();
    });
  const snapshots = openSnapshots(database, () => current, limits.snapshotsAtOnce, openFresh);
  await bringUp(inTurn).catch(() => undefined);
  await publisher.begin(current.company.dataVersion);
  return {
    database,
    generations: {
      settle: () => (shown === written ? undefined : inTurn(refresh)),
      current: () => current,
      latest: () => (shown === written ? current : undefined),
      lend: snapshots.lend,
    },
    inTurn,
    noteChange() {
      written += 1;
      refreshing.ring(limits.refreshDelayMs);
    },
    countPending: () => written - shown,
    findFault: () => (fault && shown < written ? publicMessageOf(fault.error) : undefined),
    async close() {
      await refreshing.close();
      await inTurn(refresh).catch(() => undefined);
      await publisher.close();
      await source.close();
    },
  };
}
