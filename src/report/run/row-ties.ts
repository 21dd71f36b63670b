import type { Value } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { Exact } from '../../exact-decimal.ts';
import type { Column, TieWords } from '../catalogue/table.ts';
import { type Comparison, nameTie, SCALE } from './ties.ts';

/**
 * Compares the sums of the rows with the totals, which were computed independently.
 * @param additive Names of the measures that are plain sums.
 */
export function tieRows(
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  totals: readonly Value[],
  additive: ReadonlySet<string>,
): Comparison[] {
  return columns.flatMap(({ name, needsRates }, index) => {
    if (!additive.has(name)) return [];
    let sum = 0n;
    for (const row of rows) sum += sumUnits(row[index] ?? null);
    const [left, right] = [formatSum(sum), formatSum(sumUnits(totals[index] ?? null))];
    const words = { subject: name, sides: ['sum of the rows', 'total'] as const };
    return [{ ...nameTie(words), left, right, ok: left === right, isCost: needsRates, isBeyondFilter: false }];
  });
}

/** Values that must add up to a total. */
export interface SummedValues {
  readonly parts: readonly Value[];
  readonly total: Value;
}

/** Compares many sums with their totals as one tie-out: the first that differs, or all together. */
export function tieSums(words: TieWords, sums: readonly SummedValues[], isCost: boolean): Comparison {
  const compared = sums.map(({ parts, total }) => ({
    left: parts.map(sumUnits).reduce((sum, units) => sum + units, 0n),
    right: sumUnits(total),
  }));
  const all = { left: 0n, right: 0n };
  for (const { left, right } of compared) {
    all.left += left;
    all.right += right;
  }
  const { left, right } = compared.find((each) => each.left !== each.right) ?? all;
  return {
    ...nameTie(words),
    left: formatSum(left),
    right: formatSum(right),
    ok: left === right,
    isCost,
    isBeyondFilter: false,
  };
}

/** Converts a decimal to whole units of its last digit: "12.5000" is 125000n, null is 0n. */
export function sumUnits(value: Value): bigint {
  if (value === null) return 0n;
  const text = String(value);
  if (text.at(-SCALE - 1) !== '.') throw new AppError('internal', `A sum must have ${SCALE} decimals: ${text}`);
  return BigInt(text.slice(0, -SCALE - 1) + text.slice(-SCALE));
}

export function formatSum(units: bigint): string {
  return new Exact(units.toString()).div(10 ** SCALE).toFixed(SCALE);
}
