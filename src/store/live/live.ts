import { setTimeout as sleep } from 'node:timers/promises';
import { createSerialQueue } from '../../base/database/index.ts';
import { fullMessageOf, publicMessageOf } from '../../base/index.ts';
import { readGeneration } from '../generation/generation-pool.ts';
import type { Generations } from '../generation/generations.ts';
import { repeat } from '../generation/watch.ts';
import type { ClosedDays } from './closed-days.ts';
import { makeDebounce } from './debounce.ts';
import { type LiveContext, type LiveOptions, schedulePublication } from './live-context.ts';
import type { LiveSource } from './live-source.ts';
import { isFresh, makeState } from './live-state.ts';
import type { PreviewedChanges, PreviewedStates } from './preview-changes.ts';
import { publish, publishDue, publishNow } from './publisher.ts';
import { bringUpBeside, refreshBeside, whenFresh } from './refreshing.ts';
import { openSnapshots } from './snapshots.ts';
import { openStore, type Store } from './store.ts';
import { showTrial, tryOut } from './trial.ts';
import { answerCopyRequest } from './working-copy.ts';

/*
 * Data that changes while it is read. A write goes through these states:
 *
 *     write          refresh begins            refresh is committed
 *   ---------> written ---------> refreshing ---------------------> shown ----> published
 *                 ^                    |                              read by snapshots
 *                 '---- fault ---------'
 *
 * written     on disk, in the journal or the working file, and answered      store.ts, in a turn
 * refreshing  covered by the refresh in progress                             refreshing.ts, in a turn or beside the turns
 * shown       in the numbers that reports read                               refreshing.ts, snapshots.ts
 * published   in the published files                                         publisher.ts, at most once in publishEveryMs
 *
 * A report requested after a write refreshes in a turn, without concurrent writes.
 * Without a report, a refresh runs soon after the write, beside other writes, which the next refresh covers.
 * A refresh that fails or takes too long leaves the numbers unchanged, and reports are refused with its error.
 * Records can still be read and written, and the record that causes the failure is searched for and named.
 * live-state.ts has the transitions.
 */

/** Interval of the check for a new day. Unit: ms. */
const DAY_CHECK_MS = 60_000;

/** Data that changes while it is read. */
export interface Live {
  /** The generations that reports read; they show every answered write. */
  readonly generations: Generations;
  readonly store: Store;
  /** Returns the number of writes that the numbers don't show yet. */
  countPending(): number;
  /** Returns the public reason why the numbers can't be updated; undefined when they can. */
  findFault(): string | undefined;
  /** Returns the days whose actual and expense lines no write may change. */
  guarded(): readonly ClosedDays[];
  /** Refuses writes that change actual or expense lines of these days, and of no others, from now on. */
  guard(closed: readonly ClosedDays[]): void;
  /**
   * Reads the data with some changes, as if they had been written, in a turn among the writes. Nothing is written.
   * @throws AppError as a write does, with the position of the change; storage if it takes too long.
   */
  preview<T>(previewed: PreviewedChanges, read: (states: PreviewedStates) => Promise<T>): Promise<T>;
  /** As publishNow. */
  publishNow<T>(atMoment: () => void, work: () => Promise<T>): Promise<T>;
  /** Updates the numbers, publishes them, and closes the data. */
  close(): Promise<void>;
}

/** Opens live data, even if its numbers can't be updated. */
export async function openLive(source: LiveSource, { now, ...options }: LiveOptions): Promise<Live> {
  const { limits, listener } = options;
  const live: LiveContext = {
    ...options,
    source,
    state: makeState(),
    queue: createSerialQueue(),
    freezes: createSerialQueue(),
    current: await readGeneration(source.database),
    beside: undefined,
    isLong: false,
    stopping: new AbortController(),
    refresh: makeDebounce(() => refreshBeside(live)),
    publication: makeDebounce(() => publishDue(live)),
    closed: [],
    published: source.publishedVersion,
    publishedAtMs: Number.NEGATIVE_INFINITY,
  };
  const { state, queue } = live;
  const store = await openStore(source.database, {
    now,
    journal: source.journal,
    state,
    queue,
    isSynced: options.isSynced,
    guard: {
      closed: () => live.closed,
      tryOut: (change, wayOf) => tryOut(live, change, wayOf),
      shown: () => showTrial(live),
    },
  });
  // A refused write counts too: the changes of a new day before it may be on disk.
  const noticed = <T>(writing: Promise<T>): Promise<T> =>
    writing.finally(() => {
      if (!isFresh(state)) live.refresh.schedule(limits.refreshDelayMs);
    });
  const days = repeat(
    () => noticed(store.startDay()).catch((error) => listener.dayFailed(fullMessageOf(error))),
    DAY_CHECK_MS,
  );
  const copies = repeat(() => answerCopyRequest(live), limits.pollMs);
  const snapshots = openSnapshots(live);
  const begin = async () => {
    await bringUpBeside(live).catch(() => undefined);
    if (live.published === undefined) await live.publication.run();
    else schedulePublication(live);
  };
  await Promise.race([begin(), sleep(limits.refreshTurnMs, undefined, { ref: false })]);
  live.isLong = live.beside !== undefined;
  return {
    generations: {
      settle: () => (isFresh(state) ? undefined : whenFresh(live, async () => undefined)),
      current: () => live.current,
      latest: () => (isFresh(state) ? live.current : undefined),
      lease: snapshots.lease,
      // An open snapshot would keep the file from being published.
      hold: () => undefined,
      find: () => undefined,
    },
    store: { ...store, write: (writer, work) => noticed(store.write(writer, work)) },
    countPending: () => state.written - state.shown,
    findFault: () => (state.fault && !isFresh(state) ? publicMessageOf(state.fault.error) : undefined),
    guarded: () => live.closed,
    guard(closed) {
      live.closed = closed;
    },
    async preview(previewed, read) {
      // Imported only when used: it brings the reports, which are a third of the program.
      const { previewInTurn } = await import('./preview-turn.ts');
      return previewInTurn(live, store, previewed, read);
    },
    publishNow: (atMoment, work) => publishNow(live, atMoment, work),
    async close() {
      await days.close();
      await copies.close();
      if (live.isLong || state.fault) live.stopping.abort();
      await live.refresh.close();
      await whenFresh(live, async () => undefined).catch(() => undefined);
      await live.publication.close();
      await publish(live);
      await store.close();
      await source.close();
    },
  };
}
