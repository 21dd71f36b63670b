import { AppError } from '../error.ts';
import type { StatementLease } from './connections.ts';
import { INTERRUPT_EVERY_MS } from './instance.ts';

/** Ends a running statement or stream with a reason; resolves when it has ended. */
type EndStatement = (reason: unknown) => Promise<unknown>;

/** The running statements and streams of one database, which must end before it closes. */
export interface RunningStatements {
  /**
   * Runs work with a leased statement, interrupted by the signal or by endAll; the work releases it.
   * @param acquire Given a signal that ends the wait for a lease.
   * @throws The reason of the signal or of endAll.
   */
  run<T>(
    acquire: (ended: AbortSignal) => Promise<StatementLease>,
    signal: AbortSignal | undefined,
    work: (lease: StatementLease) => Promise<T>,
  ): Promise<T>;
  /** Registers a stream, ended by the signal or by endAll. Returns a function that unregisters it. */
  register(end: EndStatement, signal: AbortSignal | undefined): () => void;
  /** Ends everything that runs and rejects later calls. */
  endAll(): Promise<void>;
}

export function trackStatements(): RunningStatements {
  const ends = new Set<EndStatement>();
  let closed: AppError | undefined;
  const register = (end: EndStatement, signal: AbortSignal | undefined) => {
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
    register,
    async run(acquire, signal, work) {
      signal?.throwIfAborted();
      if (closed) throw closed;
      let reason: unknown;
      let running: StatementLease | undefined;
      const ending = new AbortController();
      const done = acquire(ending.signal).then((lease) => {
        if (reason !== undefined) {
          lease.release();
          throw reason;
        }
        running = lease;
        return work(lease).finally(() => {
          running = undefined;
        });
      });
      const end = async (why: unknown) => {
        reason ??= why;
        ending.abort(reason);
        running?.interrupt();
        const timer = setInterval(() => running?.interrupt(), INTERRUPT_EVERY_MS);
        await done.catch(() => undefined).finally(() => clearInterval(timer));
      };
      const unregister = register(end, signal);
      try {
        return await done;
      } catch (error) {
        throw reason ?? error;
      } finally {
        unregister();
      }
    },
    async endAll() {
      closed = new AppError('internal', 'The database was closed');
      while (ends.size > 0) await Promise.all([...ends].map((end) => end(closed)));
    },
  };
}
