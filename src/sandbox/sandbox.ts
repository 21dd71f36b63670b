import type { Value } from '../database.ts';
import { AppError } from '../error.ts';
import {
  DEFAULT_ROWS,
  DEFAULT_TIMEOUT_MS,
  MAX_ANSWER_BYTES,
  MAX_ROWS,
  MAX_STATEMENT_BYTES,
  MAX_TIMEOUT_MS,
} from './limits.ts';
import { openPool, type PoolOptions } from './pool.ts';
import type { SqlProcess } from './process.ts';
import type { Parameter, Reply, ResultColumn } from './protocol.ts';

/** One SELECT from outside. */
export interface Query {
  readonly sql: string;
  /** Values of its $names. */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** The most rows of the answer. Default: DEFAULT_ROWS. */
  readonly maxRows?: number;
  /** Default: DEFAULT_TIMEOUT_MS. */
  readonly timeoutMs?: number;
  /** Ends the statement: who asked has gone. */
  readonly signal?: AbortSignal;
}

/** What a statement gives. */
export interface Answer {
  readonly columns: readonly ResultColumn[];
  /** In chunks. Must be read to the end, or left (which ends the statement). */
  readonly rows: AsyncIterable<readonly (readonly Value[])[]>;
  /** The generation that was read. */
  readonly dataVersion: string;
  /** Whether there were more rows than asked for. Known when the rows have been read. */
  readonly isTruncated: () => boolean;
}

/** Runs SQL from outside in processes of its own, under limits. */
export interface Sandbox {
  /**
   * Runs one statement; resolves when it has columns.
   * @throws AppError usage when it isn't admitted or can't be run, limit when it takes too long or too much, busy when too many wait.
   */
  query(query: Query): Promise<Answer>;
  /** Moves to the generation that the file now holds: statements that run end on theirs. */
  renew(): void;
  /** Must be called; ends the processes and all that they run. */
  close(): Promise<void>;
}

/** Opens a sandbox over a database file, with one process warm. */
export function openSandbox(file: string, options: PoolOptions = {}): Sandbox {
  const pool = openPool(file, options);
  return {
    renew: pool.renew,
    close: pool.close,
    async query(query) {
      const { maxRows, timeoutMs } = readLimits(query);
      const process = await pool.acquire(query.signal);
      return runQuery(process, { ...query, maxRows, timeoutMs }, () => pool.release(process));
    },
  };
}

type Limited = Query & { readonly maxRows: number; readonly timeoutMs: number };

/** Asks a process, and gives it back when the answer is read, or broken off. */
async function runQuery(process: SqlProcess, query: Limited, release: () => void): Promise<Answer> {
  const { sql, parameters = {}, maxRows, timeoutMs, signal } = query;
  let broken: unknown;
  const breakOff = (why: unknown) => {
    broken ??= why;
    void process.kill();
  };
  const timer = setTimeout(() => breakOff(timeoutError(timeoutMs)), timeoutMs);
  const onAbort = () => breakOff(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let isTruncated = false;
  const leave = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    release();
  };
  const replies = process.ask({ sql, parameters, maxRows, maxBytes: MAX_ANSWER_BYTES });
  const next = async (): Promise<Reply> => {
    try {
      const { value } = await replies.next();
      return value;
    } catch (error) {
      // After a fault of its own making a process starts anew; one that only said no goes on.
      if (!(error instanceof AppError && error.code === 'usage')) void process.kill();
      leave();
      throw broken ?? error;
    }
  };
  const first = await next();
  async function* readRows() {
    let isEnded = false;
    try {
      for (;;) {
        const reply = await next();
        if ('rows' in reply) yield reply.rows;
        if ('end' in reply) {
          isTruncated = reply.end.isTruncated;
          isEnded = true;
          return leave();
        }
      }
    } finally {
      if (!isEnded) {
        void process.kill();
        leave();
      }
    }
  }
  return {
    columns: 'columns' in first ? first.columns : [],
    rows: readRows(),
    dataVersion: process.dataVersion,
    isTruncated: () => isTruncated,
  };
}

function readLimits({ sql, maxRows = DEFAULT_ROWS, timeoutMs = DEFAULT_TIMEOUT_MS }: Query) {
  const bytes = Buffer.byteLength(sql);
  if (bytes > MAX_STATEMENT_BYTES) {
    throw new AppError('usage', `The SQL has ${bytes} bytes, and ${MAX_STATEMENT_BYTES} are the most`, {
      hint: 'Give lists of values as a parameter, or make the query simpler.',
    });
  }
  assertWithin('The limit of rows', maxRows, MAX_ROWS);
  assertWithin('The timeout in milliseconds', timeoutMs, MAX_TIMEOUT_MS);
  return { maxRows, timeoutMs };
}

function assertWithin(what: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new AppError('usage', `${what} is ${value}, and must be a whole number from 1 to ${most}`);
}

function timeoutError(timeoutMs: number): AppError {
  return new AppError('limit', `The statement ran for ${timeoutMs / 1000} seconds, its limit, and was ended`, {
    hint: `Read fewer rows or join less, or give it more time: ${MAX_TIMEOUT_MS / 1000} seconds at most.`,
  });
}
