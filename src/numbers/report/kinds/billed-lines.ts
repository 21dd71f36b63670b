import { FIRST_DATE, moveDay } from '../../../base/calendar/index.ts';
import type { BillingPart } from '../catalogue/measure-kinds.ts';
import type { NumberQuery } from '../request/query.ts';
import { filterConditions } from '../source/filter.ts';
import { kindConditions, kindLiteral, querySqlOf, statusLiteral } from '../source/query-sql.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { AGES, hasBills, hasCovers, ofPlaces } from './billing-facts.ts';
import { type TermSql, termOf, UNKNOWN } from './kind.ts';
import { lineRows, listedParts } from './lines.ts';

/** Returns the days of the lines of a position: all up to the last day of the number, or up to the day before its first. */
function balancePlan(plan: SummaryPlan, part: BillingPart): SummaryPlan {
  const { selection } = plan.query;
  const { startDate, cutoffDate } = selection;
  const last = part === 'opening' ? moveDay(startDate, 'day', -1) : selection.endDate;
  const [endDate = last] = [last, cutoffDate].toSorted();
  const own = { ...selection, baseline: undefined, startDate: FIRST_DATE, endDate };
  return {
    ...plan,
    query: { ...plan.query, selection: own },
    source: plan.source.alone,
    querySql: querySqlOf(own),
    amounts: plan.amounts.filter((amount) => amount === 'earned_fee' || amount === 'amount'),
  };
}

/**
 * Lists the lines behind a balance (`whole`): of a position all lines of all days up to its last one, with what each earns or bills, and of unbilled work the
 * lines that no bill covers at the last day.
 * @param position The sum of lines that a position is.
 */
export function balanceRows(plan: SummaryPlan, part: BillingPart, position: string): string[] {
  const days = balancePlan(plan, part);
  if (!hasBills(plan))
    return [...listedParts(days), `whole AS (SELECT *, ${UNKNOWN} AS contribution FROM listed WHERE FALSE)`];
  return part === 'position' || part === 'opening' ? lineRows(days, position) : unbilledRows(days, part);
}

/** Lists billable work and expenses that no bill covers, of the age of a part. */
function unbilledRows(plan: SummaryPlan, part: BillingPart): string[] {
  const { query, querySql, source } = plan;
  const age = `pl_days_between(lines.date, ${querySql.end})`;
  const [least, most] = AGES[part as keyof typeof AGES] ?? [0, undefined];
  const conditions = [
    `lines.billable AND lines.contract IN ('time', 'capped') AND lines.date <= ${querySql.end}`,
    `${age} >= ${least}${most === undefined ? '' : ` AND ${age} <= ${most}`}`,
  ];
  const isOpen = `covers.date <= ${querySql.end} AND (covers.freed_on IS NULL OR covers.freed_on > ${querySql.end})`;
  return [
    `covered AS (
  SELECT DISTINCT line_id FROM ${source.relation('covers')} AS covers
  WHERE covers.status = ${statusLiteral('confirmed')} AND NOT covers.is_credit AND ${isOpen}
)`,
    `earning AS (
  SELECT CASE WHEN lines.kind = ${kindLiteral('actual')} THEN 'a:' || lines.logged_time_id ELSE 'e:' || CAST(lines.project_expense_id AS VARCHAR) END AS line_id,
    lines.earned_fee
  FROM ${source.relation('earning_lines')} AS lines
  WHERE ${conditions.join(' AND ')}
)`,
    `whole AS (
  SELECT listed.*, ${hasCovers(plan) ? ofPlaces({ keys: [], query }, 'earning.earned_fee') : UNKNOWN} AS contribution
  FROM earning JOIN ${source.relation('named_lines')} AS listed ON listed.line_id = earning.line_id
  WHERE ${[
    'earning.line_id NOT IN (SELECT line_id FROM covered)',
    ...kindConditions(query.selection.report, 'listed'),
    ...filterConditions(query.selection, 'listed'),
  ].join('\n    AND ')}
)`,
  ];
}

/** Returns the SQL of a balance without lines: 0 where it is known. */
export function nothingIn(part: BillingPart, query: NumberQuery): string {
  if (!hasBills({ query })) return UNKNOWN;
  if (part === 'position' || part === 'opening') return '0';
  return hasCovers({ query }) ? ofPlaces({ keys: [], query }, '0') : UNKNOWN;
}

/** The kinds of lines that a position adds, and those that it takes off, with their words. */
const EARNED = {
  actual: 'what work has earned',
  expense: 'what expenses have earned',
  revenue: 'what contracts have earned beside them',
};
const BILLED = { invoice: 'invoices', write_off: 'write-offs' };

/** Returns the terms of a balance: a position is what is earned, less what is billed. */
export function termsOfBalance(part: BillingPart, name: string): readonly TermSql[] {
  if (part !== 'position' && part !== 'opening')
    return [termOf('+', 'revenue of work that no bill covers', 'contribution', name)];
  const ofKinds = (sign: '+' | '-', kinds: Readonly<Record<string, string>>) =>
    Object.entries(kinds).map(
      ([kind, label]): TermSql => ({
        ...termOf(sign, label, sign === '+' ? 'contribution' : '-contribution', name),
        condition: `kind = ${kindLiteral(kind)}`,
        part: { by: 'kind', key: kind },
      }),
    );
  return [...ofKinds('+', EARNED), ...ofKinds('-', BILLED)];
}
