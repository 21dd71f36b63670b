import { countsAs } from '../../relation/line-kinds.ts';
import { isInWindow } from './query-sql.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The days that are looked at: those of the window, or all up to the cutoff. */
type SeenDays = 'window' | 'life';

/** Returns the conditions, over the columns of lines, of an employee's or contractor's days without logged time. @param days Default: those of the window. */
export function unloggedConditions(
  plan: Pick<SummaryPlan, 'source' | 'querySql'>,
  days: SeenDays = 'window',
): string[] {
  return [
    `people_id IN (SELECT people_id FROM ${plan.source.alone.relation('named_people')} WHERE people_type_id IN (1, 2))`,
    `(people_id, date) NOT IN ${loggedDays(plan, days)}`,
  ];
}

/** Returns the days on which people logged time, on any project. @param days Default: those of the window. */
export function loggedDays(
  { source, querySql }: Pick<SummaryPlan, 'source' | 'querySql'>,
  days: SeenDays = 'window',
): string {
  const isSeen = days === 'window' ? isInWindow(querySql, 'date') : `date <= ${querySql.cutoff}`;
  return `(SELECT (people_id, date) FROM ${source.alone.relation('ledger')} WHERE ${countsAs('work')} AND people_id IS NOT NULL AND ${isSeen})`;
}
