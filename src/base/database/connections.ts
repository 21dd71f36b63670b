import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import { ATTACHED } from './attachments.ts';
import type { OpenOptions } from './instance.ts';
import { makePartKeeper } from './kept-parts.ts';
import type { Parameters } from './parameter.ts';
import { createSerialQueue } from './serial-queue.ts';
import { VIEWS } from './view-catalogs.ts';

/** A lease on a connection for one statement, valid until it is released. */
export interface StatementLease {
  /** Computes the whole result before it resolves. */
  run(parameters?: Parameters): Promise<DuckDBMaterializedResult>;
  /** Computes the result as its chunks are fetched. */
  stream(parameters?: Parameters): Promise<DuckDBResult>;
  interrupt(): void;
  /** @param rows The rows of the result; absent if it was not read to its end. */
  release(rows?: number): void;
}

/** @param ended Ends the wait for a lease, with its reason. */
export type AcquireLease = (sql: string, ended?: AbortSignal) => Promise<StatementLease>;

/** The prepared statements kept idle for reuse, latest first. Unit: statements. */
const MAX_KEPT_PLANS = 16;

/** The least memory of the engine for each of them, whose plans fill two fifths of it together. Unit: MiB. */
const KEPT_PLAN_MIB = 32;

/**
 * The memory of the engine for each character of a long one: its plan keeps 0.8 to 1.0 KiB of its last run, as each join and each sum
 * of a plan keeps its hash table. Unit: KiB.
 */
const KEPT_CHARACTER_KIB = 2.5;

/**
 * A plan keeps some memory of its last run (5 MB for 250 rows), so only small results keep theirs. Unit: rows.
 * A comparison of states keeps much more, its lines, and no later one can use it: the states are attached by other names.
 */
const MAX_KEPT_ROWS = 2_000;

/** Opens one connection whose statements run one after the other. */
export async function openSingleConnection(
  instance: DuckDBInstance,
): Promise<{ acquire: AcquireLease; close(): void }> {
  const connection = await instance.connect();
  const enqueue = createSerialQueue();
  const acquire: AcquireLease = (sql) =>
    new Promise((resolve) => {
      const grant = (release: () => void) =>
        resolve({
          run: (parameters) => connection.run(sql, parameters),
          stream: (parameters) => connection.stream(sql, parameters),
          interrupt: () => connection.interrupt(),
          release: () => release(),
        });
      void enqueue(() => new Promise<void>(grant));
    });
  return { acquire, close: () => connection.closeSync() };
}

interface PlannedStatement {
  readonly sql: string;
  /** The name of the views that it reads; undefined for the file. */
  readonly catalog: string | undefined;
  readonly connection: DuckDBConnection;
  prepared?: DuckDBPreparedStatement;
}

/** Returns the memory of the engine for kept plans. Unit: MiB. */
function memoryOf(plans: readonly PlannedStatement[]): number {
  return plans.reduce((sum, { sql }) => sum + Math.max(KEPT_PLAN_MIB, (sql.length * KEPT_CHARACTER_KIB) / 1024), 0);
}

export interface ConnectionPool {
  /**
   * @param ended Ends the wait for the parts that the statement shares with others.
   * @param catalog The name of a database of views that the statement reads. Default: the file.
   */
  acquire(sql: string, ended?: AbortSignal, catalog?: string): Promise<StatementLease>;
  /** Closes the idle connections that read views, or all. */
  close(catalog?: string): void;
}

/**
 * Opens a pool with one connection for each statement.
 * A read-only database reuses recent plans: planning is a third of a report's time, and more where it reads views.
 * A writable one can't: a plan relies on the table contents at planning time.
 * @param options memoryLimitMib: the memory that plans share with running statements.
 */
export function openConnectionPool(
  instance: DuckDBInstance,
  { readOnly = false, memoryLimitMib = Number.POSITIVE_INFINITY }: Pick<OpenOptions, 'readOnly' | 'memoryLimitMib'>,
): ConnectionPool {
  let kept: PlannedStatement[] = [];
  const parts = readOnly ? makePartKeeper(instance, memoryLimitMib) : undefined;
  const connect = async (catalog: string | undefined) => {
    const connection = await instance.connect();
    if (catalog !== undefined) await connection.run(`USE ${catalog}`);
    return connection;
  };
  const acquire: ConnectionPool['acquire'] = async (text, ended, catalog) => {
    const taken = await parts?.take(text, catalog, ended);
    const leave = () => taken?.release();
    try {
      return await leaseOf(taken?.sql ?? text, catalog, leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
  const leaseOf = async (sql: string, catalog: string | undefined, leave: () => void): Promise<StatementLease> => {
    const index = kept.findLastIndex((plan) => plan.sql === sql && plan.catalog === catalog);
    const [found] = index < 0 ? [] : kept.splice(index, 1);
    const plan: PlannedStatement = found ?? { sql, catalog, connection: await connect(catalog) };
    const prepare = async (parameters?: Parameters) => {
      plan.prepared ??= await plan.connection.prepare(sql);
      if (parameters) plan.prepared.bind(parameters);
      return plan.prepared;
    };
    return {
      run: async (parameters) => (await prepare(parameters)).run(),
      stream: async (parameters) => (await prepare(parameters)).stream(),
      interrupt: () => plan.connection.interrupt(),
      release(rows = Number.POSITIVE_INFINITY) {
        leave();
        const isOfOtherFile = [ATTACHED, VIEWS].some((name) => sql.includes(name));
        if (!readOnly || isOfOtherFile || rows > MAX_KEPT_ROWS || memoryOf([plan]) > memoryLimitMib)
          return plan.connection.closeSync();
        kept.push(plan);
        while (kept.length > MAX_KEPT_PLANS || memoryOf(kept) > memoryLimitMib) kept.shift()?.connection.closeSync();
      },
    };
  };
  return {
    acquire,
    close(catalog) {
      const isClosed = (plan: PlannedStatement) => catalog === undefined || plan.catalog === catalog;
      for (const { connection } of kept.filter(isClosed)) connection.closeSync();
      kept = kept.filter((plan) => !isClosed(plan));
      parts?.close(catalog);
    },
  };
}
