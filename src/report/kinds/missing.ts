import type { Amount } from '../catalogue/catalogue.ts';
import type { MissingPart } from '../catalogue/measure-kinds.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { isInWindow, kindLiteral } from '../source/query-sql.ts';
import { LINES_MART } from '../source/relations.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { type Kind, overlaps, termOf } from './kind.ts';
import { listedParts } from './lines.ts';

/** The amount of a line that each part adds up. */
const AMOUNTS: Readonly<Record<MissingPart, Amount>> = { hours: 'hours', cost: 'cost', fees: 'fee' };

/** Scheduled lines of employees and contractors up to the cutoff, of days on which they logged nothing at all (3.3.2). */
const MISSING: Facts = {
  name: 'missing',
  of: (plan, { lines }) => ({
    from: `(SELECT * FROM ${lines} WHERE ${isMissing(plan)} AND ${plan.querySql.hasStatus('status')}) AS missing_lines`,
  }),
  sums: ({ amounts }) => [
    { name: 'has_missing', expression: 'COUNT(*) > 0' },
    ...(['hours', 'cost', 'fee'] as const)
      .filter((amount) => amounts.includes(amount))
      .map((amount) => ({ name: `missing__${amount}`, expression: `SUM(${amount})` })),
  ],
};

/** Tests that a line's day is missing, over the columns of lines; of the current plan, whatever the filters of a query. */
function isMissing(plan: SummaryPlan): string {
  return [isScheduled('current', plan.source), 'is_to_date', ...unloggedConditions(plan)].join(' AND ');
}

/** Returns the conditions, over the columns of lines, of an employee's or contractor's days in the window without logged time. */
export function unloggedConditions(plan: Pick<SummaryPlan, 'source' | 'querySql'>): string[] {
  return [
    `people_id IN (SELECT people_id FROM ${plan.source.alone.relation('named_people')} WHERE people_type_id IN (1, 2))`,
    `(people_id, date) NOT IN ${loggedDays(plan)}`,
  ];
}

/** Returns the days of the window on which people logged time, on any project. */
export function loggedDays({ source, querySql }: Pick<SummaryPlan, 'source' | 'querySql'>): string {
  return `(SELECT (people_id, date) FROM ${source.alone.relation('ledger')} WHERE kind = ${kindLiteral('actual')} AND people_id IS NOT NULL AND ${isInWindow(querySql, 'date')})`;
}

function amountOf(part: MissingPart): string {
  const sum = `missing__${AMOUNTS[part]}`;
  if (part === 'hours') return `COALESCE(${sum}, 0)`;
  return `CASE WHEN ${sum} IS NULL AND has_missing THEN NULL ELSE COALESCE(${sum}, 0) END`;
}

const WORDS: Readonly<Record<MissingPart, string>> = { hours: 'hours', cost: 'cost', fees: 'fees' };

/** Time that a month end has to accrue: a property of scheduled lines, so it adds up in any grouping. */
export const MISSING_KIND: Kind<MissingPart> = {
  isOfWhole: () => 'people',
  facts: () => [MISSING],
  amounts: (part) => [AMOUNTS[part]],
  amount: amountOf,
  rows: {
    parts: (plan, part) => [
      ...listedParts(plan),
      `whole AS (SELECT *, ${AMOUNTS[part]} AS contribution FROM listed WHERE ${isMissing(plan)} AND is_asked)`,
    ],
    columns: 'of_sums',
    isOfDays: true,
    terms: (part, { name }) => [
      termOf('+', `${WORDS[part]} of scheduled lines on days without logged time`, 'contribution', name),
    ],
  },
  words: (part) =>
    `${WORDS[part]} of *scheduled to date* lines of employees and contractors, of days on which the person logged nothing on any project`,
  addsUp: () => 'yes',
  source: (part) =>
    `${LINES_MART}: ${AMOUNTS[part]} where kind = 'scheduled', requested status, date up to the cutoff; no line with kind = 'actual' of the person and day`,
  total: (_, query) => (overlaps(query) ? 'given' : 'sum'),
};
