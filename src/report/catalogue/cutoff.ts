import type { Company } from './company-settings.ts';

/** The last day on which actuals count. Later days count as plan. */
export interface Cutoff {
  /** As YYYY-MM-DD. */
  readonly date: string;
  /** Words for readers that say why it is that day. */
  readonly reason: CutoffReason;
}

export const CUTOFF_REASONS = [
  'requested',
  'the last day with logged time',
  'today',
  'today, because no time is logged',
] as const;

export type CutoffReason = (typeof CUTOFF_REASONS)[number];

/** The days that the default cutoff depends on. */
export interface CutoffDays {
  /** Today in the account's time zone: YYYY-MM-DD. */
  readonly today: string;
  readonly company: Pick<Company, 'lastLoggedDate'>;
}

/**
 * Returns the cutoff of a request. The default is the earlier of today and the last day with logged time of anybody,
 * so that days on which nobody has logged time yet count as plan and not as savings.
 * @param requested The requested day, if any.
 */
export function chooseCutoff(requested: string | undefined, { today, company }: CutoffDays): Cutoff {
  const { lastLoggedDate } = company;
  if (requested !== undefined) return { date: requested, reason: 'requested' };
  if (lastLoggedDate === null) return { date: today, reason: 'today, because no time is logged' };
  if (lastLoggedDate < today) return { date: lastLoggedDate, reason: 'the last day with logged time' };
  return { date: today, reason: 'today' };
}
