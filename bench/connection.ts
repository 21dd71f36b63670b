import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';

/** Runs work on a database file (or `:memory:`) with DuckDB's defaults. */
export async function withConnection<T>(file: string, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(file);
  try {
    const connection = await instance.connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

export async function readNumber(connection: DuckDBConnection, sql: string): Promise<number> {
  const [row] = (await connection.runAndReadAll(sql)).getRows();
  return Number(row?.[0]);
}

export async function readText(connection: DuckDBConnection, sql: string): Promise<string> {
  const [row] = (await connection.runAndReadAll(sql)).getRows();
  return String(row?.[0]);
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
