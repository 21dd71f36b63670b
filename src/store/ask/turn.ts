import { workUntil } from '../../base/index.ts';
import type { ReaderPart } from '../../numbers/report/source/index.ts';
import type { Lease } from '../generation/generations.ts';

/*
 * A turn is all that one answer takes, in this order:
 *
 *   1. on a server, a deadline, whose signal ends the wait, the queries and the work on their rows
 *   2. a lease, which reserves a generation: answers that wait together share a snapshot
 *   3. on a server, permits, the last one for the computation
 *   4. the leased generation, to be read
 *
 * At its end everything is given back in the reverse order, also after an error or when the client has gone.
 */

/** Something that a number of answers may have at once. */
export interface Permits {
  /**
   * Waits for a permit.
   * @param reader The key of the reader.
   * @param signal Ends the wait when the client has gone.
   * @param givesWay True to wait until nobody else does who gives no way.
   * @returns Releases the permit; must be called.
   */
  acquire(reader: string, signal: AbortSignal, givesWay?: boolean): Promise<() => void>;
}

export interface TurnReader {
  /** The key of the reader whose share of the server it takes. */
  readonly reader: string;
  readonly seesRates: boolean;
  /** The part of the data that the reader sees. Default: all. */
  readonly part?: ReaderPart | undefined;
  /** Ends the wait, the queries, and the work on their rows. */
  readonly signal: AbortSignal;
}

export interface Turn extends TurnReader {
  /** Waits for a permit. @returns gives it back before the turn ends. */
  take(permits: Permits): Promise<() => void>;
  /** Reserves what is to be read. */
  lease(reserve: () => Lease): Lease;
  /** Calls a function at the end of the turn, before anything taken earlier is given back. */
  atEnd(release: () => unknown): void;
}

/** Takes a turn and uses it; nothing is held afterwards. */
export async function takeTurn<T>(taker: TurnReader, use: (turn: Turn) => Promise<T>): Promise<T> {
  const held: (() => unknown)[] = [];
  const turn: Turn = {
    ...taker,
    async take(permits) {
      const release = await permits.acquire(taker.reader, taker.signal);
      held.push(release);
      return release;
    },
    lease(reserve) {
      const lease = reserve();
      held.push(lease.release);
      return lease;
    },
    atEnd: (release) => void held.push(release),
  };
  try {
    return await workUntil(taker.signal, () => use(turn));
  } finally {
    await giveBack(held);
  }
}

/** Gives back what is held, the latest first, even if some of it fails. */
export async function giveBack(held: (() => unknown)[]): Promise<void> {
  try {
    await held.pop()?.();
  } finally {
    if (held.length > 0) await giveBack(held);
  }
}
