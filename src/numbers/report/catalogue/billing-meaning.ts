import type { BillingPart } from './measure-kinds.ts';

/*
 * Measures of bills beside the measures that they are told with.
 */

/** Tests for a balance as closings have kept it, or what has become of it since. */
export function isKeptBalance(part: unknown): boolean {
  return part === 'opening_kept' || part === 'restated';
}

/** Balances of bills whose lines are listed: of all days up to the last one. */
const BALANCES: readonly BillingPart[] = ['position', 'opening', 'unbilled', 'age_30', 'age_60', 'age_90', 'age_older'];

/** The measures that explain one without lines, and words for it. */
interface Explaining {
  readonly parts: readonly string[];
  readonly words: string;
}

const NETTED: Explaining = { parts: ['position'], words: 'netted by contract, and no sum of lines' };
const KEPT: Explaining = { parts: ['opening_position'], words: 'what closings have kept, and no sum of lines' };
const OTHERWISE: Explaining = {
  parts: ['actual_revenue', 'invoiced', 'written_off'],
  words: 'a balance of all days up to the last one, and no sum of the lines of the window',
};

function explaining(part: BillingPart): Explaining {
  if (part === 'asset' || part === 'liability') return NETTED;
  return isKeptBalance(part) ? KEPT : OTHERWISE;
}

/** The facts that definitions of measures of bills give by themselves. */
export const BILLING_MEANING = {
  parts: (part: BillingPart) => (BALANCES.includes(part) ? [] : explaining(part).parts),
  describe: (part: BillingPart) => explaining(part).words,
};
