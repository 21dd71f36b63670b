import { dateLiteral } from '../catalogue/period.ts';
import type { ChangePlan } from './change-plan.ts';

/** Tells the lines of the present state that a later cutoff or a later today moves from the plan to what was done. */
export function betweenCutoffs(cutoff: string, today: string, later: NonNullable<ChangePlan['later']>): string {
  const isBetween = (from: string, to: string) =>
    `now_window.date > LEAST(${from}, ${dateLiteral(to)}) AND now_window.date <= GREATEST(${from}, ${dateLiteral(to)})`;
  return `${isBetween(cutoff, later.cutoffDate)} OR ${isBetween(today, later.today)}`;
}

/** Returns the flags of a line by its date: the last step takes the later cutoff. */
export function datedFlags({ plan: { querySql }, later }: ChangePlan): string {
  const day = (own: string, other: string | undefined) =>
    other === undefined
      ? own
      : `CASE WHEN arrival IN ('cutoff', 'estimate') THEN ${dateLiteral(other)} ELSE ${own} END`;
  return `date <= ${day(querySql.cutoff, later?.cutoffDate)} AS is_to_date, date > ${day(querySql.today, later?.today)} AS is_future`;
}
