import type { Database } from '../../base/database/index.ts';
import type { Generation, Lease, OpenGeneration } from '../generation/generations.ts';
import type { LiveContext } from './live-context.ts';
import { whenFresh } from './refreshing.ts';

/** A state of live data that one answer reads. */
interface Snapshot extends OpenGeneration {
  close(): Promise<void>;
}

interface QueuedAnswer {
  /** True once the answer has called `open`. */
  isOpening: boolean;
  take(snapshot: Snapshot): void;
  fail(error: unknown): void;
}

export interface Snapshots {
  /** Queues an answer for a snapshot. */
  lease(): Lease;
}

/**
 * Opens snapshots for answers.
 * Opening one also opens others for the answers queued behind it, up to the limit.
 * These need no writes newer than their own request, so they share the refresh.
 */
export function openSnapshots(live: LiveContext): Snapshots {
  const { source, limits } = live;
  const queue = new Set<QueuedAnswer>();
  const openAll = async () => {
    const asked = [...queue].filter(({ isOpening }) => isOpening);
    const others = [...queue].filter(({ isOpening }) => !isOpening);
    const next = [...asked, ...others].slice(0, limits.snapshotsAtOnce);
    for (const answer of next) queue.delete(answer);
    const open = () => openSnapshot(source.database, live.current);
    await Promise.all(next.map((answer) => open().then(answer.take, answer.fail)));
  };
  return {
    lease() {
      let snapshot: Snapshot | undefined;
      let isReleased = false;
      const answer: QueuedAnswer = { isOpening: false, take: () => undefined, fail: () => undefined };
      const opening = new Promise<Snapshot>((resolve, reject) => {
        answer.take = (opened) => {
          snapshot = opened;
          if (isReleased) void opened.close();
          resolve(opened);
        };
        answer.fail = reject;
      });
      // The failure may occur when nothing awaits it.
      opening.catch(() => undefined);
      queue.add(answer);
      return {
        open(signal) {
          answer.isOpening = true;
          const stop = () => answer.fail(signal.reason);
          signal.addEventListener('abort', stop, { once: true });
          const isWanted = () => queue.has(answer);
          if (isWanted()) whenFresh(live, openAll, isWanted).catch(answer.fail);
          // A signal may outlive many leases.
          return opening.finally(() => signal.removeEventListener('abort', stop));
        },
        release() {
          if (isReleased) return;
          isReleased = true;
          queue.delete(answer);
          void snapshot?.close();
        },
      };
    },
  };
}

/** Opens a session with a fixed view of the data, which later writes don't change. */
export async function openSnapshot(database: Database, generation: Generation): Promise<Snapshot> {
  const session = await database.session();
  try {
    // The first read fixes the view.
    await session.run('BEGIN TRANSACTION READ ONLY; SELECT data_version FROM source.generation');
    return { ...generation, database: () => session, close: () => session.close() };
  } catch (error) {
    await session.close();
    throw error;
  }
}
