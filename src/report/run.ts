import type { Database } from '../database/database.ts';
import { AppError } from '../error.ts';
import { aliasesOf, type Catalogue, type Report } from './catalogue.ts';
import { type Company, readCompany, todayOf } from './company-settings.ts';
import { parseParameters } from './parameters.ts';
import { assertVisible, hiddenColumns, hideRates } from './rates.ts';
import { runList } from './run-list.ts';
import { runSummary } from './run-summary.ts';
import type { Table } from './table.ts';

export interface ReportOptions {
  /** The moment that defines today. Default: now. */
  readonly now?: Date;
  /**
   * False for readers without the scope rates. Default: true.
   * Without it no statement names a column that reveals a cost, so the copy without rates will do.
   */
  readonly seesRates?: boolean;
  /** The settings, if already read from this generation. Default: they are read. */
  readonly company?: Company;
  /** True to add the JSON aliases to the rows. Default: false. */
  readonly hasAliases?: boolean;
  /** The most rows of a report that sums, which is held in memory. Default: no limit. */
  readonly maxRows?: number;
}

/**
 * Runs a report.
 * @param sent The parameters as texts.
 * @throws AppError unknown for an unknown report, usage for a wrong parameter, forbidden for a hidden
 * column, limit for too many rows, check when the numbers don't tie out.
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

/**
 * Returns the report with a name.
 * @throws AppError unknown, listing the known ones.
 */
export function findReport(catalogue: Catalogue, name: string): Report {
  const report = catalogue.reports.get(name);
  if (report) return report;
  throw new AppError('unknown', `There is no report "${name}"`, {
    hint: `The reports are ${[...catalogue.reports.keys()].join(', ')}.`,
  });
}
