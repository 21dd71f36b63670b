import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import { ATTACHED } from './attachments.ts';
import type { Parameters } from './parameter.ts';
import { createSerialQueue } from './serial-queue.ts';

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

export type AcquireLease = (sql: string) => Promise<StatementLease>;

/** The prepared statements kept idle for reuse, latest first. Unit: statements. */
const MAX_KEPT_PLANS = 16;

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
  readonly connection: DuckDBConnection;
  prepared?: DuckDBPreparedStatement;
}

/**
 * Opens a pool with one connection for each statement.
 * A read-only database reuses recent plans: planning is a third of a report's time.
 * A writable one can't: a plan relies on the table contents at planning time.
 */
export function openConnectionPool(
  instance: DuckDBInstance,
  isReadOnly: boolean,
): { acquire: AcquireLease; close(): void } {
  const maxKept = isReadOnly ? MAX_KEPT_PLANS : 0;
  const kept: PlannedStatement[] = [];
  const acquire: AcquireLease = async (sql) => {
    const index = kept.findLastIndex((plan) => plan.sql === sql);
    const [found] = index < 0 ? [] : kept.splice(index, 1);
    const plan: PlannedStatement = found ?? { sql, connection: await instance.connect() };
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
        if (rows > MAX_KEPT_ROWS || sql.includes(ATTACHED)) return plan.connection.closeSync();
        kept.push(plan);
        if (kept.length > maxKept) kept.shift()?.connection.closeSync();
      },
    };
  };
  return { acquire, close: () => kept.splice(0).forEach(({ connection }) => void connection.closeSync()) };
}
