import { isKeptBalance } from '../catalogue/billing-meaning.ts';
import type { BillingPart, Measure } from '../catalogue/measure-kinds.ts';
import { type BookedAmounts, whyNotRestated } from '../source/booked-lines.ts';
import { LINES_MART } from '../source/relations.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { balanceRows, nothingIn, termsOfBalance } from './billed-lines.ts';
import {
  AGES,
  BILLED_AMOUNTS,
  billingParts,
  hasBills,
  hasCovers,
  ofContracts,
  ofPlaces,
  selectBalances,
} from './billing-facts.ts';
import { sumOfLine } from './booked.ts';
import { type Kind, UNKNOWN } from './kind.ts';

const SUMS = ['position', 'opening', ...BILLED_AMOUNTS, ...Object.keys(AGES)];

/** Balances of contracts. They make rows of projects without a line in the window, too. */
const BILLING: Facts = {
  name: 'billing',
  takesMonths: true,
  rowKeys: (plan) => (hasBills(plan) && plan.keys.length > 0 ? 'billing_keys' : undefined),
  shared: (plan) => (hasBills(plan) ? billingParts(plan, positionOf(plan), closedAmounts(plan)) : []),
  of: (plan, scope) => {
    if (!hasBills(plan))
      return { from: scope.name === 'row' ? '(SELECT * FROM row_keys WHERE FALSE) AS balances' : '(SELECT 1) AS none' };
    return { from: selectBalances(plan, scope, closedAmounts(plan) !== undefined) };
  },
  sums: (plan) => {
    if (!hasBills(plan))
      return [...SUMS, 'asset', 'liability', 'restated'].map((name) => ({
        name: `billing__${name}`,
        expression: UNKNOWN,
      }));
    const sumOf = (name: string) => {
      const sum = `COALESCE(SUM(${name}), 0)`;
      if (name === 'position' || name === 'opening') return sum;
      return hasCovers(plan) ? ofPlaces(plan, sum) : UNKNOWN;
    };
    const aboveZero = (amount: string) =>
      ofContracts(
        plan,
        `CASE WHEN BOOL_AND(is_whole OR contract IS NULL) THEN COALESCE(SUM(GREATEST(0, ${amount})), 0) END`,
      );
    return [
      ...SUMS.map((name) => ({ name: `billing__${name}`, expression: sumOf(name) })),
      { name: 'billing__asset', expression: aboveZero('COALESCE(position, 0)') },
      { name: 'billing__liability', expression: aboveZero('-COALESCE(position, 0)') },
      { name: 'billing__restated', expression: 'SUM(restated)' },
    ];
  },
};

/** Returns SQL of what a line adds to the position of its contract: what it earns, less what is billed and written off. */
function positionOf({ query }: SummaryPlan): string {
  const { catalogue } = query.selection;
  const [earned, ...less] = ['actual_revenue', 'invoiced', 'written_off'].map(
    (name) => `(${sumOfLine(catalogue, name)})`,
  );
  return [earned, ...less].join(' - ');
}

/** Returns the amounts of a position by which it is known what closings have kept of it; undefined where that isn't known, or nobody asks. */
function closedAmounts({ query }: SummaryPlan): BookedAmounts | undefined {
  const isAsked = query.grouping.measures.some(isOfClosings);
  if (!isAsked || whyNotRestated(query) !== undefined) return undefined;
  const sumOf = (name: string) => sumOfLine(query.selection.catalogue, name);
  return {
    revenue: sumOf('actual_revenue'),
    costs: undefined,
    billed: ['invoiced', 'written_off'].map((name) => `(${sumOf(name)})`).join(' + '),
  };
}

/** Tests for a balance as closings have kept it, or what has become of it since. */
export function isOfClosings({ kind, of }: Measure): boolean {
  return kind === 'billing' && isKeptBalance(of);
}

/** Returns the sum of lines that a position is. */
function sumOfPosition({ query }: SummaryPlan): string {
  const { measures } = query.selection.catalogue;
  return ['actual_revenue', 'invoiced', 'written_off'].map((name) => String(measures.get(name)?.of)).join(' - ');
}

const WORDS: Readonly<Record<BillingPart, string>> = {
  position:
    '`actual_revenue` less `written_off` and `invoiced`, of all days up to the last day of the row, or to the cutoff if that is earlier',
  opening: '`position` up to the day before the first day of the row',
  opening_kept:
    '`opening_position` less `restated_position`: the days of closings as the latest one before the row has kept them, and later days as they are known today',
  restated:
    '`position` of the days up to the end of the latest closing before the row as it is known today, less as that closing has kept it',
  asset: 'over contracts, the sum of what of `position` is above 0',
  liability: 'over contracts, the sum of what of `position` is below 0, without its sign',
  unbilled:
    'revenue of billable work and billed expenses of contracts of time, and capped ones, up to that day, that no bill covers',
  age_30: 'the part of `unbilled_fees` that is up to 30 days old',
  age_60: 'the part of `unbilled_fees` that is 31 to 60 days old',
  age_90: 'the part of `unbilled_fees` that is 61 to 90 days old',
  age_older: 'the part of `unbilled_fees` that is more than 90 days old',
  difference:
    'of the work of contracts of time, and capped ones, that bills cover, its value less the amounts of these bills',
  changed: 'what such work earns today, less its value when it was billed',
  undecided: 'value of billable work and billed expenses of contracts of time, and capped ones, that no bill covers',
  decided: 'value of work and expenses that a bill covers',
  covered: 'amounts of invoices that cover work or expenses, less credits of them',
};

/** Balances of what is earned and what is billed, over contracts (M2 to M5). */
export const BILLING_KIND: Kind<BillingPart> = {
  wholes: () => ['projects'],
  needsBills: () => true,
  facts: () => [BILLING],
  amounts: () => ['earned_fee', 'amount'],
  amount: (part) => (part === 'opening_kept' ? 'billing__opening - billing__restated' : `billing__${part}`),
  rows: {
    parts: (plan, part) => balanceRows(plan, part, sumOfPosition(plan)),
    columns: 'of_sums',
    nothing: (part, query) => nothingIn(part, query),
    terms: (part, { name }) => termsOfBalance(part, name),
  },
  words: (part) => WORDS[part],
  addsUp: (part) => (part === 'asset' || part === 'liability' ? 'over contracts' : 'over rows, not over periods'),
  source: (part) => {
    if (isKeptBalance(part)) return `What closings in force have kept, and ${LINES_MART}: earned_fee and amount`;
    return part === 'position' || part === 'opening' || part === 'asset' || part === 'liability'
      ? `${LINES_MART}: earned_fee and amount`
      : `${LINES_MART}: fee and amount, and what bills cover`;
  },
  total: (part, { grouping: { dimensions, interval } }) => {
    const hasPeriods = interval !== undefined || dimensions.some(({ period }) => period);
    const isNetted = part === 'asset' || part === 'liability';
    const addsUp = dimensions.every(({ name, overlaps }) => (isNetted ? name === 'contract' : !overlaps));
    return addsUp && !hasPeriods ? 'own' : 'given';
  },
};
