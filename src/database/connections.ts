import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import type { Parameters } from './parameter.ts';
import { takeTurns } from './turns.ts';

/** A statement, and a connection for it that is somebody's until it is given back. */
export interface Taken {
  /** Computes all before it resolves. */
  run(parameters?: Parameters): Promise<DuckDBMaterializedResult>;
  /** Computes as the chunks are fetched. */
  stream(parameters?: Parameters): Promise<DuckDBResult>;
  interrupt(): void;
  /** @param rows How many it gave; absent when they weren't read to their end. */
  giveBack(rows?: number): void;
}

/** Takes a connection for a statement. */
export type Take = (sql: string) => Promise<Taken>;

/** How many planned statements a database keeps that nobody runs just now, the latest. Unit: statements. */
const MAX_KEPT_PLANS = 16;

/** A plan holds on to some of the memory of its last run (5 MB of a report of 250 rows), so only those of small results are kept. Unit: rows. */
const MAX_KEPT_ROWS = 2_000;

/** One connection, which statements take turns on. */
export async function openTurns(instance: DuckDBInstance): Promise<{ take: Take; close(): void }> {
  const connection = await instance.connect();
  const inTurn = takeTurns();
  const take: Take = (sql) =>
    new Promise((resolve) => {
      const lend = (giveBack: () => void) =>
        resolve({
          run: (parameters) => connection.run(sql, parameters),
          stream: (parameters) => connection.stream(sql, parameters),
          interrupt: () => connection.interrupt(),
          giveBack: () => giveBack(),
        });
      void inTurn(() => new Promise<void>(lend));
    });
  return { take, close: () => connection.closeSync() };
}

/** A statement that has been planned, on its connection. */
interface Plan {
  readonly sql: string;
  readonly connection: DuckDBConnection;
  prepared?: DuckDBPreparedStatement;
}

/**
 * A connection of its own for each statement. Of a database that nobody writes to, a statement that has been run lately is not planned again, which
 * for a report takes a third of its time. Where somebody writes that would be wrong: a plan relies on what the tables held when it was made.
 */
export function openPool(instance: DuckDBInstance, isReadOnly: boolean): { take: Take; close(): void } {
  const maxKept = isReadOnly ? MAX_KEPT_PLANS : 0;
  const kept: Plan[] = [];
  const take: Take = async (sql) => {
    const index = kept.findLastIndex((plan) => plan.sql === sql);
    const [found] = index < 0 ? [] : kept.splice(index, 1);
    const plan: Plan = found ?? { sql, connection: await instance.connect() };
    const prepare = async (parameters?: Parameters) => {
      plan.prepared ??= await plan.connection.prepare(sql);
      if (parameters) plan.prepared.bind(parameters);
      return plan.prepared;
    };
    return {
      run: async (parameters) => (await prepare(parameters)).run(),
      stream: async (parameters) => (await prepare(parameters)).stream(),
      interrupt: () => plan.connection.interrupt(),
      giveBack(rows = Number.POSITIVE_INFINITY) {
        if (rows > MAX_KEPT_ROWS) return plan.connection.closeSync();
        kept.push(plan);
        if (kept.length > maxKept) kept.shift()?.connection.closeSync();
      },
    };
  };
  return { take, close: () => kept.splice(0).forEach(({ connection }) => void connection.closeSync()) };
}
