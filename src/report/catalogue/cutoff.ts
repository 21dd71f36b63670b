import { moveDay, periodOf } from '../../calendar/day.ts';
import type { CompanyDays } from './company-settings.ts';

/** The last day on which actuals count. Later days count as plan. */
export interface Cutoff {
  /** As YYYY-MM-DD. */
  readonly date: string;
  /** Words for readers that say why it is that day. */
  readonly reason: CutoffReason;
}

export const CUTOFF_REASONS = [
  'requested',
  'requested: today',
  'requested: yesterday',
  'requested: the end of the period',
  'requested: the end of last week',
  'requested: the end of last month',
  'the last day with logged time',
  'the last day up to today with logged time',
  'today',
  'today, because no time is logged',
  'today, because no time is logged up to it',
] as const;

export type CutoffReason = (typeof CUTOFF_REASONS)[number];

/** The days that periods and the default cutoff depend on, and the calendar that they are in. */
export interface CutoffDays {
  /** Today in the account's time zone: YYYY-MM-DD. */
  readonly today: string;
  readonly company: CompanyDays;
}

/**
 * Returns the cutoff of a request. The default is the last day up to today with logged time of anybody, so that days on
 * which nobody has logged time yet count as plan and not as savings, and a record of a later day moves nothing.
 * @param requested The requested day or its name, if any.
 * @param endDate The last day of the window.
 */
export function chooseCutoff(requested: string | undefined, endDate: string, days: CutoffDays): Cutoff {
  const { today, company } = days;
  switch (requested) {
    case undefined:
      return standardCutoff(days);
    case 'today':
      return { date: today, reason: 'requested: today' };
    case 'yesterday':
      return { date: moveDay(today, 'day', -1), reason: 'requested: yesterday' };
    case 'period_end':
      return { date: endDate, reason: 'requested: the end of the period' };
    case 'last_week_end':
      return { date: periodOf('week', today, company, -1).endDate, reason: 'requested: the end of last week' };
    case 'last_month_end':
      return { date: periodOf('month', today, company, -1).endDate, reason: 'requested: the end of last month' };
    default:
      return { date: requested, reason: 'requested' };
  }
}

function standardCutoff({ today, company: { loggedDates } }: CutoffDays): Cutoff {
  const date = loggedDates.find((logged) => logged <= today);
  const [last] = loggedDates;
  if (last === undefined) return { date: today, reason: 'today, because no time is logged' };
  if (date === undefined) return { date: today, reason: 'today, because no time is logged up to it' };
  if (date === today) return { date, reason: 'today' };
  return {
    date,
    reason: date === last ? 'the last day with logged time' : 'the last day up to today with logged time',
  };
}
