import { regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runSummary } from '../run/run-summary.ts';
import { NO_ROWS } from './comparisons.ts';

/** Reads the fees of a query that are beyond agreed fees, which nobody may pay (3.3.1). */
export async function readFeesBeyond(context: ReportContext, query: Query): Promise<string> {
  const measure = query.selection.catalogue.measures.get('fees_beyond_budget');
  const totals = {
    ...NO_ROWS,
    measures: measure ? [measure] : [],
    interval: undefined,
    across: [],
    hasSubtotals: false,
  };
  const table = await runSummary(context, regroup(query, totals));
  return String(table.totals?.[0] ?? '0');
}
