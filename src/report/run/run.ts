/*
 * A plan becomes a table: `run-summary` for reports that sum, `run-list` for those that list, `run-number` for one number.
 * `read-groups` reads rows, periods across and subtotals at once, `read-sums` rows and totals alone.
 * All sums are compared with each other and with the ledger (`ties`) before anybody sees them.
 * Other parts import this file.
 */
import type { Database } from '../../database/database.ts';
import { inTurns } from '../../pace.ts';
import type { Baseline } from '../catalogue/baseline.ts';
import { type Company, todayOf } from '../catalogue/company-settings.ts';
import type { Catalogues } from '../catalogue/rates.ts';
import type { Table } from '../catalogue/table.ts';
import { parseReportRequest } from '../request/number.ts';
import type { Query, QueryOptions } from '../request/query.ts';
import { readCompany } from '../source/read-company.ts';
import type { ReportContext } from './context.ts';
import type { EarlierDays } from './earlier.ts';
import { runChangedLines } from './run-changed-lines.ts';
import { runChanges } from './run-changes.ts';
import { runList } from './run-list.ts';
import { runNumber } from './run-number.ts';
import { runSummary } from './run-summary.ts';

export { COMPARED_RELATIONS } from '../source/relations.ts';
export { attachBaseline } from './attach-baseline.ts';
export type { ReaderContext, ReportContext } from './context.ts';
export { attachEarlier } from './earlier.ts';

interface ReadOptions extends Omit<QueryOptions, 'today' | 'company' | 'baseline'> {
  readonly now: Date;
  /** The kept state that the database is of. */
  readonly asOf?: Company['asOf'];
  /** The kept states that the database is compared with. */
  readonly earlier?: readonly EarlierDays[] | undefined;
  readonly baseline?: Baseline | undefined;
}

/**
 * Reads the settings in a database, and parses a request for a report of it.
 * @param now The moment that defines today.
 * @throws AppError storage when nothing has been loaded, and any error of parseReportRequest.
 */
export async function readQuery(
  database: Database,
  catalogues: Catalogues,
  name: string,
  sent: Readonly<Record<string, string>>,
  { now, asOf, earlier, baseline, ...options }: ReadOptions,
): Promise<{ context: ReportContext; query: Query }> {
  const company = { ...(await readCompany(database)), asOf };
  const days = { company, today: todayOf(company, now) };
  return {
    context: { database, company, now, earlier, baseline },
    query: parseReportRequest(catalogues, name, sent, { ...options, ...days, baseline }),
  };
}

/**
 * Runs a query.
 * @throws AppError usage for an unknown column, limit for too many rows, check when the numbers don't tie out.
 */
export async function runReport(context: ReportContext, query: Query): Promise<Table> {
  const table = await runTable(context, query);
  // Other requests go on between the pieces, whichever door reads the rows.
  return { ...table, rows: inTurns(table.rows) };
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
