import type { Database } from '../src/base/database/database.ts';
import { type Catalogues, todayOf } from '../src/numbers/report/catalogue/definitions.ts';
import { parseReportRequest, type Query } from '../src/numbers/report/request/number.ts';
import type { QueryOptions } from '../src/numbers/report/request/query.ts';
import type { ReportContext } from '../src/numbers/report/run/run.ts';
import { readCompany } from '../src/numbers/report/source/read-company.ts';

type ReadOptions = Omit<QueryOptions, 'today' | 'company'> &
  Pick<ReportContext, 'now'> &
  Pick<ReportContext, 'earlier'> & {
    /** The kept state that the database is of. */
    readonly asOf?: ReportContext['company']['asOf'];
  };

/**
 * Reads the settings in a database, and parses a request for a report of it.
 * @param now The moment that defines today.
 */
export async function readQuery(
  database: Database,
  catalogues: Catalogues,
  name: string,
  sent: Readonly<Record<string, string>>,
  { now, asOf, earlier, ...options }: ReadOptions,
): Promise<{ context: ReportContext; query: Query }> {
  const company = { ...(await readCompany(database)), asOf };
  const days = { company, today: todayOf(company, now) };
  return {
    context: { database, company, now, earlier },
    query: parseReportRequest(catalogues, name, sent, { ...options, ...days }),
  };
}
