/*
 * The one door to reports: HTTP, OData, tools, commands, filed reports, closings, control totals and tie-outs ask here.
 * `state-parameters` reads which states a request names, `find-states` finds them, `open-states` opens them in a `turn`,
 * this file parses and runs, `write-asked` writes. `open-data` asks a database that is open, `ask-preview` one with changes.
 * Doors read requests and send bytes.
 */
import type { Catalogues, Table } from '../../numbers/report/catalogue/index.ts';
import { runTold } from '../../numbers/report/insights/insights.ts';
import { parseReportRequest, type Query, type QueryOptions } from '../../numbers/report/request/number.ts';
import type { ReaderContext } from '../../numbers/report/run/run.ts';
import { FORMATS, type FormatName } from '../../numbers/write/index.ts';
import { assertFormat } from './assert-format.ts';
import type { ReportParameters } from './state-references.ts';

/**
 * Parses a request for a report of opened states.
 * @param sent The parameters, as findStates has completed them.
 * @throws AppError as parseReportRequest and assertFormat.
 */
export function parseAsked(
  catalogues: Catalogues,
  name: string,
  sent: ReportParameters,
  data: QueryOptions,
  format?: FormatName,
): Query {
  const hasAliases = format !== undefined && 'hasAliases' in FORMATS[format];
  const query = parseReportRequest(catalogues, name, sent, { ...data, hasAliases });
  if (format !== undefined) assertFormat(query, format);
  return query;
}

/** Parses a request and runs it, with what is to be said of its rows. @throws AppError as parseAsked and runTold. */
export async function runAsked(
  catalogues: Catalogues,
  name: string,
  sent: ReportParameters,
  context: ReaderContext,
): Promise<Table> {
  return runTold(context, parseAsked(catalogues, name, sent, context));
}
