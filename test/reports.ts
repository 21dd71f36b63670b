import type { Database } from '../src/base/database/database.ts';
import type { Baseline } from '../src/numbers/report/catalogue/baseline.ts';
import type { Catalogue } from '../src/numbers/report/catalogue/catalogue.ts';
import { hideRates } from '../src/numbers/report/catalogue/rates.ts';
import type { Table } from '../src/numbers/report/catalogue/table.ts';
import { runTold } from '../src/numbers/report/insights/insights.ts';
import { readWorkbook as readTables, type Workbook } from '../src/numbers/report/workbook/workbook.ts';
import { assertFormat } from '../src/store/ask/assert-format.ts';
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
