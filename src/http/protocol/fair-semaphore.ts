import { httpError } from './errors.ts';

/** A semaphore that readers acquire in turn. */
export interface FairSemaphore {
  /**
   * Waits for a permit; a reader with many requests delays only their own.
   * @param reader The key of the reader.
   * @param signal Ends the wait when the client has gone.
   * @returns Releases the permit; must be called.
   * @throws an error of status 503 when the queue, or the reader's share of it, is full.
   */
  acquire(reader: string, signal: AbortSignal): Promise<() => void>;
  readonly held: () => number;
  readonly waiting: () => number;
}

/** The sizes of a semaphore and of its queue. */
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

/** The share of one reader. */
interface Share {
  held: number;
  /** The time of the latest request. Unit: ms. */
  requestedAtMs: number;
  /** Admits the queued requests, oldest first. */
  readonly queue: Set<() => void>;
}

/** Makes a semaphore. @param now Returns the time in ms. */
export function makeFairSemaphore(
  options: SemaphoreOptions,
  now: () => number = () => performance.now(),
): FairSemaphore {
  const { permits, queueLength, activeMs, retryAfterSeconds } = options;
  const { permitsEach = permits, permitsAlone = permits, queueLengthEach = queueLength } = options;
  // In the order of turns.
  const shares = new Map<string, Share>();
  let [held, waiting] = [0, 0];
  const dropInactive = () => {
    for (const [reader, share] of shares) {
      const isIdle = share.held === 0 && share.queue.size === 0;
      if (isIdle && now() - share.requestedAtMs > activeMs) shares.delete(reader);
    }
  };
  const mayAcquire = (share: Share) => held < permits && share.held < (shares.size === 1 ? permitsAlone : permitsEach);
  const grant = (share: Share) => {
    held += 1;
    share.held += 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      held -= 1;
      share.held -= 1;
      admitNext();
    };
  };
  const admitNext = () => {
    dropInactive();
    for (;;) {
      const found = [...shares].find(([, share]) => share.queue.size > 0 && mayAcquire(share));
      if (!found) return;
      const [reader, share] = found;
      // Moves the reader to the end of the turns.
      shares.delete(reader);
      shares.set(reader, share);
      for (const admit of [...share.queue].slice(0, 1)) admit();
    }
  };
  const shareOf = (reader: string) => {
    dropInactive();
    const share = shares.get(reader) ?? { held: 0, requestedAtMs: 0, queue: new Set() };
    share.requestedAtMs = now();
    shares.set(reader, share);
    return share;
  };
  return {
    held: () => held,
    waiting: () => waiting,
    async acquire(reader, signal) {
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
          share.queue.delete(admit);
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
        share.queue.add(admit);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
