import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { quote, withConnection } from '../connection.ts';
import { type Measured, repeat } from '../measure.ts';

const firm = "status IN ('confirmed', 'completed')";

function aggregateOf(table: string, start: string, end: string): string {
  return `
    SELECT project_id,
           sum(hours) FILTER (kind = 'scheduled' AND ${firm}) AS scheduled_hours,
           sum(hours) FILTER (kind = 'scheduled' AND ${firm} AND billable) AS scheduled_billable_hours,
           sum(hours) FILTER (kind = 'scheduled' AND status = 'tentative') AS tentative_hours,
           sum(cost) FILTER (kind = 'scheduled' AND ${firm}) AS scheduled_cost,
           sum(fee) FILTER (kind = 'scheduled' AND ${firm}) AS scheduled_fees,
           sum(hours) FILTER (kind = 'actual') AS actual_hours,
           sum(hours) FILTER (kind = 'actual' AND billable) AS actual_billable_hours,
           sum(cost) FILTER (kind = 'actual') AS actual_cost,
           sum(fee) FILTER (kind = 'actual') AS actual_fees,
           sum(cost) FILTER (kind = 'expense') AS expense_cost,
           sum(fee) FILTER (kind = 'expense') AS expense_fees
    FROM ${table}
    WHERE date BETWEEN ${quote(start)} AND ${quote(end)}
    GROUP BY project_id`;
}

async function readChunks(connection: DuckDBConnection, sql: string): Promise<number> {
  const result = await connection.stream(sql);
  const rows: DuckDBValue[][] = [];
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return rows.length;
    rows.push(...chunk.getRows());
  }
}

/** Runs the comparator of the report: one aggregate over a ledger, read in chunks, on one connection. */
export async function aggregateQuarter(
  databaseFile: string,
  table: string,
  start: string,
  end: string,
  runs: number,
): Promise<Measured<number>> {
  return withConnection(databaseFile, (connection) =>
    repeat(runs, () => readChunks(connection, aggregateOf(table, start, end))),
  );
}
