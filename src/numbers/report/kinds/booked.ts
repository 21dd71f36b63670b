import type { Amount, Catalogue } from '../catalogue/catalogue.ts';
import { conditionOf } from '../catalogue/line-set.ts';
import type { BookedPart } from '../catalogue/measure-kinds.ts';
import { termsOf } from '../catalogue/measure-meaning.ts';
import {
  type BookedAmounts,
  bookedClosings,
  bookedParts,
  cutKeys,
  cutParts,
  joinCuts,
  whyBlank,
} from '../source/booked-lines.ts';
import { LINES_MART } from '../source/relations.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { type Kind, UNKNOWN } from './kind.ts';

/** Tests whether a plan has closings by which its rows are booked. */
function isBooked({ query }: SummaryPlan): boolean {
  return whyBlank(query) === undefined && bookedClosings(query.selection).length > 0;
}

/** Differences of booked amounts from today's. They make rows of projects without a line in the window, too. */
const BOOKED: Facts = {
  name: 'booked',
  takesMonths: true,
  rowKeys: (plan) => (isBooked(plan) ? 'booked_rows' : undefined),
  shared: (plan) => (isBooked(plan) ? bookedParts(plan, bookedAmounts(plan)) : []),
  of: (plan, { name }) => {
    if (!isBooked(plan))
      return { from: name === 'row' ? '(SELECT * FROM row_keys WHERE FALSE) AS booked' : '(SELECT 1) AS booked' };
    return { from: name === 'row' ? 'booked_rows' : 'booked_once' };
  },
  sums: (plan) => [
    ...['revenue', 'cost', 'expenses', 'catch_up'].map((amount) => ({
      name: `booked__${amount}`,
      expression: isBooked(plan) ? `SUM(${amount})` : UNKNOWN,
    })),
    { name: 'booked__has_catch_up', expression: isBooked(plan) ? 'BOOL_AND(has_catch_up)' : 'TRUE' },
  ],
};

/** The rows whose booked amounts are unknown: their days cut a span that is booked as one. */
const BOOKED_STATE: Facts = {
  name: 'booked_state',
  takesMonths: true,
  parts: (plan) => (isBooked(plan) ? cutParts(plan) : []),
  of: (plan, { name }) => {
    if (name === 'total') return { from: isBooked(plan) ? 'booked_window' : '(SELECT 1) AS whole_window' };
    return { from: isBooked(plan) ? joinCuts(plan) : 'row_keys', keys: cutKeys(plan) };
  },
  sums: (plan) => [
    {
      name: 'booked__is_blank',
      expression: isBooked(plan)
        ? 'COALESCE(BOOL_OR(is_cut), FALSE)'
        : String(whyBlank(plan.query) !== undefined).toUpperCase(),
    },
    { name: 'booked__has_closings', expression: String(bookedClosings(plan.query.selection).length > 0).toUpperCase() },
  ],
};

function bookedAmounts({ amounts, query }: SummaryPlan): BookedAmounts {
  const { catalogue } = query.selection;
  return {
    revenue: sumOfLine(catalogue, 'actual_revenue'),
    costs: amounts.includes('cost')
      ? { cost: sumOfLine(catalogue, 'actual_cost'), expenses: sumOfLine(catalogue, 'expense_to_date_cost') }
      : undefined,
  };
}

/** Returns the SQL of what a line adds to a measure. */
export function sumOfLine({ measures, lines }: Catalogue, name: string): string {
  const measure = measures.get(name);
  return (measure ? termsOf(measure) : [])
    .map(({ lines: set, amount, sign }) => {
      const found = lines.get(set);
      return `${sign < 0 ? '-' : '+'} CASE WHEN ${found ? conditionOf(found) : 'FALSE'} THEN COALESCE(${amount}, 0) ELSE 0 END`;
    })
    .join(' ');
}

/** A measure as it is known today, and what is booked beside it. */
const SUMS: Readonly<Record<'revenue' | 'cost' | 'profit', { readonly today: string; readonly beside: string }>> = {
  revenue: { today: 'actual_revenue', beside: 'booked__revenue' },
  cost: { today: 'actual_cost', beside: 'booked__cost' },
  profit: { today: 'actual_profit', beside: 'booked__revenue - booked__cost - booked__expenses' },
};

/** Without closings nothing is caught up; and where a closing has kept a part of a month alone, it isn't known which revenue is of earlier days. */
const HAS_CATCH_UP = 'NOT booked__is_blank AND booked__has_closings AND booked__has_catch_up IS NOT FALSE';

function amountOf(part: BookedPart): string {
  const catchUp = 'COALESCE(booked__catch_up, 0)';
  if (part === 'catch_up') return `CASE WHEN ${HAS_CATCH_UP} THEN ${catchUp} END`;
  if (part === 'restated') return `CASE WHEN ${HAS_CATCH_UP} THEN ${catchUp} - COALESCE(booked__revenue, 0) END`;
  const { today, beside } = SUMS[part];
  return `CASE WHEN NOT booked__is_blank AND COALESCE(${today}, ${beside}) IS NOT NULL THEN COALESCE(${today}, 0) + COALESCE(${beside}, 0) END`;
}

const AMOUNTS: Readonly<Record<BookedPart, readonly Amount[]>> = {
  revenue: ['earned_fee'],
  cost: ['cost'],
  profit: ['cost', 'earned_fee'],
  catch_up: ['earned_fee'],
  restated: ['earned_fee'],
};

const WORDS: Readonly<Record<BookedPart, string>> = {
  revenue:
    'of each closing in force, revenue to the end of its period as it has kept it, less that of the closing before it; after the last of them, `actual_revenue`, with what has become of earlier days since on the first open day',
  cost: 'the same of `actual_cost`',
  profit: 'the same of `actual_profit`',
  catch_up:
    '`booked_revenue` less the revenue of the same days in the same state: that of the closing of the period, or for open days that of today',
  restated: '`actual_revenue` less `booked_revenue` plus `catch_up_revenue`',
};

/** Amounts as the closings in force book them (B1, B2), by projects and what projects have. */
export const BOOKED_KIND: Kind<BookedPart> = {
  facts: () => [BOOKED, BOOKED_STATE],
  amounts: (part) => AMOUNTS[part],
  amount: amountOf,
  step: 1,
  words: (part) => WORDS[part],
  addsUp: () => 'over whole closed periods',
  source: (part) => `What closings in force have kept, and ${LINES_MART}: ${AMOUNTS[part].join(', ')}`,
  total: () => 'given',
};
