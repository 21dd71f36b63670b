import { countsAs } from '../../relation/line-kinds.ts';
import { lifeParts } from './agreed-fees.ts';
import { readRule } from './fact-rules.ts';
import { selectPlaced } from './fee-uses.ts';
import type { SummaryPlan } from './summary-plan.ts';
import { unloggedConditions } from './unlogged-days.ts';

/** The rule of what missing time would earn of agreed fees (K7). */
const MISSING_REVENUE = readRule('facts/missing_revenue');

/** Selects what each missing line with an agreed fee would earn, over the whole life of its place, whatever the window and the filters. */
export function selectMissingRevenue(all: SummaryPlan): string {
  const plan = { ...all, keys: [], source: all.source.alone };
  const { source, querySql } = plan;
  const conditions = [
    `date <= ${querySql.cutoff}`,
    countsAs('plan'),
    querySql.hasStatus('status'),
    ...unloggedConditions(plan, 'life'),
  ];
  const missing = `SELECT * FROM ${source.relation('lines')} WHERE ${conditions.join(' AND ')}`;
  const parts = [
    ...lifeParts(plan, 'by period'),
    `missing_lines AS (SELECT * FROM ${selectPlaced(plan, missing)} AS lines)`,
  ];
  return `WITH ${parts.join(',\n')}
  SELECT * FROM (${MISSING_REVENUE(source)}) AS missing_revenue`;
}
