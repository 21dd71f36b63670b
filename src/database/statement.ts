import { AppError } from '../error.ts';
import type { Taken } from './connections.ts';

/** Ends something that runs; resolves when it has ended. Who waits for it is told the reason. */
type End = (reason: unknown) => Promise<unknown>;

/** All that runs on one database, which must not be closed under it. */
export interface Running {
  /**
   * Works with one statement, which the signal, or the end of all, interrupts. The work gives it back.
   * @throws the signal's reason, or that of the end.
   */
  run<T>(take: () => Promise<Taken>, signal: AbortSignal | undefined, work: (taken: Taken) => Promise<T>): Promise<T>;
  /** Notes something else that runs, until what it gives back is called; the signal ends it, too. */
  add(end: End, signal: AbortSignal | undefined): () => void;
  /** Ends all, and refuses what would still come. */
  endAll(): Promise<void>;
}

/** An interrupt that comes before the engine has begun a statement is lost, so it is repeated. */
const INTERRUPT_EVERY_MS = 10;

/** Opens the list of what runs on a database. */
export function trackRunning(): Running {
  const ends = new Set<End>();
  let closed: AppError | undefined;
  const add = (end: End, signal: AbortSignal | undefined) => {
    const onAbort = () => void end(signal?.reason);
    ends.add(end);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    return () => {
      ends.delete(end);
      signal?.removeEventListener('abort', onAbort);
    };
  };
  return {
    add,
    async run(take, signal, work) {
      signal?.throwIfAborted();
      if (closed) throw closed;
      let reason: unknown;
      let running: Taken | undefined;
      const done = take().then((taken) => {
        if (reason !== undefined) {
          taken.giveBack();
          throw reason;
        }
        running = taken;
        return work(taken).finally(() => {
          running = undefined;
        });
      });
      const end = async (why: unknown) => {
        reason ??= why;
        running?.interrupt();
        const timer = setInterval(() => running?.interrupt(), INTERRUPT_EVERY_MS);
        await done.catch(() => undefined).finally(() => clearInterval(timer));
      };
      const forget = add(end, signal);
      try {
        return await done;
      } catch (error) {
        throw reason ?? error;
      } finally {
        forget();
      }
    },
    async endAll() {
      closed = new AppError('internal', 'The database was closed');
      while (ends.size > 0) await Promise.all([...ends].map((end) => end(closed)));
    },
  };
}
