/*
 * A plan becomes a table: `run-summary` for reports that sum, `run-list` for those that list, `run-number` for one number.
 * `read-sums` reads rows, periods across and subtotals at once.
 * All sums are compared with each other and with the ledger (`ties`) before anybody sees them.
 * Other parts import this file.
 */
import type { Calendar } from '../../../base/calendar/index.ts';
import { inTurns } from '../../../base/index.ts';
import type { Table } from '../catalogue/table.ts';
import { comparedColumns } from '../compare/compile-changes.ts';
import { planList } from '../plan/plan-list.ts';
import { planNumber } from '../plan/plan-number.ts';
import { checkColumns, type Query } from '../request/query.ts';
import type { ReportContext } from './context.ts';
import { prepareSums } from './prepare-sums.ts';
import { runChangedLines } from './run-changed-lines.ts';
import { runChanges } from './run-changes.ts';
import { runList } from './run-list.ts';
import { runNumber } from './run-number.ts';
import { runSummary } from './run-summary.ts';

export { attachBaseline } from './attach-baseline.ts';
export type { ReaderContext, ReportContext } from './context.ts';
export { attachEarlier } from './earlier.ts';
export { nameUnknownRows } from './unknown-ids.ts';

/**
 * Runs a query.
 * @throws AppError usage for an unknown column, limit for too many rows, check when the numbers don't tie out.
 */
export async function runReport(context: ReportContext, query: Query): Promise<Table> {
  const table = await runTable(context, query);
  // Other requests go on between the pieces, whichever door reads the rows.
  return { ...table, rows: inTurns(table.rows) };
}

/**
 * Checks that a report has the columns that a query names, without its data.
 * @throws AppError usage for an unknown column.
 */
export function assertColumns(query: Query, calendar: Calendar): void {
  if (query.compared) {
    const names = comparedColumns(query).map(({ name }) => name);
    checkColumns(query, names);
  } else if (query.number) planNumber(query, query.number, calendar);
  else if (query.selection.report.relation) planList(query, calendar);
  else prepareSums(calendar, query);
}

function runTable(context: ReportContext, query: Query): Promise<Table> {
  if (query.compared) return compare(context, query);
  if (query.number) return runNumber(context, query, query.number);
  return query.selection.report.relation ? runList(context, query) : runSummary(context, query);
}

/** Runs a report that compares two states: the lines behind a difference, or the differences. */
function compare(context: ReportContext, query: Query): Promise<Table> {
  const isOfLines = query.selection.report.parameters?.includes('measure');
  return isOfLines ? runChangedLines(context, query) : runChanges(context, query);
}
