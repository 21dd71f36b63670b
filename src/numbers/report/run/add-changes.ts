import type { Value } from '../../../base/database/index.ts';
import { formatSum, mapInTurns } from '../../../base/index.ts';
import { listCauses } from '../catalogue/change-causes.ts';
import type { Query } from '../request/query.ts';
import type { CauseSums } from './budget-causes.ts';
import { sortRows } from './change-order.ts';
import type { ChangeRow, MeasureChange } from './change-rows.ts';
import { checkParts, type StateChanges } from './compare-state.ts';
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
  const totals = addSame(parts.map((part) => part.totals));
  const isOneRow = query.grouping.dimensions.length === 0;
  const rows = isOneRow ? [totals] : await sortRows(context.database, named, await addRows(parts));
  return checkParts(context, query, { rows, totals, named });
}

/** Adds up the rows with the same keys. */
async function addRows(parts: readonly StateChanges[]): Promise<ChangeRow[]> {
  const found = new Map<string, ChangeRow[]>();
  for (const { rows } of parts)
    await mapInTurns(rows, (row) => {
      const key = JSON.stringify(row.keys);
      found.set(key, [...(found.get(key) ?? []), row]);
    });
  return mapInTurns(found.values(), addSame);
}

/** Returns the sum of rows, which has the names of the last one. */
function addSame(rows: readonly ChangeRow[]): ChangeRow {
  return {
    keys: rows[0]?.keys ?? [],
    names: Object.assign({}, ...rows.map(({ names }) => names)),
    changeOf: (measure) => rows.map((row) => row.changeOf(measure)).reduce(addChange),
  };
}

/** Adds a change. A value that is unknown on some days is unknown, and the causes are those that are known, unless some are blank. */
function addChange(sum: MeasureChange, change: MeasureChange): MeasureChange {
  const [then, now] = [addValues(sum.then, change.then), addValues(sum.now, change.now)];
  return {
    unit: sum.unit,
    then,
    now,
    isOfOneUnit: sum.isOfOneUnit,
    known: sum.known + change.known,
    causes: sum.causes && change.causes && addCauses(sum.causes, change.causes),
  };
}

function addCauses(one: Partial<CauseSums>, other: Partial<CauseSums>): CauseSums {
  return Object.fromEntries(
    listCauses().map((cause) => [cause, (one[cause] ?? 0n) + (other[cause] ?? 0n)]),
  ) as CauseSums;
}

function addValues(one: Value, other: Value): Value {
  return one === null || other === null ? null : formatSum(sumUnits(one) + sumUnits(other));
}
