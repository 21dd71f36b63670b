import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Lend } from './statement.ts';
import { takeTurns } from './turns.ts';

/** How many connections are kept for the next readers. */
const MAX_IDLE_CONNECTIONS = 8;

/** A connection that is somebody's until it is given back. */
export interface Taken {
  readonly connection: DuckDBConnection;
  giveBack(): void;
}

/** Connections beside the first. */
export function openPool(instance: DuckDBInstance) {
  const idle: DuckDBConnection[] = [];
  const lend: Lend = async (work) => {
    const connection = idle.pop() ?? (await instance.connect());
    try {
      return await work(connection);
    } finally {
      if (idle.length < MAX_IDLE_CONNECTIONS) idle.push(connection);
      else connection.closeSync();
    }
  };
  const take = async (): Promise<Taken> => {
    const connection = await instance.connect();
    return { connection, giveBack: () => connection.closeSync() };
  };
  return { lend, take, close: () => idle.splice(0).forEach((connection) => void connection.closeSync()) };
}

/** One connection, which statements take turns on. */
export async function openTurns(instance: DuckDBInstance) {
  const connection = await instance.connect();
  const inTurn = takeTurns();
  const lend: Lend = (work) => inTurn(() => work(connection));
  const take = () =>
    new Promise<Taken>((resolve) => {
      void inTurn(() => new Promise<void>((giveBack) => resolve({ connection, giveBack })));
    });
  return { lend, take, close: () => connection.closeSync() };
}
