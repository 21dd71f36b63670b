import type { Database } from '../database/database.ts';
import { AppError } from '../error.ts';
import { aliasesOf, type Catalogue, type Report } from './catalogue.ts';
import { type Company, readCompany, todayOf } from './company-settings.ts';
import { parseParameters } from './parameters.ts';
import { assertVisible, hiddenColumns, hideRates } from './rates.ts';
import { runList } from './run-list.ts';
import { runSummary } from './run-summary.ts';
import type { Table } from './table.ts';

/** Who reads a report, and when. */
export interface ReportOptions {
  /** The moment that "today" is taken from. Default: now. */
  readonly now?: Date;
  /**
   * Whether the reader may see what work costs. Without, no statement names a column that a cost could be read from, so the database may be
   * the copy that hasn't got them. Default: true.
   */
  readonly seesRates?: boolean;
  /** What the database holds, where it has been read already and stays so. Default: it is read. */
  readonly company?: Company;
  /** True to add the aliases of JSON to rows. Default: no. */
  readonly hasAliases?: boolean;
  /** The most rows that a report that sums may have, for it is held in memory. Default: no limit. */
  readonly maxRows?: number;
}

/**
 * Runs a report.
 * @param sent Its parameters as typed.
 * @throws AppError unknown for a report that there isn't, usage for a wrong parameter, forbidden for a column that the reader may not see,
 *   limit when it has more rows than it may, check when the numbers don't tie out.
 */
export async function runReport(
  database: Database,
  catalogue: Catalogue,
  name: string,
  sent: Readonly<Record<string, string>>,
  {
    now = new Date(),
    seesRates = true,
    maxRows = Number.POSITIVE_INFINITY,
    company: known,
    hasAliases = false,
  }: ReportOptions = {},
): Promise<Table> {
  const hidden = seesRates ? [] : hiddenColumns(catalogue, findReport(catalogue, name));
  assertVisible(sent, hidden);
  const shown = seesRates ? catalogue : hideRates(catalogue);
  const report = findReport(shown, name);
  const company = known ?? (await readCompany(database));
  const query = parseParameters(shown, report, sent, todayOf(company, now));
  const aliases = hasAliases ? aliasesOf(shown, report) : [];
  const context = { database, query, company, now, hidden, maxRows, aliases };
  return report.relation ? runList(context) : runSummary(context, shown, seesRates);
}

/** The report of a name. @throws AppError unknown, naming those that there are. */
export function findReport(catalogue: Catalogue, name: string): Report {
  const report = catalogue.reports.get(name);
  if (report) return report;
  throw new AppError('unknown', `There is no report "${name}"`, {
    hint: `The reports are ${[...catalogue.reports.keys()].join(', ')}.`,
  });
}
