import type { Database, Value } from '../../database/database.ts';
import { tupleKey } from '../../tuple-key.ts';
import type { Measure } from '../catalogue/catalogue.ts';
import { CAUSES, type ChangeCause } from '../catalogue/change-causes.ts';
import type { ChangePlan } from '../compare/change-steps.ts';
import { compileBudgetSteps, compileBudgets } from '../compare/compile-budget-changes.ts';
import { levelOf } from '../plan/budget.ts';
import { attributesShown } from '../plan/compile-summary.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { sumUnits } from './row-ties.ts';

/** The changes of a measure by cause, in ten-thousandths. */
export type CauseSums = Record<ChangeCause, bigint>;

/** Amounts of a budget in its unit, in ten-thousandths; what is unknown is 0. */
interface Amounts {
  readonly total: bigint;
  readonly used: bigint;
  readonly forecast: bigint;
}

interface Budget extends Amounts {
  readonly unit: string;
}

/** The effects of lines on the use of a budget, by cause, counted in hours and in fees. */
type Use = ReadonlyMap<ChangeCause, Readonly<Record<'hours' | 'fees', Amounts>>>;

/** The budgets of a state by their key, and the keys of those of each row. */
interface StateBudgets {
  readonly amounts: ReadonlyMap<string, Budget>;
  readonly ofRows: ReadonlyMap<string, ReadonlySet<string>>;
  readonly ofAll: ReadonlySet<string>;
}

/** The causes of the differences of budgets. */
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
  const { plan, thenCalendar } = change;
  const earlier = await readBudgets(then, { ...change, plan: planSummary(plan.query, thenCalendar) });
  const later = await readBudgets(database, change);
  const uses = await readUses(database, change);
  const ofMembers = (was: ReadonlySet<string> = new Set(), is: ReadonlySet<string> = new Set()) => {
    const parts = [...new Set([...was, ...is])].map((key) => {
      const [wasIn, isIn, now] = [was.has(key), is.has(key), later.amounts.get(key)];
      const before = earlier.amounts.get(key);
      // A row that gets a budget gets it as it was, unless nobody could add the two up.
      const then = wasIn || before?.unit === now?.unit ? before : undefined;
      return { wasIn, isIn, then, now, use: uses.get(key) };
    });
    const units = new Set(
      parts.flatMap(({ wasIn, isIn, then, now }) => [
        ...(wasIn && then ? [then.unit] : []),
        ...(isIn && now ? [now.unit] : []),
      ]),
    );
    return units.size > 1 ? undefined : parts;
  };
  return {
    ofRow: (values, measure) => {
      const key = keyOf(values);
      return sumCauses(measure, ofMembers(earlier.ofRows.get(key), later.ofRows.get(key)));
    },
    ofTotals: (measure) => sumCauses(measure, ofMembers(earlier.ofAll, later.ofAll)),
  };
}

/** A budget of a row, with what is known of it in both states. */
interface RowBudget {
  /** True if the row has it in the earlier state, and in the later one. */
  readonly wasIn: boolean;
  readonly isIn: boolean;
  readonly then: Budget | undefined;
  readonly now: Budget | undefined;
  readonly use: Use | undefined;
}

function sumCauses({ budget }: Measure, members: readonly RowBudget[] | undefined): CauseSums | undefined {
  if (!members || !budget) return undefined;
  const sums = Object.fromEntries(CAUSES.map((cause) => [cause, 0n])) as CauseSums;
  const add = (cause: ChangeCause, sign: bigint, amounts: Amounts) => {
    sums[cause] += sign * amountOf(amounts, budget);
  };
  for (const { wasIn, isIn, then, now, use } of members) {
    if (then && wasIn !== isIn) add('moved', isIn ? 1n : -1n, then);
    if (!isIn) continue;
    if (then) for (const [cause, used] of use ?? []) add(cause, 1n, used[then.unit === 'hours' ? 'hours' : 'fees']);
    // A budget that comes brings all that its lines use now, and one that goes takes what they used.
    if (then && now) add('budget', 1n, { used: 0n, forecast: 0n, total: now.total - then.total });
    else if (now) add('budget', 1n, now);
    else if (then) add('budget', -1n, goneOf(then, use));
  }
  return sums;
}

function amountOf({ total, used, forecast }: Amounts, budget: NonNullable<Measure['budget']>): bigint {
  return { total, used, remaining: total - used, forecast }[budget];
}

/** Returns a budget with the use of its lines as they are now. */
function goneOf(then: Budget, use: Use | undefined): Amounts {
  const { total } = then;
  let { used, forecast } = then;
  for (const step of use?.values() ?? []) {
    const amounts = step[then.unit === 'hours' ? 'hours' : 'fees'];
    used += amounts.used;
    forecast += amounts.forecast;
  }
  return { total, used, forecast };
}

async function readBudgets(database: Database, { plan }: ChangePlan): Promise<StateBudgets> {
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
  const found = new Map<string, Budget>();
  for await (const row of readRows(database, amounts)) {
    const [unit, total, used, forecast] = row.slice(ids.length) as [string, Value, Value, Value];
    found.set(keyOf(row.slice(0, ids.length)), {
      unit,
      total: sumUnits(total),
      used: sumUnits(used),
      forecast: sumUnits(forecast),
    });
  }
  return { amounts: found, ofRows, ofAll };
}

async function readUses(database: Database, change: ChangePlan): Promise<ReadonlyMap<string, Use>> {
  const { ids } = levelOf(change.plan);
  const uses = new Map<string, Map<ChangeCause, Record<'hours' | 'fees', Amounts>>>();
  for await (const row of readRows(database, compileBudgetSteps(change, change.plan))) {
    const key = keyOf(row.slice(0, ids.length));
    const [cause, ...sums] = row.slice(ids.length);
    const [usedHours = 0n, usedFees = 0n, hours = 0n, fees = 0n] = sums.map(sumUnits);
    const use = uses.get(key) ?? new Map();
    uses.set(key, use);
    use.set(cause as ChangeCause, {
      hours: { total: 0n, used: usedHours, forecast: hours },
      fees: { total: 0n, used: usedFees, forecast: fees },
    });
  }
  return uses;
}

async function* readRows(database: Database, sql: string): AsyncIterable<readonly Value[]> {
  const { chunks } = await database.stream(sql);
  for await (const chunk of chunks) yield* chunk;
}

function keyOf(values: readonly Value[]): string {
  return tupleKey(...values.map((value) => (value === null ? undefined : String(value))));
}
