import { lifeParts } from './agreed-fees.ts';
import { readRule } from './fact-rules.ts';
import type { SummaryPlan } from './summary-plan.ts';

/** The rule of how much of a fixed fee is done (G2). */
const PERCENTS = readRule('facts/fee_percents');

/** Returns the progress of each fixed place (`fee_percents`), over its whole life up to the cutoff, whatever the window and the filters. */
export function percentParts(all: SummaryPlan): string[] {
  const plan = { ...all, keys: [], source: all.source.alone };
  return [...lifeParts(plan, 'by period'), `fee_percents AS (${PERCENTS(plan.source)})`];
}
