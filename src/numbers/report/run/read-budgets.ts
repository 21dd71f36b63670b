import type { Database, Value } from '../../../base/database/index.ts';
import { tupleKey } from '../../../base/index.ts';
import type { BudgetPart } from '../catalogue/measure-kinds.ts';
import type { ChangePlan } from '../compare/change-plan.ts';
import { compileBudgetSteps, compileBudgets } from '../compare/compile-budget-changes.ts';
import type { CountedIn } from '../kinds/budget-amounts.ts';
import { levelOf } from '../kinds/budget-amounts.ts';
import { attributesShown } from '../plan/compile-summary.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';
import { sumUnits } from './row-ties.ts';

/** Amounts of a budget in its unit, in millionths; what is unknown is 0. */
export interface BudgetAmounts {
  readonly total: bigint;
  readonly used: bigint;
  readonly forecast: bigint;
}

export interface StateBudget extends BudgetAmounts {
  readonly ids: readonly string[];
  readonly unit: string;
}

/** The effects of lines on the use of a budget, by cause, counted in hours and in fees. */
export type BudgetUse = ReadonlyMap<string, Readonly<Record<CountedIn, BudgetAmounts>>>;

/** The budgets of a state by their key, and the keys of those of each row. */
interface StateBudgets {
  readonly amounts: ReadonlyMap<string, StateBudget>;
  readonly ofRows: ReadonlyMap<string, ReadonlySet<string>>;
  readonly ofAll: ReadonlySet<string>;
}

export type ComparedBudgets = Readonly<Record<'earlier' | 'later', StateBudgets>>;

/** A budget of a row, with what is known of it in both states. */
export interface RowBudget {
  /** True if the row has it in the earlier state, and in the later one. */
  readonly wasIn: boolean;
  readonly isIn: boolean;
  readonly then: StateBudget | undefined;
  readonly now: StateBudget | undefined;
  readonly use: BudgetUse | undefined;
}

/**
 * Reads the budgets of the rows of both states.
 * @param change Its plan is of the rows, with measures of budgets.
 * @param then A connection whose statements read the other state.
 */
export async function readBothBudgets(
  database: Database,
  then: Database,
  { plan, thenCalendar }: ChangePlan,
): Promise<ComparedBudgets> {
  return {
    earlier: await readBudgets(then, planSummary(plan.query, thenCalendar)),
    later: await readBudgets(database, plan),
  };
}

async function readBudgets(database: Database, plan: SummaryPlan): Promise<StateBudgets> {
  const { members, amounts } = compileBudgets(plan);
  const { ids } = levelOf(plan);
  const shown = attributesShown(plan);
  const places = plan.query.grouping.dimensions.map(({ key }) => shown.findIndex(({ name }) => name === key));
  const ofRows = new Map<string, Set<string>>();
  const ofAll = new Set<string>();
  for await (const row of readRows(database, members)) {
    const budget = keyOf(row.slice(shown.length));
    const key = keyOf(places.map((place) => row[place] ?? null));
    ofRows.set(key, (ofRows.get(key) ?? new Set()).add(budget));
    ofAll.add(budget);
  }
  const found = new Map<string, StateBudget>();
  for await (const row of readRows(database, amounts)) {
    const own = row.slice(0, ids.length);
    const [unit, total, used, forecast] = row.slice(ids.length) as [string, Value, Value, Value];
    found.set(keyOf(own), {
      ids: own.map(String),
      unit,
      total: sumUnits(total),
      used: sumUnits(used),
      forecast: sumUnits(forecast),
    });
  }
  return { amounts: found, ofRows, ofAll };
}

/** Reads the effects of the steps of all lines on the use of each budget, by its key. */
export async function readUses(database: Database, change: ChangePlan): Promise<ReadonlyMap<string, BudgetUse>> {
  const { ids } = levelOf(change.plan);
  const uses = new Map<string, Map<string, Record<CountedIn, BudgetAmounts>>>();
  for await (const row of readRows(database, compileBudgetSteps(change, change.plan))) {
    const key = keyOf(row.slice(0, ids.length));
    const [cause, ...sums] = row.slice(ids.length);
    const [usedHours = 0n, usedFees = 0n, hours = 0n, fees = 0n] = sums.map(sumUnits);
    const use = uses.get(key) ?? new Map();
    uses.set(key, use);
    use.set(cause, {
      hours: { total: 0n, used: usedHours, forecast: hours },
      fees: { total: 0n, used: usedFees, forecast: fees },
    });
  }
  return uses;
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the budgets that a row has in one of the states; undefined if they are in several units, and don't add up. */
export function budgetsOf(
  { earlier, later }: ComparedBudgets,
  uses: ReadonlyMap<string, BudgetUse>,
  was = NONE,
  is = NONE,
): readonly RowBudget[] | undefined {
  const budgets = [...new Set([...was, ...is])].map((key) => {
    const [wasIn, isIn, now] = [was.has(key), is.has(key), later.amounts.get(key)];
    const before = earlier.amounts.get(key);
    // A row that gets a budget gets it as it was, unless nobody could add the two up.
    const then = wasIn || before?.unit === now?.unit ? before : undefined;
    return { wasIn, isIn, then, now, use: uses.get(key) };
  });
  const units = new Set(
    budgets.flatMap(({ wasIn, isIn, then, now }) => [
      ...(wasIn && then ? [then.unit] : []),
      ...(isIn && now ? [now.unit] : []),
    ]),
  );
  return units.size > 1 ? undefined : budgets;
}

/** Sums what whole budgets do to a row: those that it gets or loses, and those that are others, have come or are gone. */
export function sumWhole(budget: BudgetPart, budgets: readonly RowBudget[]): Record<'moved' | 'budget', bigint> {
  const sums = { moved: 0n, budget: 0n };
  const add = (cause: keyof typeof sums, sign: bigint, amounts: BudgetAmounts) => {
    sums[cause] += sign * budgetAmountOf(amounts, budget);
  };
  for (const { wasIn, isIn, then, now, use } of budgets) {
    if (then && wasIn !== isIn) add('moved', isIn ? 1n : -1n, then);
    if (!isIn) continue;
    // A budget that comes brings all that its lines use now, and one that goes takes what they used.
    if (then && now) add('budget', 1n, { used: 0n, forecast: 0n, total: now.total - then.total });
    else if (now) add('budget', 1n, now);
    else if (then) add('budget', -1n, goneOf(then, use));
  }
  return sums;
}

export function budgetAmountOf({ total, used, forecast }: BudgetAmounts, budget: BudgetPart): bigint {
  return { total, used, remaining: total - used, forecast }[budget];
}

export function unitOfUse({ unit }: StateBudget): CountedIn {
  return unit === 'hours' ? 'hours' : 'fees';
}

/** Returns a budget with the use of its lines as they are now. */
function goneOf(then: StateBudget, use: BudgetUse | undefined): BudgetAmounts {
  const { total } = then;
  let { used, forecast } = then;
  for (const step of use?.values() ?? []) {
    const amounts = step[unitOfUse(then)];
    used += amounts.used;
    forecast += amounts.forecast;
  }
  return { total, used, forecast };
}

async function* readRows(database: Database, sql: string): AsyncIterable<readonly Value[]> {
  const { chunks } = await database.stream(sql);
  for await (const chunk of chunks) yield* chunk;
}

export function keyOf(values: readonly Value[]): string {
  return tupleKey(...values.map((value) => (value === null ? undefined : String(value))));
}
