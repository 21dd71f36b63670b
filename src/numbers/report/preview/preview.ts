/*
 * A report before and after some changes, and the bridge between the two by cause, each a table like any other.
 * The changes are in an open transaction; the state before it is read by another connection, and by qualified names.
 * Other parts import this file.
 */
import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import { type Catalogue, findReport, type Report, summingReports } from '../catalogue/catalogue.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { allParametersOf, WINDOW_PARAMETERS } from '../catalogue/parameters.ts';
import type { Catalogues } from '../catalogue/rates.ts';
import type { Table } from '../catalogue/table.ts';
import { runTold } from '../insights/insights.ts';
import { reselect } from '../request/change-query.ts';
import { parseReportRequest } from '../request/number.ts';
import type { Query, QueryOptions } from '../request/query.ts';
import { comparedRelations } from '../run/compared-relations.ts';
import type { ReportContext } from '../run/context.ts';
import { runReport } from '../run/run.ts';
import { readCompany } from '../source/read-company.ts';

/** A report, whose numbers are to be compared before and after changes. */
export interface PreviewRequest {
  readonly report: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The measures of the bridge, with commas. Default: the forecast, as far as the reader sees it. */
  readonly measures: string | undefined;
}

export interface PreviewTables {
  readonly before: Table;
  readonly after: Table;
  /** The bridge, with a row for each measure of a row of the report. */
  readonly changes: Table;
}

/** Where the numbers are read. */
export interface PreviewContext extends ReportContext {
  /** Reads the data with the changes. `database` reads those before. */
  readonly after: Database;
  /** The name that qualifies the relations before the changes, in statements of `after`. */
  readonly catalog: string;
  /** The day in the company's time zone. */
  readonly today: string;
}

interface PreviewQueries {
  readonly report: Query;
  readonly bridge: Query;
}

const BRIDGE = 'changes';

/** The measures of the bridge by default. */
const FORECAST = ['forecast_hours', 'forecast_cost', 'forecast_fees'];

/** Parameters of the bridge that choose its lines, beside filters. */
const OF_LINES = [...WINDOW_PARAMETERS, 'period', 'cutoff_date', 'status'];

/** The parameters of reports that a preview refuses, with the reason. */
export const REFUSED_PARAMETERS: Readonly<Record<string, string>> = {
  as_of: 'a preview is of the data as they are',
  baseline: 'a preview compares with the data as they are',
  subtotals: 'a preview has no place for them',
};

/**
 * Parses a request for a preview.
 * @throws AppError as parseReportRequest, and usage for a report that sums nothing.
 */
export function parsePreview(
  catalogues: Catalogues,
  { report: name, parameters, measures }: PreviewRequest,
  options: QueryOptions,
): PreviewQueries {
  const { full, withoutRates } = catalogues;
  const summing = summingReports(full).map((report) => report.name);
  const found = findReport(full, name);
  if (!summing.includes(name)) throw wrong('report', `report: ${name} has no sums; give one of ${summing.join(', ')}`);
  for (const [refused, reason] of Object.entries(REFUSED_PARAMETERS)) {
    if (parameters[refused] !== undefined) throw wrong(refused, `${refused}: ${reason}; leave it out`);
  }
  const report = parseReportRequest(catalogues, name, parameters, options);
  const seen = options.seesRates === false ? withoutRates : full;
  const standard = FORECAST.filter((measure) => seen.measures.has(measure)).join(',');
  const sent = {
    ...parametersOfBridge(full, found, parameters),
    group_by: rowsOf(report).join(','),
    from: 'before',
    measures: measures ?? standard,
  };
  const bridge = parseReportRequest(catalogues, BRIDGE, sent, { ...options, hasAliases: false });
  // The filter of active rows is that of the report.
  const { active } = found;
  const own = active === undefined ? {} : { active };
  return { report, bridge: reselect(bridge, { report: { ...bridge.selection.report, ...own } }) };
}

/** Returns the relations of the state before that the bridge of a request reads, beside the ledger. */
export function relationsBefore(
  { full }: Catalogues,
  { measures }: Pick<PreviewRequest, 'measures'>,
): readonly string[] {
  return comparedRelations(full, measures?.split(',') ?? FORECAST);
}

/** Returns the parameters of a report by which the bridge has the same lines. */
function parametersOfBridge(catalogue: Catalogue, report: Report, sent: PreviewRequest['parameters']) {
  const taken = allParametersOf(catalogue, findReport(catalogue, BRIDGE));
  const ofLines = taken.filter(({ name, filter }) => filter || OF_LINES.includes(name)).map(({ name }) => name);
  const kept = Object.entries(sent).filter(([name]) => ofLines.includes(name) && !report.without?.includes(name));
  return Object.fromEntries(kept);
}

/** Returns the dimensions of the rows of a report, its periods among them. */
function rowsOf({ grouping: { dimensions, across, interval } }: Query): string[] {
  const periods = typeof interval === 'string' ? [interval] : [];
  return [...new Set([...[...dimensions, ...across].map(({ name }) => name), ...periods])];
}

/** Reads both reports and their bridge. @throws AppError as runReport does. */
export async function runPreview(
  context: PreviewContext,
  catalogues: Catalogues,
  request: PreviewRequest,
  options: Omit<QueryOptions, 'today' | 'company' | 'closings' | 'books'>,
): Promise<PreviewTables> {
  const { after, catalog, today, ...before } = context;
  const { company, database, closings, books } = before;
  const was = parsePreview(catalogues, request, { ...options, today, company, closings, books });
  const later = { ...before, database: after, company: await readChanged(after, company) };
  // Logged time among the changes may move the cutoff.
  const became = parsePreview(catalogues, request, { ...options, today, company: later.company, closings, books });
  const { cutoffDate } = was.bridge.selection;
  const earlier = { database, catalog, company, today, cutoffDate, books };
  const compared = [{ days: undefined, open: async () => earlier }];
  return {
    before: await runTold(before, was.report),
    after: await runTold(later, became.report),
    changes: nameStates(await runReport({ ...later, earlier: compared }, became.bridge)),
  };
}

/** Names the two states, neither of which is kept. */
function nameStates(table: Table): Table {
  const { from, to, ...meta } = table.meta;
  if (!from || 'closings' in from || !to) return table;
  return { ...table, meta: { ...meta, from: { ...from, state: 'before' }, to: { ...to, state: 'after' } } };
}

/** Reads the settings of the data with the changes, which have no version of their own. */
async function readChanged(after: Database, { dataVersion, loadedAt }: Company): Promise<Company> {
  return { ...(await readCompany(after)), dataVersion, loadedAt };
}

function wrong(field: string, message: string): AppError {
  return new AppError('usage', message, { fields: [{ field, message }] });
}
