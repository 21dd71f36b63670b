import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';

/** Opens a database file (or `:memory:`) with DuckDB's own defaults, runs the work and closes it again. */
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

/** The first value of a query's first row, as a number. */
export async function readNumber(connection: DuckDBConnection, sql: string): Promise<number> {
  const [row] = (await connection.runAndReadAll(sql)).getRows();
  return Number(row?.[0]);
}

/** The first value of a query's first row, as text. */
export async function readText(connection: DuckDBConnection, sql: string): Promise<string> {
  const [row] = (await connection.runAndReadAll(sql)).getRows();
  return String(row?.[0]);
}

/** A text as an SQL literal. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
