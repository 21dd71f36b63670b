import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import type { Parameters } from '../database.ts';
import { takeTurns } from './turns.ts';

/** A statement, and a connection for it that is somebody's until it is given back. */
export interface Taken {
  /** Computes all before it resolves. */
  run(parameters?: Parameters): Promise<DuckDBResult>;
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

/** A plan holds on to the memory that its last run took, so only those of small results are kept. Unit: rows. */
const MAX_KEPT_ROWS = 2_000;

/** One connection, which statements take turns on. */
export async function openTurns(instance: DuckDBInstance): Promise<{ take: Take; close(): void }> {
  const connection = await instance.connect();
  const inTurn = takeTurns();
  const take: Take = (sql) =>
    new Promise((resolve) => {
      void inTurn(() => new Promise<void>((giveBack) => resolve(takeOn(connection, sql, () => giveBack()))));
    });
  return { take, close: () => connection.closeSync() };
}

/** A connection of its own for each statement, of a database that may be written to meanwhile. */
export function openPool(instance: DuckDBInstance): { take: Take; close(): void } {
  const take: Take = async (sql) => {
    const connection = await instance.connect();
    return takeOn(connection, sql, () => connection.closeSync());
  };
  return { take, close: () => undefined };
}

function takeOn(connection: DuckDBConnection, sql: string, giveBack: () => void): Taken {
  return {
    run: (parameters) => connection.run(sql, parameters),
    stream: (parameters) => connection.stream(sql, parameters),
    interrupt: () => connection.interrupt(),
    giveBack,
  };
}

/** A statement that has been planned, on its connection. */
interface Plan {
  readonly sql: string;
  readonly connection: DuckDBConnection;
  prepared?: DuckDBPreparedStatement;
}

/**
 * The same of a database that nobody writes to. A statement that has been run lately is not planned again, which for a report takes a third of
 * its time. Where somebody writes that would be wrong: a plan relies on what the tables held when it was made.
 */
export function openPlans(instance: DuckDBInstance): { take: Take; close(): void } {
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
        if (kept.length > MAX_KEPT_PLANS) kept.shift()?.connection.closeSync();
      },
    };
  };
  return { take, close: () => kept.splice(0).forEach(({ connection }) => void connection.closeSync()) };
}
