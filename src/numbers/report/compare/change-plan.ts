import type { Calendar } from '../../../base/calendar/index.ts';
import type { StateSource } from '../source/state-source.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';

/** A comparison of two states of the data, whose plan is of the present one with the cutoff of the other. */
export interface ChangePlan {
  readonly plan: SummaryPlan;
  /** The other state. */
  readonly earlier: StateSource;
  readonly thenCalendar: Calendar;
  /** The day up to which the other state is complete. */
  readonly day: string;
  /** The cutoff and the day of the present state, if the effect of the later cutoff is a step, too. */
  readonly later: { readonly cutoffDate: string; readonly today: string } | undefined;
}
