import { quoteText } from '../../../base/database/index.ts';
import { EARNING_KEYS, readsPlannedFees } from './agreed-fees.ts';
import { readRule } from './fact-rules.ts';
import { kindLiteral } from './query-sql.ts';
import { list } from './sql-columns.ts';
import type { StateSource } from './state-source.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The rule of the names of lines of kind revenue, which no ledger stores (K4). */
const NAMED_REVENUE = readRule('facts/named_revenue');

/** Returns a relation of the lines of a query with their names, in which those that earn beside work stand, too. */
export function namedLinesWithRevenue(plan: SummaryPlan): string {
  const { source } = plan;
  const columns = list(['line_id'], EARNING_KEYS);
  const planned = `UNION ALL SELECT ${columns}, planned_fee AS amount FROM planned_fees
      WHERE kind = ${kindLiteral('revenue')} AND line_id NOT IN (SELECT line_id FROM revenue_lines)`;
  const listed = `SELECT ${columns}, earned_fee AS amount FROM revenue_lines ${readsPlannedFees(plan) ? planned : ''}`;
  return `(
    SELECT * FROM ${source.relation('named_lines')} AS named
    UNION ALL BY NAME
    (WITH listed_revenue AS (${listed}) SELECT *${source.baseline ? ', FALSE AS is_baseline' : ''} FROM (${NAMED_REVENUE(source)}) AS named)
  )`;
}

/** Returns a relation of the line of kind revenue with an id, with its names, by the default cutoff and statuses. */
export function selectRevenueLine(source: StateSource, lineId: string): string {
  const revenue = `SELECT * FROM ${source.relation('revenue_lines')} WHERE line_id = ${quoteText(lineId)}`;
  return `(
    SELECT * FROM ${source.relation('named_lines')} WHERE FALSE
    UNION ALL BY NAME
    (WITH listed_revenue AS (${revenue}) ${NAMED_REVENUE(source)})
  ) AS named`;
}
