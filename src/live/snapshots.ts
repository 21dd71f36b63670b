import type { Database } from '../database/database.ts';
import type { Generation, Lease, OpenGeneration } from './generations.ts';
import type { LiveContext } from './live-context.ts';
import { whenFresh } from './refreshing.ts';

/** A state of live data that one answer reads. */
interface Snapshot extends OpenGeneration {
  close(): Promise<void>;
}

interface Waiting {
  /** True once the answer has called `open`. */
  isAsked: boolean;
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
  const line = new Set<Waiting>();
  const openAll = async () => {
    const asked = [...line].filter(({ isAsked }) => isAsked);
    const others = [...line].filter(({ isAsked }) => !isAsked);
    const next = [...asked, ...others].slice(0, limits.snapshotsAtOnce);
    for (const waiting of next) line.delete(waiting);
    const open = () => openSnapshot(source.database, live.current);
    await Promise.all(next.map((waiting) => open().then(waiting.take, waiting.fail)));
  };
  return {
    lease() {
      let snapshot: Snapshot | undefined;
      let isReleased = false;
      const waiting: Waiting = { isAsked: false, take: () => undefined, fail: () => undefined };
      const taken = new Promise<Snapshot>((resolve, reject) => {
        waiting.take = (opened) => {
          snapshot = opened;
          if (isReleased) void opened.close();
          resolve(opened);
        };
        waiting.fail = reject;
      });
      // The failure may come when nothing awaits it.
      taken.catch(() => undefined);
      line.add(waiting);
      return {
        open(signal) {
          waiting.isAsked = true;
          signal.addEventListener('abort', () => waiting.fail(signal.reason), { once: true });
          const isWanted = () => line.has(waiting);
          if (isWanted()) whenFresh(live, openAll, isWanted).catch(waiting.fail);
          return taken;
        },
        release() {
          if (isReleased) return;
          isReleased = true;
          line.delete(waiting);
          void snapshot?.close();
        },
      };
    },
  };
}

/** Opens a session with a fixed view of the data, whatever is written meanwhile. */
async function openSnapshot(database: Database, generation: Generation): Promise<Snapshot> {
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
