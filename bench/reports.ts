import type { Database } from '../src/base/database/database.ts';
import type { Catalogues } from '../src/numbers/report/catalogue/rates.ts';
import type { Table } from '../src/numbers/report/catalogue/table.ts';
import { runReport as runQuery } from '../src/numbers/report/run/run.ts';
import { readQuery } from '../test/read-query.ts';

/** Parses and runs a request for a report, like the command line. */
export async function runReport(
  database: Database,
  catalogues: Catalogues,
  name: string,
  sent: Readonly<Record<string, string>>,
): Promise<Table> {
  const { context, query } = await readQuery(database, catalogues, name, sent, { now: new Date() });
  return runQuery(context, query);
}
