import { AppError } from '../../base/index.ts';
import { type ProcessOptions, type SqlProcess, startProcess } from './process.ts';
import { MAX_WAITING, PROCESSES } from './sandbox-limits.ts';

export interface PoolOptions extends ProcessOptions {
  /** The most processes. Default: PROCESSES. */
  readonly size?: number;
}

/** A pool of processes, each with the database open and leased to one statement at a time. */
export interface Pool {
  /**
   * Leases a process when one is free.
   * @throws AppError busy when too many wait, storage when none can be started.
   */
  acquire(signal?: AbortSignal): Promise<SqlProcess>;
  /** Returns a process to the pool, or replaces it if it is dead, worn or on an old generation. */
  release(process: SqlProcess): void;
  renew(): void;
  close(): Promise<void>;
}

interface Waiter {
  readonly resolve: (process: SqlProcess) => void;
  readonly reject: (error: unknown) => void;
}

/** Opens a pool and starts its first process. */
export function openPool(file: string, { size = PROCESSES, ...options }: PoolOptions): Pool {
  const idle = new Set<SqlProcess>();
  const leased = new Set<SqlProcess>();
  const outdated = new WeakSet<SqlProcess>();
  const starting = new Set<Promise<void>>();
  const waiting = new Set<Waiter>();
  let epoch = 0;
  let isClosed = false;

  const assign = (process: SqlProcess) => {
    const [waiter] = waiting;
    if (!waiter) return void idle.add(process);
    waiting.delete(waiter);
    leased.add(process);
    waiter.resolve(process);
  };
  const start = () => {
    const startEpoch = epoch;
    const started = startProcess(file, options).then(
      (process) => {
        starting.delete(started);
        if (isClosed) return process.kill();
        if (startEpoch === epoch) return assign(process);
        void process.kill();
        return start();
      },
      (error: unknown) => {
        starting.delete(started);
        // The first waiter gets the error; the next one triggers another attempt.
        const [waiter] = waiting;
        if (!waiter) return;
        waiting.delete(waiter);
        waiter.reject(error);
        if (waiting.size > 0) start();
      },
    );
    starting.add(started);
  };
  const drop = (process: SqlProcess) => {
    idle.delete(process);
    leased.delete(process);
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
        leased.add(process);
        return Promise.resolve(process);
      }
      if (waiting.size >= MAX_WAITING) {
        const message = `${leased.size} statements are running and ${waiting.size} are waiting, which is the limit`;
        throw new AppError('busy', message, { hint: 'Try again in a moment.' });
      }
      return new Promise((resolve, reject) => {
        const waiter = { resolve, reject };
        waiting.add(waiter);
        signal?.addEventListener('abort', () => waiting.delete(waiter) && reject(signal.reason), { once: true });
        if (leased.size + starting.size < size) start();
      });
    },
    release(process) {
      if (!leased.delete(process)) return;
      if (isClosed || !process.isAlive() || process.isWorn() || outdated.has(process)) drop(process);
      else assign(process);
    },
    renew() {
      epoch += 1;
      for (const process of leased) outdated.add(process);
      for (const process of [...idle]) drop(process);
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting) reject(new AppError('internal', 'The sandbox was closed'));
      waiting.clear();
      await Promise.all([...idle, ...leased].map((process) => process.kill()));
      await Promise.all(starting);
    },
  };
}
