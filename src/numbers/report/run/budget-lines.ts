import type { Database } from '../../../base/database/index.ts';
import { AppError, fewestDecimals, formatSum, trimZeros } from '../../../base/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { ChangePlan } from '../compare/change-plan.ts';
import { budgetAmounts, compileSight } from '../compare/compile-budget-changes.ts';
import type { ListedChange } from '../compare/plan-changed-lines.ts';
import { budgetPartOf } from '../kinds/kinds.ts';
import { maySeeInPart } from '../plan/outside.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import type { ReportContext } from './context.ts';
import {
  type BudgetUse,
  budgetsOf,
  type RowBudget,
  readBothBudgets,
  readUses,
  sumWhole,
  unitOfUse,
} from './read-budgets.ts';

/** The lines that are behind the difference of budgets, of their whole lives, and the part of it that has none. */
interface BudgetLines extends Pick<ListedChange, 'change' | 'differences'> {
  /** As that of a listed change. */
  readonly isBlank: boolean;
  readonly unit: 'hours' | 'money';
  /** Returns sentences about the part that has no lines. @param causes Those that are asked for. */
  describeRest(causes: readonly string[]): string[];
}

/** Sentences about the part of a difference that whole budgets are, by cause. */
const REST = {
  moved: 'Budgets that enter or leave these filters as a whole',
  budget: 'Budgets that have changed, come or gone',
} as const;

/**
 * Finds the lines that are behind the difference of the use of budgets, over the whole life of each.
 * @param then A connection whose statements read the other state.
 * @param change Its plan is of the rows, with the measure alone.
 * @throws AppError usage for budgets in several units.
 */
export async function findBudgetLines(
  { database, company }: ReportContext,
  then: Database,
  change: ChangePlan,
  measure: Measure,
): Promise<BudgetLines> {
  const budget = budgetPartOf(measure) ?? 'used';
  const both = await readBothBudgets(database, then, change);
  const compare = (uses: ReadonlyMap<string, BudgetUse>) => {
    const budgets = budgetsOf(both, uses, both.earlier.ofAll, both.later.ofAll);
    if (!budgets) throw inSeveralUnits(measure.name);
    return budgets;
  };
  const found = compare(new Map());
  // Only budgets that are gone need the effects of their lines.
  const isGone = found.some(({ isIn, then: before, now }) => isIn && before && !now);
  const rest = sumWhole(budget, isGone ? compare(await readUses(database, { ...change, later: undefined })) : found);
  const idsOf = (isMeant: (each: RowBudget) => unknown) =>
    found.flatMap((each) => {
      const known = each.now ?? each.then;
      return known && each.isIn && isMeant(each) ? [known.ids] : [];
    });
  const [first] = found.flatMap(({ isIn, then: before, now }) => (isIn && now) || before || []);
  const counted = first ? unitOfUse(first) : 'hours';
  const unit = counted === 'hours' ? 'hours' : 'money';
  const compared = idsOf(({ then: before }) => before);
  const present = idsOf(({ now }) => now);
  const isBlank =
    maySeeInPart(change.plan.query.selection, measure) && !(await isWhole(database, then, change, measure));
  return {
    isBlank,
    ...budgetAmounts(change, budget, { countedIn: counted, compared, present }),
    unit,
    describeRest: (causes) =>
      (['moved', 'budget'] as const)
        .filter((cause) => !isBlank && rest[cause] !== 0n && causes.includes(cause))
        .map((cause) => {
          const amount = trimZeros(formatSum(rest[cause]), fewestDecimals(unit, company.minorUnits));
          return `${REST[cause]} are ${amount} ${unit === 'hours' ? 'h' : company.currency} of the difference, by the cause ${cause}; no line is behind that.`;
        }),
  };
}

/** Reads whether the reader sees whole, in both states, what the rows of a comparison are about. */
async function isWhole(
  database: Database,
  then: Database,
  { plan, thenCalendar }: ChangePlan,
  measure: Measure,
): Promise<boolean> {
  const read = async (from: Database, of: SummaryPlan) => {
    const [row] = await from.rows<{ is_whole: boolean }>(compileSight(of, measure));
    return row?.is_whole ?? false;
  };
  return (await read(database, plan)) && (await read(then, planSummary(plan.query, thenCalendar)));
}

function inSeveralUnits(name: string): AppError {
  const message = `measure: ${name} is of budgets in hours and of budgets in money, which don't add up`;
  return new AppError('usage', message, {
    fields: [{ field: 'measure', message }],
    hint: 'Give filters that leave budgets of one unit, such as project_id=501.',
  });
}
