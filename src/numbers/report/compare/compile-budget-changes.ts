import { FIRST_DATE, LAST_DATE } from '../../../base/calendar/index.ts';
import type { BudgetPart, Measure } from '../catalogue/measure-kinds.ts';
import {
  allBudgetAmountParts,
  BUDGET_LEVELS,
  budgetUses,
  COUNTED,
  type CountedIn,
  IS_FORECAST,
  levelOf,
  membersPart,
} from '../kinds/budget-amounts.ts';
import { attributeJoins, attributesShown } from '../plan/compile-summary.ts';
import { numberCondition } from '../plan/outside.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { reselect } from '../request/change-query.ts';
import { memberParts, rowKeysPart } from '../source/members.ts';
import { list } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { lineParts } from '../source/window-lines.ts';
import type { ChangePlan } from './change-plan.ts';
import { pointParts } from './change-steps.ts';
import { differencesPart, PAIR } from './differences.ts';
import { CONTRIBUTION, type ListedChange } from './plan-changed-lines.ts';

export interface BudgetStatements {
  /** Returns a row for each row of the report and each budget that it has: what names the row, then the ids of the budget. */
  readonly members: string;
  /** Returns a row for each budget: its ids, budget_unit, total, used and forecast. */
  readonly amounts: string;
}

/** Compiles the budgets of the rows of a plan, whose measures are of budgets. */
export function compileBudgets(plan: SummaryPlan): BudgetStatements {
  const { ids } = levelOf(plan);
  const parts = [...lineParts(plan), ...memberParts(plan), rowKeysPart(plan), ...allBudgetAmountParts(plan)].join(
    ',\n',
  );
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

/** Compiles whether the reader sees whole what the rows of a plan are about, as is_whole in one row (L2). @param measure One of budgets. */
export function compileSight(plan: SummaryPlan, measure: Measure): string {
  const rows = [
    ...lineParts(plan),
    ...memberParts(plan),
    rowKeysPart(plan),
    membersPart(plan, BUDGET_LEVELS[2], 'whole'),
  ];
  return `WITH ${rows.join(',\n')}
SELECT ${numberCondition(plan, measure) ?? 'TRUE'} AS is_whole`;
}

/** The days of all lines: a budget covers the whole life of its project, phase or task. */
const ALL_DAYS = { startDate: FIRST_DATE, endDate: LAST_DATE };

/** Returns a comparison of all lines of the whole life of budgets. */
function compareLives(change: ChangePlan, seesRates: boolean): ChangePlan {
  const { plan } = change;
  const whole = reselect(plan.query, { ...ALL_DAYS, filters: [], seesRates });
  const query = { ...whole, grouping: { ...whole.grouping, dimensions: [], measures: [] } };
  return { ...change, plan: planSummary(query, plan.calendar) };
}

/**
 * Compiles what the steps of all lines do to the use of each budget, in hours and in fees: the ids of the budget, cause,
 * used_hours, used_fees, and these with what is to come, as forecast_hours and forecast_fees.
 * @param rows The plan of the rows, whose dimensions decide which budgets these are.
 */
export function compileBudgetSteps(change: ChangePlan, rows: SummaryPlan): string {
  const { ids } = levelOf(rows);
  // No cost uses a budget.
  const lives = compareLives(change, false);
  const amounts = Object.entries({ used: 'is_used', forecast: IS_FORECAST }).flatMap(([name, condition]) =>
    Object.entries(COUNTED).map(([unit, use]) => ({
      name: `${name}_${unit}`,
      expression: `CASE WHEN ${condition} THEN ${use} END`,
    })),
  );
  return `WITH ${[...pointParts(lives), differencesPart(budgetUses(lives.plan.source, 'counted'), ids, amounts)].join(',\n')}
SELECT ${list(ids)}, cause, ${list(amounts.map(({ name }) => `SUM(${name}) AS ${name}`))}
FROM differences
WHERE cause IS NOT NULL
GROUP BY ${list(ids)}, cause`;
}

/** Some budgets in one unit, whose lines are behind a difference, by their ids. */
export interface UsedBudgets {
  readonly countedIn: CountedIn;
  /** The budgets whose use is compared: they are there now, and were then. */
  readonly compared: readonly (readonly string[])[];
  /** The budgets of now, which the later cutoff uses up. */
  readonly present: readonly (readonly string[])[];
}

/**
 * Returns what lines contribute to the use of some budgets, over the whole life of each.
 * @param change Its plan is of the rows, whose dimensions decide which budgets these are.
 */
export function budgetAmounts(
  change: ChangePlan,
  budget: BudgetPart,
  { countedIn, compared, present }: UsedBudgets,
): Pick<ListedChange, 'change' | 'differences'> {
  const lives = compareLives(change, change.plan.query.selection.seesRates);
  const sign = budget === 'remaining' ? '-' : '';
  const amountOf = (budgets: readonly (readonly string[])[]) =>
    `CASE WHEN ${isOneOf(levelOf(change.plan).ids, budgets)} AND ${budget === 'forecast' ? IS_FORECAST : 'is_used'} THEN ${sign}${COUNTED[countedIn]} END`;
  return {
    change: lives,
    differences: [
      ...pointParts(lives),
      differencesPart(budgetUses(lives.plan.source, 'counted'), PAIR, [
        { name: CONTRIBUTION, expression: amountOf(compared), later: amountOf(present) },
      ]),
    ],
  };
}

function isOneOf(ids: readonly string[], budgets: readonly (readonly string[])[]): string {
  if (budgets.length === 0) return 'FALSE';
  const rows = budgets.map((budget) => `(${list(budget.map((id) => String(BigInt(id))))})`);
  return `(${list(ids)}) IN (${list(rows)})`;
}
