import type { Value } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { listStateRows } from '../../store/history/index.ts';
import type { ListedRelation } from '../registry/listed-relation.ts';
import { readListed } from './listed-relations.ts';
import { openPool, type PoolOptions } from './pool.ts';
import type { SqlProcess } from './process.ts';
import type { ProcessRequest, ResultColumn, SqlParameter } from './protocol.ts';
import {
  DEFAULT_ROWS,
  DEFAULT_TIMEOUT_MS,
  MAX_ANSWER_BYTES,
  MAX_IDLE_DEATHS,
  MAX_STATEMENT_BYTES,
  MAX_TIMEOUT_MS,
} from './sandbox-limits.ts';

export interface SqlQuery {
  readonly sql: string;
  /** Values of its $names. */
  readonly parameters?: Readonly<Record<string, SqlParameter>>;
  /** The most rows of the result. Default: DEFAULT_ROWS. */
  readonly maxRows?: number;
  /** Default: DEFAULT_TIMEOUT_MS. */
  readonly timeoutMs?: number;
  /** Cancels the statement when its client disconnects. */
  readonly signal?: AbortSignal;
}

/** The result of a statement, of at most MAX_ANSWER_BYTES. */
export interface SqlResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Value[])[];
  /** True if there were more rows than requested. */
  readonly isTruncated: boolean;
  readonly dataVersion: string;
  /** Sentences about sums that drop lines, with the right form. */
  readonly notes: readonly string[];
}

export interface SandboxOptions extends PoolOptions {
  /** The database whose states and other relations are listed. Default: the file. */
  readonly home?: string;
  /** The relations that are in no file, beside those of kept states. Default: none. */
  readonly relations?: readonly ListedRelation[];
}

/** A runner of external SQL in separate processes, under limits. */
export interface Sandbox {
  /**
   * Runs one statement. Error fields are named as in the body of a request.
   * @throws AppError usage when it is refused or fails, limit when it takes too long or too much, busy
   * when too many wait.
   */
  query(query: SqlQuery): Promise<SqlResult>;
  /** Moves to the file's new generation; running statements finish on theirs. */
  renew(): void;
  /** Must be called. Kills the processes and their statements. */
  close(): Promise<void>;
}

/** The kept states of a database, which every sandbox lists. */
export const STATES: ListedRelation = {
  name: 'states',
  meaning: 'One row per kept state: its name, period, status, day and data version.',
  columns: {
    name: 'VARCHAR',
    number: 'INTEGER',
    kind: 'VARCHAR',
    status: 'VARCHAR',
    start_date: 'DATE',
    end_date: 'DATE',
    day: 'DATE',
    label: 'VARCHAR',
    reason: 'VARCHAR',
    kept_at: 'TIMESTAMP',
    kept_by: 'VARCHAR',
    data_version: 'VARCHAR',
  },
  list: listStateRows,
};

/** Opens a sandbox over a database file, with one process started. */
export function openSandbox(
  file: string,
  { home = file, relations: others = [], ...options }: SandboxOptions = {},
): Sandbox {
  const relations = [STATES, ...others];
  const pool = openPool(file, { ...options, relations });
  return {
    renew: pool.renew,
    close: pool.close,
    async query(query) {
      const limited = { ...query, ...readLimits(query), listed: await readListed(query.sql, relations, home) };
      for (let deaths = 0; deaths <= MAX_IDLE_DEATHS; deaths += 1) {
        const process = await pool.acquire(query.signal);
        const result = await runQuery(process, limited).finally(() => pool.release(process));
        if (result) return result;
      }
      throw new AppError('busy', 'The processes for SQL end before they begin a statement', {
        hint: 'The machine may lack memory. Try again.',
      });
    },
  };
}

/** A query with all limits, and the rows of listed relations that it may read. */
type LimitedQuery = SqlQuery & SqlLimits & Pick<ProcessRequest, 'listed'>;

/**
 * Runs a query in a process, which is killed at the deadline or when the client disconnects.
 * @returns undefined if the process died before it began.
 */
async function runQuery(process: SqlProcess, query: LimitedQuery): Promise<SqlResult | undefined> {
  const { sql, parameters = {}, maxRows, timeoutMs, listed, signal } = query;
  let abortReason: unknown;
  const abort = (reason: unknown) => {
    abortReason ??= reason;
    void process.kill();
  };
  const timer = setTimeout(() => abort(timeoutError(timeoutMs)), timeoutMs);
  const onAbort = () => abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await readResult(process, { sql, parameters, maxRows, maxBytes: MAX_ANSWER_BYTES, listed });
    if (result) return result;
    // Its end may not have been noticed yet.
    void process.kill();
    if (abortReason !== undefined) throw abortReason;
    return undefined;
  } catch (error) {
    // Reuses the process after a refusal, replaces it after any other error.
    if (!(error instanceof AppError && error.code === 'usage')) void process.kill();
    throw abortReason ?? error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

async function readResult(process: SqlProcess, request: ProcessRequest): Promise<SqlResult | undefined> {
  let hasBegun = false;
  let columns: readonly ResultColumn[] = [];
  let notes: readonly string[] = [];
  let isTruncated = false;
  const rows: (readonly Value[])[] = [];
  for await (const reply of process.ask(request)) {
    hasBegun = true;
    if ('columns' in reply) ({ columns, notes } = reply);
    if ('rows' in reply) for (const row of reply.rows) rows.push(row);
    if ('end' in reply) isTruncated = reply.end.isTruncated;
  }
  return hasBegun ? { columns, rows, isTruncated, dataVersion: process.dataVersion, notes } : undefined;
}

interface SqlLimits {
  readonly maxRows: number;
  readonly timeoutMs: number;
}

function readLimits({ sql, maxRows = DEFAULT_ROWS, timeoutMs = DEFAULT_TIMEOUT_MS }: SqlQuery): SqlLimits {
  const bytes = Buffer.byteLength(sql);
  if (bytes > MAX_STATEMENT_BYTES) {
    throw new AppError('usage', `The SQL has ${bytes} bytes; at most ${MAX_STATEMENT_BYTES} are allowed`, {
      hint: 'Make it simpler: a condition on a table, say, instead of a long list of values.',
    });
  }
  return { maxRows, timeoutMs };
}

function timeoutError(timeoutMs: number): AppError {
  const message = `The statement ran for ${timeoutMs / 1000} seconds, its limit, and was ended`;
  return new AppError('limit', message, {
    fields: [{ field: 'timeout_ms', message }],
    hint: `Read fewer rows or join less, or give it more time: ${MAX_TIMEOUT_MS / 1000} seconds at most.`,
  });
}
