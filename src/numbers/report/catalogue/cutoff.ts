import { moveDay, periodOf, spellDaysAfter } from '../../../base/calendar/index.ts';
import type { CompanyDays } from './company-settings.ts';

/** The last day on which actuals count. Later days count as plan. */
export interface Cutoff {
  /** As YYYY-MM-DD. */
  readonly date: string;
  /** Words for readers that say why it is that day. */
  readonly reason: string;
}

/** A closing in force, by whose last day reports of windows that end on it count actuals. */
export interface ClosingInForce {
  /** As YYYY-MM-DD. */
  readonly endDate: string;
  /** Undefined for readers of a part: people give names, which may be of what is outside (L2). */
  readonly name: string | undefined;
}

/** The days that periods and the default cutoff depend on, and the calendar that they are in. */
export interface CutoffDays {
  /** Today in the account's time zone: YYYY-MM-DD. */
  readonly today: string;
  readonly company: CompanyDays;
  /** The closings in force of the present data, the newest first. Default: none. */
  readonly closings?: readonly ClosingInForce[] | undefined;
}

/** Opens the reason of a cutoff that a request gives, by its day or by a name. */
const REQUESTED = 'requested';

/**
 * Returns the cutoff of a request. A window that ends with a closing in force takes the cutoff of the closing, so its numbers stay
 * those of the closed period. The default of any other is as sql/facts/default_cutoff.sql has it: days on which nobody has logged
 * time yet count as plan and not as savings, and a record of a later day moves nothing.
 * @param requested The requested day or its name, if any.
 * @param endDate The last day of the window.
 */
export function chooseCutoff(requested: string | undefined, endDate: string, days: CutoffDays): Cutoff {
  const { today, company } = days;
  switch (requested) {
    case undefined:
      return cutoffOfClosing(endDate, days) ?? standardCutoff(days);
    case 'today':
      return { date: today, reason: `${REQUESTED}: today` };
    case 'yesterday':
      return { date: moveDay(today, 'day', -1), reason: `${REQUESTED}: yesterday` };
    case 'period_end':
      return { date: endDate, reason: `${REQUESTED}: the end of the period` };
    case 'last_week_end':
      return { date: periodOf('week', today, company, -1).endDate, reason: `${REQUESTED}: the end of last week` };
    case 'last_month_end':
      return { date: periodOf('month', today, company, -1).endDate, reason: `${REQUESTED}: the end of last month` };
    default:
      return { date: requested, reason: REQUESTED };
  }
}

/** Returns whether a request gave a cutoff, by its reason. */
export function isRequested(reason: string): boolean {
  return reason.startsWith(REQUESTED);
}

function cutoffOfClosing(endDate: string, { closings = [] }: CutoffDays): Cutoff | undefined {
  const closing = closings.find((each) => each.endDate === endDate);
  if (!closing) return undefined;
  return {
    date: endDate,
    reason: closing.name === undefined ? 'the cutoff of a closing' : `the cutoff of the closing ${closing.name}`,
  };
}

function standardCutoff({ today, company: { loggedDays } }: CutoffDays): Cutoff {
  const [latest] = loggedDays;
  const last = loggedDays.find(({ date }) => date <= today);
  if (latest === undefined) return { date: today, reason: 'today, because no time is logged' };
  if (last === undefined) return { date: today, reason: 'today, because no time is logged up to it' };
  if (last.date === today) return { date: today, reason: 'today' };
  const date = last.idleUntil < today ? last.idleUntil : today;
  const reason = last === latest ? 'the last day with logged time' : 'the last day up to today with logged time';
  const after = date === last.date ? '' : `, ${last.date}, and ${spellDaysAfter(last.date, date)}`;
  return { date, reason: `${reason}${after}` };
}
