import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../error.ts';

/** Ends something that runs; resolves when it has ended. Who waits for it is told the reason. */
type End = (reason: unknown) => Promise<unknown>;

/** Work on a connection. */
type Work<T> = (connection: DuckDBConnection) => Promise<T>;

/** Lends a connection to a work, and has it back when the work is done. */
export type Lend = <T>(work: Work<T>) => Promise<T>;

/** All that runs on one database, which must not be closed under it. */
export interface Running {
  /** Runs one statement, which the signal, or the end of all, interrupts. @throws the signal's reason, or that of the end. */
  run<T>(lend: Lend, signal: AbortSignal | undefined, work: Work<T>): Promise<T>;
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
    async run(lend, signal, work) {
      signal?.throwIfAborted();
      if (closed) throw closed;
      let reason: unknown;
      let lent: DuckDBConnection | undefined;
      const done = lend((connection) => {
        if (reason !== undefined) throw reason;
        lent = connection;
        return work(connection).finally(() => {
          lent = undefined;
        });
      });
      const end = async (why: unknown) => {
        reason ??= why;
        lent?.interrupt();
        const timer = setInterval(() => lent?.interrupt(), INTERRUPT_EVERY_MS);
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
