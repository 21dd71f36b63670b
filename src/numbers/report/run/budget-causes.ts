import type { Database, Value } from '../../../base/database/index.ts';
import { listCauses } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { ChangePlan } from '../compare/change-plan.ts';
import { budgetPartOf } from '../kinds/kinds.ts';
import {
  budgetAmountOf,
  budgetsOf,
  keyOf,
  type RowBudget,
  readBothBudgets,
  readUses,
  sumWhole,
  unitOfUse,
} from './read-budgets.ts';

/** The changes of a measure by cause, in millionths. */
export type CauseSums = Record<string, bigint>;

export function noCauses(): CauseSums {
  return Object.fromEntries(listCauses().map((cause) => [cause, 0n])) as CauseSums;
}

export interface BudgetCauses {
  /** Returns those of a row, by the values of its keys; undefined if its budgets are in several units, and don't add up. */
  ofRow(keys: readonly Value[], measure: Measure): CauseSums | undefined;
  /** Returns those of the totals, which count each budget once. */
  ofTotals(measure: Measure): CauseSums | undefined;
}

/**
 * Reads the causes of the differences of budgets, over the whole life of each (X6).
 * @param change Its plan is of the rows, with measures of budgets.
 * @param then A connection whose statements read the other state.
 */
export async function readBudgetCauses(database: Database, then: Database, change: ChangePlan): Promise<BudgetCauses> {
  const both = await readBothBudgets(database, then, change);
  const uses = await readUses(database, change);
  return {
    ofRow: (values, measure) => {
      const key = keyOf(values);
      return sumCauses(measure, budgetsOf(both, uses, both.earlier.ofRows.get(key), both.later.ofRows.get(key)));
    },
    ofTotals: (measure) => sumCauses(measure, budgetsOf(both, uses, both.earlier.ofAll, both.later.ofAll)),
  };
}

function sumCauses(measure: Measure, budgets: readonly RowBudget[] | undefined): CauseSums | undefined {
  const budget = budgetPartOf(measure);
  if (!budgets || !budget) return undefined;
  const sums: CauseSums = { ...noCauses(), ...sumWhole(budget, budgets) };
  for (const { isIn, then, use } of budgets) {
    if (!isIn || !then) continue;
    for (const [cause, used] of use ?? [])
      sums[cause] = (sums[cause] ?? 0n) + budgetAmountOf(used[unitOfUse(then)], budget);
  }
  return sums;
}
