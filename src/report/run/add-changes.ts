import type { Value } from '../../database/database.ts';
import { formatSum } from '../../exact-decimal.ts';
import { mapInTurns } from '../../pace.ts';
import { CAUSES } from '../catalogue/change-causes.ts';
import type { Query } from '../request/query.ts';
import type { CauseSums } from './budget-causes.ts';
import { sortRows } from './change-order.ts';
import type { ChangeRow, MeasureChange } from './change-rows.ts';
import { checkParts, rowOfAll, type StateChanges } from './compare-state.ts';
import type { ReportContext } from './context.ts';
import { sumUnits } from './row-ties.ts';

/**
 * Adds up comparisons of different days, whose measures are sums of lines.
 * @throws AppError as checkParts
 */
export async function addComparisons(
  context: ReportContext,
  query: Query,
  parts: readonly StateChanges[],
): Promise<StateChanges> {
  const named = parts[0]?.named ?? [];
  const totals = addAll(parts.map((part) => part.totals));
  const isOneRow = query.grouping.dimensions.length === 0;
  const rows = isOneRow ? [rowOfAll(totals)] : await sortRows(context.database, named, await addRows(parts));
  return checkParts(context, query, { rows, totals, named });
}

/** Adds up the rows with the same keys, which have the names of the last one. */
async function addRows(parts: readonly StateChanges[]): Promise<ChangeRow[]> {
  const found = new Map<string, ChangeRow[]>();
  for (const { rows } of parts)
    await mapInTurns(rows, (row) => {
      const key = JSON.stringify(row.keys);
      found.set(key, [...(found.get(key) ?? []), row]);
    });
  return mapInTurns(found.values(), (same) => ({
    keys: same[0]?.keys ?? [],
    names: Object.assign({}, ...same.map(({ names }) => names)),
    changes: addAll(same.map(({ changes }) => changes)),
  }));
}

/** Adds up the changes of each measure. */
function addAll(all: readonly (readonly MeasureChange[])[]): MeasureChange[] {
  const [first = []] = all;
  return first.map((change, place) =>
    all.slice(1).reduce((sum, changes) => (changes[place] ? addChange(sum, changes[place]) : sum), change),
  );
}

/** Adds a change. A value that is unknown on some days is unknown, and the causes are those that are known. */
function addChange(sum: MeasureChange, change: MeasureChange): MeasureChange {
  const { measure, unit } = sum;
  const of = (cause: keyof CauseSums) => (sum.causes?.[cause] ?? 0n) + (change.causes?.[cause] ?? 0n);
  const [then, now, difference] = (['then', 'now', 'difference'] as const).map((value) =>
    addValues(sum[value], change[value]),
  ) as [Value, Value, Value];
  return {
    measure,
    unit,
    then,
    now,
    difference,
    known: sum.known + change.known,
    causes: Object.fromEntries(CAUSES.map((cause) => [cause, of(cause)])) as CauseSums,
  };
}

function addValues(one: Value, other: Value): Value {
  return one === null || other === null ? null : formatSum(sumUnits(one) + sumUnits(other));
}
