import { AppError } from '../error.ts';
import { type SqlProcess, startProcess } from './process.ts';
import { MAX_WAITING, PROCESSES } from './sandbox-limits.ts';

/** What a sandbox works with. */
export interface PoolOptions {
  /** The schemas that SQL may read. Default: all of the file. */
  readonly schemas?: readonly string[];
  /** How many processes there are at most. Default: PROCESSES. */
  readonly size?: number;
}

/** Processes that have the database open, lent to one statement at a time. */
export interface Pool {
  /** Lends a process, when one is free. @throws AppError busy when too many wait, storage when none can be started. */
  acquire(signal?: AbortSignal): Promise<SqlProcess>;
  /** Takes it back, or one anew if it has been killed, is worn or has an old generation open. */
  release(process: SqlProcess): void;
  renew(): void;
  close(): Promise<void>;
}

/** Somebody who waits for a process. */
interface Waiter {
  readonly take: (process: SqlProcess) => void;
  readonly fail: (error: unknown) => void;
}

/** Opens a pool, and starts its first process, so that it is warm. */
export function openPool(file: string, { schemas, size = PROCESSES }: PoolOptions): Pool {
  const idle = new Set<SqlProcess>();
  const lent = new Set<SqlProcess>();
  const old = new WeakSet<SqlProcess>();
  const starting = new Set<Promise<void>>();
  const waiting = new Set<Waiter>();
  let epoch = 0;
  let isClosed = false;

  const hand = (process: SqlProcess) => {
    const [waiter] = waiting;
    if (!waiter) return void idle.add(process);
    waiting.delete(waiter);
    lent.add(process);
    waiter.take(process);
  };
  const start = () => {
    const begun = epoch;
    const started = startProcess(file, schemas).then(
      (process) => {
        starting.delete(started);
        if (isClosed) return process.kill();
        if (begun === epoch) return hand(process);
        void process.kill();
        return start();
      },
      (error: unknown) => {
        starting.delete(started);
        // Who waits longest is told; who comes next tries again.
        const [waiter] = waiting;
        if (!waiter) return;
        waiting.delete(waiter);
        waiter.fail(error);
        if (waiting.size > 0) start();
      },
    );
    starting.add(started);
  };
  const drop = (process: SqlProcess) => {
    idle.delete(process);
    lent.delete(process);
    void process.kill();
    if (!isClosed) start();
  };
  start();

  return {
    acquire(signal) {
      signal?.throwIfAborted();
      if (isClosed) throw new AppError('internal', 'The sandbox is closed');
      for (const process of idle) {
        idle.delete(process);
        if (!process.isAlive()) continue;
        lent.add(process);
        return Promise.resolve(process);
      }
      if (waiting.size >= MAX_WAITING) {
        throw new AppError('busy', `${lent.size} statements run and ${waiting.size} wait, which is the most`, {
          hint: 'Try again in a moment.',
        });
      }
      return new Promise((take, fail) => {
        const waiter = { take, fail };
        waiting.add(waiter);
        signal?.addEventListener('abort', () => waiting.delete(waiter) && fail(signal.reason), { once: true });
        if (lent.size + starting.size < size) start();
      });
    },
    release(process) {
      if (!lent.delete(process)) return;
      if (isClosed || !process.isAlive() || process.isWorn() || old.has(process)) drop(process);
      else hand(process);
    },
    renew() {
      epoch += 1;
      for (const process of lent) old.add(process);
      for (const process of [...idle]) drop(process);
    },
    async close() {
      isClosed = true;
      for (const { fail } of waiting) fail(new AppError('internal', 'The sandbox was closed'));
      waiting.clear();
      await Promise.all([...idle, ...lent].map((process) => process.kill()));
      await Promise.all(starting);
    },
  };
}
