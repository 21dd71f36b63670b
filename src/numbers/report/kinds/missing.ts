import { kindsOf } from '../../relation/line-kinds.ts';
import type { Amount } from '../catalogue/catalogue.ts';
import type { MissingPart } from '../catalogue/measure-kinds.ts';
import { isScheduled } from '../source/compared-lines.ts';
import { selectMissingRevenue } from '../source/life-facts.ts';
import { LINES_MART } from '../source/relations.ts';
import type { Facts, SummaryPlan } from '../source/summary-plan.ts';
import { unloggedConditions } from '../source/unlogged-days.ts';
import { type Kind, overlaps, termOf } from './kind.ts';
import { listedParts } from './lines.ts';

/** The amount of a line that each part adds up. */
const AMOUNTS: Readonly<Record<MissingPart, Amount>> = { hours: 'hours', cost: 'cost', fees: 'fee', revenue: 'fee' };

/** Scheduled lines of employees and contractors up to the cutoff, of days on which they logged nothing at all (3.3.2). */
const MISSING: Facts = {
  name: 'missing',
  of: (plan, { lines }) => ({
    from: missingLines(plan, lines),
  }),
  sums: ({ amounts }) => [
    { name: 'has_missing', expression: 'COUNT(*) > 0' },
    ...(['hours', 'cost', 'fee'] as const)
      .filter((amount) => amounts.includes(amount))
      .map((amount) => ({ name: `missing__${amount}`, expression: `SUM(${amount})` })),
  ],
};

/** The same lines, with what each would earn if it were logged as planned (K7). */
const MISSING_REVENUE: Facts = {
  name: 'missing_revenue',
  lineColumns: ['task_id'],
  shared: (plan) => [`missing_revenue AS (${selectMissingRevenue(plan)})`],
  of: (plan, { lines }) => ({
    from: `(SELECT missing_lines.*, ${EARNED_IF_LOGGED} AS revenue
    FROM ${missingLines(plan, lines)} LEFT JOIN missing_revenue ON ${sameLine('missing_lines')}) AS missing_lines`,
  }),
  sums: () => [
    { name: 'has_missing_revenue', expression: 'COUNT(*) > 0' },
    { name: 'missing__revenue', expression: 'SUM(revenue)' },
  ],
};

/** The revenue of a missing line: its own fee, unless an agreed fee decides. */
const EARNED_IF_LOGGED = 'CASE WHEN missing_revenue.task_id IS NULL THEN fee ELSE missing_revenue.missing_revenue END';

/** Tests that a row of `missing_revenue` is of a line: a scheduled one is a day of a person's allocation. */
function sameLine(lines: string): string {
  return ['task_id', 'people_id', 'date'].map((key) => `missing_revenue.${key} = ${lines}.${key}`).join(' AND ');
}

/** Selects the missing lines. The further row of a line for what the plan earns with it has no hours. */
function missingLines(plan: SummaryPlan, lines: string): string {
  return `(SELECT * FROM ${lines} WHERE ${isMissing(plan)} AND hours IS NOT NULL AND ${plan.querySql.hasStatus('status')}) AS missing_lines`;
}

/** Tests that a line's day is missing, over the columns of lines; of the current plan, whatever the filters of a query. */
function isMissing(plan: SummaryPlan): string {
  return [isScheduled('current', plan.source), 'is_to_date', ...unloggedConditions(plan)].join(' AND ');
}

function wordsOf(what: 'plan' | 'work'): string {
  return kindsOf(what)
    .map((name) => `kind = '${name}'`)
    .join(' or ');
}

function amountOf(part: MissingPart): string {
  const [sum, hasLines] =
    part === 'revenue' ? ['missing__revenue', 'has_missing_revenue'] : [`missing__${AMOUNTS[part]}`, 'has_missing'];
  if (part === 'hours') return `COALESCE(${sum}, 0)`;
  return `CASE WHEN ${sum} IS NULL AND ${hasLines} THEN NULL ELSE COALESCE(${sum}, 0) END`;
}

/** Lists missing lines with an amount of theirs. */
function missingRows(plan: SummaryPlan, part: MissingPart): string[] {
  const condition = `${isMissing(plan)} AND is_asked`;
  if (part !== 'revenue') {
    const whole = `SELECT *, ${AMOUNTS[part]} AS contribution FROM listed WHERE ${condition}`;
    return [...listedParts(plan), `whole AS (${whole})`];
  }
  return [
    ...listedParts(plan),
    `missing_revenue AS (${selectMissingRevenue(plan)})`,
    `whole AS (
  SELECT missing_lines.*, ${EARNED_IF_LOGGED} AS contribution
  FROM (SELECT * FROM listed WHERE ${condition}) AS missing_lines LEFT JOIN missing_revenue ON ${sameLine('missing_lines')}
)`,
  ];
}

const WORDS: Readonly<Record<MissingPart, string>> = {
  hours: 'hours',
  cost: 'cost',
  fees: 'fees',
  revenue: 'revenue if logged as planned',
};

/** Time that nobody logged: a property of scheduled lines, so it adds up in any grouping. */
export const MISSING_KIND: Kind<MissingPart> = {
  wholes: (part) => (part === 'revenue' ? ['people', 'contracts'] : ['people']),
  facts: (part) => [part === 'revenue' ? MISSING_REVENUE : MISSING],
  amounts: (part) => [AMOUNTS[part]],
  amount: amountOf,
  rows: {
    parts: missingRows,
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
    `${LINES_MART}: ${part === 'revenue' ? 'fee, or the part of an agreed fee,' : AMOUNTS[part]} where ${wordsOf('plan')}, requested status, date up to the cutoff; no line with ${wordsOf('work')} of the person and day`,
  total: (_, query) => (overlaps(query) ? 'given' : 'sum'),
};
