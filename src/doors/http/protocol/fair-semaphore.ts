import type { Permits } from '../../../store/ask/index.ts';
import { httpError } from './errors.ts';

/**
 * A semaphore that readers share by the time for which they hold permits: one with many or long requests delays only their own.
 * A request gets an error of status 503 when the queue, or its reader's share of it, is full.
 */
export interface FairSemaphore extends Permits {
  readonly held: () => number;
  readonly waiting: () => number;
}

export interface SemaphoreOptions {
  readonly permits: number;
  /** The most permits of one reader while others are active. Default: all. */
  readonly permitsEach?: number;
  /** The most permits of a lone reader. Default: all. */
  readonly permitsAlone?: number;
  readonly queueLength: number;
  /** The most queued requests of one reader. Default: the whole queue. */
  readonly queueLengthEach?: number;
  /** The time for which a reader stays active after a request. Unit: ms. */
  readonly activeMs: number;
  readonly retryAfterSeconds: number;
}

interface Share {
  held: number;
  /** The time of the latest request. Unit: ms. */
  requestedAtMs: number;
  /** The time for which permits were held, as if the reader had come with the least of the active ones. Unit: ms. */
  spentMs: number;
  /** The queued requests, oldest first. */
  readonly queue: Set<Waiting>;
}

interface Waiting {
  readonly givesWay: boolean;
  admit(): void;
}

/** Makes a semaphore. @param now Returns the time in ms. */
export function makeFairSemaphore(
  options: SemaphoreOptions,
  now: () => number = () => performance.now(),
): FairSemaphore {
  const { permits, queueLength, activeMs, retryAfterSeconds } = options;
  const { permitsEach = permits, permitsAlone = permits, queueLengthEach = queueLength } = options;
  // In the order of turns, for readers that have spent the same time.
  const shares = new Map<string, Share>();
  let [held, waiting] = [0, 0];
  const dropInactive = () => {
    for (const [reader, share] of shares) {
      if (!isActive(share) && now() - share.requestedAtMs > activeMs) shares.delete(reader);
    }
  };
  const mayAcquire = (share: Share) => held < permits && share.held < (shares.size === 1 ? permitsAlone : permitsEach);
  const grant = (share: Share) => {
    held += 1;
    share.held += 1;
    const grantedAtMs = now();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      held -= 1;
      share.held -= 1;
      share.spentMs += now() - grantedAtMs;
      admitNext();
    };
  };
  /** Finds the first request of the reader who has spent the least time. */
  const findNext = (givesWay: boolean) => {
    const found = [...shares].flatMap(([reader, share]) => {
      const waiting = mayAcquire(share) && firstOf(share.queue, givesWay);
      return waiting ? [{ reader, share, waiting }] : [];
    });
    return found.reduce((least, each) => (least && least.share.spentMs <= each.share.spentMs ? least : each), found[0]);
  };
  const admitNext = () => {
    dropInactive();
    for (let next = findNext(false) ?? findNext(true); next; next = findNext(false) ?? findNext(true)) {
      const { reader, share, waiting } = next;
      // Moves the reader to the end of the turns.
      shares.delete(reader);
      shares.set(reader, share);
      waiting.admit();
    }
  };
  const shareOf = (reader: string) => {
    dropInactive();
    const share = shares.get(reader) ?? { held: 0, requestedAtMs: 0, spentMs: 0, queue: new Set() };
    // Time without requests is not saved up.
    if (!isActive(share)) share.spentMs = Math.max(share.spentMs, leastSpent(shares.values()));
    share.requestedAtMs = now();
    shares.set(reader, share);
    return share;
  };
  return {
    held: () => held,
    waiting: () => waiting,
    async acquire(reader, signal, givesWay = false) {
      signal.throwIfAborted();
      const share = shareOf(reader);
      if (share.queue.size === 0 && mayAcquire(share)) return grant(share);
      if (waiting >= queueLength || share.queue.size >= queueLengthEach) {
        throw httpError(
          503,
          `The server is busy: ${held} requests are being answered and ${waiting} are waiting. Try again later`,
          { 'retry-after': String(retryAfterSeconds) },
        );
      }
      waiting += 1;
      return new Promise((resolve, reject) => {
        const leaveQueue = () => {
          waiting -= 1;
          share.queue.delete(queued);
          signal.removeEventListener('abort', giveUp);
        };
        const admit = () => {
          leaveQueue();
          resolve(grant(share));
        };
        const giveUp = () => {
          leaveQueue();
          reject(signal.reason);
        };
        const queued = { givesWay, admit };
        share.queue.add(queued);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}

function isActive({ held, queue }: Share): boolean {
  return held > 0 || queue.size > 0;
}

/** Returns the least time that an active reader has spent; 0 without any. Unit: ms. */
function leastSpent(shares: Iterable<Share>): number {
  const spent = [...shares].filter(isActive).map(({ spentMs }) => spentMs);
  return spent.length === 0 ? 0 : Math.min(...spent);
}

/** Returns the oldest request that gives way, or that doesn't. */
function firstOf(queue: ReadonlySet<Waiting>, givesWay: boolean): Waiting | undefined {
  for (const waiting of queue) if (waiting.givesWay === givesWay) return waiting;
  return undefined;
}
