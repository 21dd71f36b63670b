import type { Calendar } from '../../../base/calendar/index.ts';
import { quoteText } from '../../../base/database/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Division } from '../catalogue/measure-meaning.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { TermSql } from '../kinds/kind.ts';
import { isOfAllLines, listFacts, sumOfNothing } from '../kinds/kinds.ts';
import { reselect } from '../request/change-query.ts';
import type { ChosenPart } from '../request/part.ts';
import type { NumberQuery } from '../request/query.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { numberCondition } from './outside.ts';
import { planSummary } from './plan-summary.ts';

/**
 * Returns the lines behind a number (`contributions`): each line, person-day or budget of which the number is the sum, with
 * its contribution. The contribution is null where the amount is unknown; the number is null if all are (R5), or if the reader
 * doesn't see all that it is about (`sight`, L2).
 * @param number Its one measure is no percentage.
 */
export function contributionParts(number: NumberQuery, calendar: Calendar): string[] {
  const [measure] = number.grouping.measures;
  if (!measure) return [];
  const counted = isOfAllLines(measure) ? number : reselect(number, number.row);
  const plan = planSummary(counted, calendar);
  return [...listFacts(measure, plan, number), contributionsOf(number, measure, plan)];
}

/** Keys by which lines behind a number are divided, as SQL. */
export const DIVISION_KEYS: Readonly<Record<Division, string>> = {
  person: 'people_id',
  month: 'pl_first_of_month(date)',
  cost_rate_source: 'CAST(cost_rate_source AS VARCHAR)',
  bill_rate_source: 'CAST(bill_rate_source AS VARCHAR)',
};

function contributionsOf({ parts }: NumberQuery, measure: Measure, plan: SummaryPlan): string {
  const conditions = parts.map(partCondition);
  const seen = numberCondition(plan, measure);
  const blank = '* REPLACE (CASE WHEN (SELECT is_whole FROM sight) THEN contribution END AS contribution)';
  return `sight AS (SELECT ${seen ?? 'TRUE'} AS is_whole),
contributions AS (SELECT ${seen === undefined ? '*' : blank} FROM whole WHERE ${conditions.length === 0 ? 'TRUE' : conditions.join(' AND ')})`;
}

/**
 * Returns the SQL of a sum over `contributions`, which is blank if the reader doesn't see the number whole.
 * @param condition The one of the rows that are summed.
 */
export function sumContributions(
  measure: Measure,
  number: NumberQuery,
  { condition, expression }: Pick<TermSql, 'condition' | 'expression'> = {
    condition: 'TRUE',
    expression: 'contribution',
  },
): string {
  const ofRows = `CASE WHEN ${condition} THEN`;
  return `CASE WHEN NOT (SELECT is_whole FROM sight) THEN NULL
  WHEN COUNT(${ofRows} 1 END) = 0 THEN ${sumOfNothing(measure, number)} ELSE SUM(${ofRows} ${expression} END) END`;
}

function partCondition({ by, key }: ChosenPart): string {
  if (by === 'until') return `date <= ${dateLiteral(key ?? '')}`;
  if (by === 'after') return `date > ${dateLiteral(key ?? '')}`;
  if (by === 'kind') return `CAST(kind AS VARCHAR) = ${quoteText(key ?? '')}`;
  if (key === null) return `${DIVISION_KEYS[by]} IS NULL`;
  const value = { person: String, month: dateLiteral, cost_rate_source: quoteText, bill_rate_source: quoteText }[by];
  return `${DIVISION_KEYS[by]} = ${value(key)}`;
}
