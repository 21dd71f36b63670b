import type { Database } from '../database/database.ts';
import type { Generation, Lease, OpenGeneration } from './generations.ts';
import type { LiveContext } from './live-context.ts';
import { whenFresh } from './refreshing.ts';

/** A state of live data that one answer reads. */
interface Snapshot extends OpenGeneration {
  close(): Promise<void>;
}

/** An answer that will read a snapshot. */
interface Waiting {
  /** True once its turn to read has come. */
  isAsked: boolean;
  take(snapshot: Snapshot): void;
  fail(error: unknown): void;
}

/** Snapshots of live data. */
export interface Snapshots {
  /** Queues an answer for a snapshot. */
  lease(): Lease;
}

/**
 * Opens snapshots for answers. When one is opened for the first in line, others are opened for those behind it, as many as may be at once:
 * theirs needn't be newer than what was written when they asked, so they share the refresh before it.
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
      // Nobody may be waiting when it fails.
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

/** Opens a session that sees one moment of the data, whatever is written meanwhile. */
async function openSnapshot(database: Database, generation: Generation): Promise<Snapshot> {
  const session = await database.session();
  try {
    // The moment is that of the first read.
    await session.run('BEGIN TRANSACTION READ ONLY; SELECT data_version FROM source.generation');
    return { ...generation, database: () => session, close: () => session.close() };
  } catch (error) {
    await session.close();
    throw error;
  }
}
