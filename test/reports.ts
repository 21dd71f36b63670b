import { assertFormat } from '../src/ask/assert-format.ts';
import type { Database } from '../src/database/database.ts';
import type { Baseline } from '../src/report/catalogue/baseline.ts';
import type { Catalogue } from '../src/report/catalogue/catalogue.ts';
import { hideRates } from '../src/report/catalogue/rates.ts';
import type { Table } from '../src/report/catalogue/table.ts';
import { runTold } from '../src/report/insights/insights.ts';
import { readWorkbook as readTables, type Workbook } from '../src/report/workbook/workbook.ts';
import { readQuery } from './read-query.ts';

export interface ReportOptions {
  /** The moment that defines today. Default: now. */
  readonly now?: Date;
  readonly seesRates?: boolean;
  readonly hasAliases?: boolean;
  readonly baseline?: Baseline | undefined;
}

/** Parses and runs a request for a report, like the command line. */
export async function runReport(
  database: Database,
  catalogue: Catalogue,
  name: string,
  sent: Readonly<Record<string, string>>,
  options: ReportOptions = {},
): Promise<Table> {
  const { context, query } = await read(database, catalogue, name, sent, options);
  return runTold(context, query);
}

/** Parses a request for a report, and reads its workbook. */
export async function readWorkbook(
  database: Database,
  catalogue: Catalogue,
  name: string,
  sent: Readonly<Record<string, string>>,
  options: ReportOptions = {},
): Promise<Workbook> {
  const { context, query } = await read(database, catalogue, name, sent, options);
  assertFormat(query, 'xlsx');
  return readTables(context, query, catalogue);
}

function read(
  database: Database,
  catalogue: Catalogue,
  name: string,
  sent: Readonly<Record<string, string>>,
  { now = new Date(), ...options }: ReportOptions,
): ReturnType<typeof readQuery> {
  return readQuery(database, { full: catalogue, withoutRates: hideRates(catalogue) }, name, sent, { now, ...options });
}
