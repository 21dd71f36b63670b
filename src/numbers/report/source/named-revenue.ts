import { quoteText } from '../../../base/database/index.ts';
import { EARNING_KEYS, readsPlannedFees } from './agreed-fees.ts';
import { readRule } from './fact-rules.ts';
import { kindLiteral } from './query-sql.ts';
import { list } from './sql-columns.ts';
import type { StateSource } from './state-source.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The rule of the names of lines of kind revenue, which no ledger stores (K4). */
const NAMED_REVENUE = readRule('facts/named_revenue');

/**
 * Returns a relation of the lines of a query with their names, in which those beside the ledger stand, too: lines of bills where their amounts are read.
 * @param hasRevenue Whether the statement has what earns beside work.
 */
export function namedLinesBeside(plan: SummaryPlan, hasRevenue: boolean): string {
  const { source, amounts } = plan;
  const hasBills = amounts.includes('amount');
  if (!hasRevenue && !hasBills) return source.relation('named_lines');
  const columns = list(['line_id'], EARNING_KEYS);
  const planned = `UNION ALL SELECT ${columns}, planned_fee AS amount FROM planned_fees
      WHERE kind = ${kindLiteral('revenue')} AND line_id NOT IN (SELECT line_id FROM revenue_lines)`;
  const listed = [
    ...(hasRevenue
      ? [`SELECT ${columns}, earned_fee AS amount FROM revenue_lines ${readsPlannedFees(plan) ? planned : ''}`]
      : []),
    ...(hasBills ? [`SELECT ${columns}, amount FROM ${source.alone.relation('billing_lines')} AS bills`] : []),
  ].join(' UNION ALL ');
  return `(
    SELECT * FROM ${source.relation('named_lines')} AS named
    UNION ALL BY NAME
    (WITH listed_revenue AS (${listed}) SELECT *${source.baseline ? ', FALSE AS is_baseline' : ''} FROM (${NAMED_REVENUE(source)}) AS named)
  )`;
}

/** Returns a relation of the line beside the ledger with an id, with its names, by the default cutoff and statuses. */
export function selectLineBeside(source: StateSource, lineId: string): string {
  const listed = (['revenue_lines', 'billing_lines'] as const)
    .map(
      (lines) =>
        `SELECT ${list(['line_id'], EARNING_KEYS)}, amount FROM ${source.relation(lines)} WHERE line_id = ${quoteText(lineId)}`,
    )
    .join(' UNION ALL ');
  return `(
    SELECT * FROM ${source.relation('named_lines')} WHERE FALSE
    UNION ALL BY NAME
    (WITH listed_revenue AS (${listed}) ${NAMED_REVENUE(source)})
  ) AS named`;
}
