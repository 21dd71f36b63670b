import { FIRST_DATE, LAST_DATE } from '../../resource/field.ts';
import { budgetAmountParts, budgetUseOf, levelOf } from '../plan/budget.ts';
import { attributeJoins, attributesShown } from '../plan/compile-summary.ts';
import { lineParts } from '../plan/lines.ts';
import { memberParts, rowKeysPart } from '../plan/members.ts';
import { list, planSummary, type SummaryPlan } from '../plan/plan-summary.ts';
import { kindLiteral } from '../plan/query-sql.ts';
import { reselect } from '../request/change-query.ts';
import { type ChangePlan, pointParts } from './change-steps.ts';

/** The statements about the budgets of one state. */
export interface BudgetStatements {
  /** Returns a row for each row of the report and each budget that it has: what names the row, then the ids of the budget. */
  readonly members: string;
  /** Returns a row for each budget: its ids, budget_unit, total, used and forecast. */
  readonly amounts: string;
}

/** Compiles the budgets of the rows of a plan, whose measures are of budgets. */
export function compileBudgets(plan: SummaryPlan): BudgetStatements {
  const { ids } = levelOf(plan);
  const parts = [...lineParts(plan), ...memberParts(plan), rowKeysPart(plan), ...budgetAmountParts(plan)].join(',\n');
  const names = attributesShown(plan).map(({ name, expression }) => `${expression} AS "${name}"`);
  return {
    members: `WITH ${parts}
SELECT ${list(
      names,
      ids.map((id) => `row_keys.${id}`),
    )}
FROM budget_members AS row_keys ${attributeJoins(plan).join('\n  ')}`,
    amounts: `WITH ${parts}
SELECT ${list(ids, ['budget_unit', 'total', 'used', 'forecast'])} FROM budget_amounts`,
  };
}

/** The days of all lines: a budget covers the whole life of its project, phase or task. */
const ALL_DAYS = { startDate: FIRST_DATE, endDate: LAST_DATE };

/**
 * Compiles what the steps of all lines do to the use of each budget, in hours and in fees: the ids of the budget, cause,
 * used_hours, used_fees, and these with what is to come, as forecast_hours and forecast_fees.
 * @param rows The plan of the rows, whose dimensions decide which budgets these are.
 */
export function compileBudgetSteps(change: ChangePlan, rows: SummaryPlan): string {
  const ids = list(levelOf(rows).ids);
  // No cost uses a budget.
  const whole = reselect(change.plan.query, { ...ALL_DAYS, filters: [], seesRates: false });
  const plan = planSummary(
    { ...whole, grouping: { ...whole.grouping, dimensions: [], measures: [] } },
    change.plan.calendar,
  );
  const { used, later } = budgetUseOf(plan);
  const amounts = [
    { name: 'used', condition: used },
    { name: 'forecast', condition: `(${used} OR ${later})` },
  ].flatMap(({ name, condition }) => [
    { name: `${name}_hours`, expression: `CASE WHEN ${condition} AND billable THEN hours END` },
    { name: `${name}_fees`, expression: `CASE WHEN ${condition} THEN fee END` },
  ]);
  const sums = (sign: string) =>
    list(amounts.map(({ name, expression }) => `${sign}COALESCE(${expression}, 0) AS ${name}`));
  const isUse = `(kind <> ${kindLiteral('expense')} OR billable)`;
  return `WITH ${pointParts({ ...change, plan }).join(',\n')},
entries AS (
  SELECT ${ids}, arrival AS cause, ${sums('')} FROM counted WHERE arrival IS NOT NULL AND ${isUse}
  UNION ALL
  SELECT ${ids}, departure AS cause, ${sums('-')} FROM counted WHERE departure IS NOT NULL AND ${isUse}
)
SELECT ${ids}, cause, ${list(amounts.map(({ name }) => `SUM(${name}) AS ${name}`))}
FROM entries
GROUP BY ${ids}, cause`;
}
