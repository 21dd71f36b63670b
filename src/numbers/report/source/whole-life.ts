import { FIRST_DATE, LAST_DATE, moveDay } from '../../../base/calendar/index.ts';
import { keptPart } from '../../../base/database/index.ts';
import type { Selection } from '../request/query.ts';
import { isWithinDays, MONTH_KEYS, splitMonths, sumsAndLines } from './month-sums.ts';
import { querySqlOf } from './query-sql.ts';
import { list } from './sql-columns.ts';
import type { SummaryPlan } from './summary-plan.ts';

/*
 * The whole lives of contracts, whatever the window and the filters of a query: many statements share what is computed of them.
 */

/** Returns a plan of all days by month, without filters. If days are known only when the statement runs, they are of one period. */
export function wholeLife(plan: SummaryPlan): SummaryPlan {
  if (!plan.hasFixedDays) return { ...plan, keys: [], source: plan.source.alone };
  const selection = { ...plan.query.selection, startDate: FIRST_DATE, endDate: LAST_DATE, filters: [] };
  return {
    ...plan,
    query: { ...plan.query, selection },
    source: plan.source.alone,
    querySql: querySqlOf(selection),
    keys: [{ name: 'key_month', dimension: undefined, period: 'month' }],
  };
}

/** Returns a SELECT of whole lives as a part that statements share, if its days are known before it runs. */
export function sharedPart({ hasFixedDays }: SummaryPlan, select: string): string {
  return hasFixedDays ? keptPart(select) : select;
}

/** Returns the days with which a window divides a month: rows of whole lives stand before each or on and after it. */
export function edgesOf({ startDate, endDate }: Pick<Selection, 'startDate' | 'endDate'>): string[] {
  return [startDate, moveDay(endDate, 'day', 1)].filter((day) => !day.endsWith('-01'));
}

/** Returns the sums of the whole months of a plan, and the lines of those that the cutoff, today or an edge divides. */
export function allMonths({ query, source, ...plan }: SummaryPlan, edges: readonly string[]): string {
  const columns = ['kind', ...MONTH_KEYS, 'fee'];
  const split = splitMonths({ query, source, ...plan }, ['cutoff', 'today'], edges);
  const read = { ofMonths: ['month AS date', ...columns], ofLines: ['date', ...columns] };
  const { selection } = query;
  const lines = `(SELECT ${list(read.ofLines)} FROM ${source.relation('ledger')} WHERE ${isWithinDays(selection)})`;
  return sumsAndLines(source, selection, split, read) ?? lines;
}
