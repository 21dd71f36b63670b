import type { Value } from '../../../base/database/index.ts';
import { AppError, formatSum, makePace, parseUnits, SUM_DECIMALS } from '../../../base/index.ts';
import type { Column, TieWords } from '../catalogue/table.ts';
import { type Comparison, nameTie } from './ties.ts';

/**
 * Compares the sums of the rows with the totals, which were computed independently.
 * @param additive Names of the measures that are plain sums.
 */
export async function tieRows(
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  totals: readonly Value[],
  additive: ReadonlySet<string>,
): Promise<Comparison[]> {
  const ties: Comparison[] = [];
  for (const [index, { name, needsRates }] of columns.entries()) {
    if (!additive.has(name)) continue;
    const sums = [{ parts: partsOf(rows, index), total: totals[index] ?? null }];
    ties.push(await tieSums({ subject: name, sides: ['sum of the rows', 'total'] }, sums, needsRates));
  }
  return ties;
}

/** The measures that make a position: the opening one and revenue, less invoices and write-offs. */
const OF_POSITION = [
  { name: 'opening_position', sign: 1n },
  { name: 'actual_revenue', sign: 1n },
  { name: 'invoiced', sign: -1n },
  { name: 'written_off', sign: -1n },
] as const;

/** Compares the positions of rows and of the total with what makes them; nothing where a column isn't shown, or no row knows all of them. */
export async function tiePositions(
  columns: readonly Column[],
  rows: readonly (readonly Value[])[],
  totals: readonly Value[],
): Promise<Comparison[]> {
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name);
  const [position, parts] = [
    placeOf('position'),
    OF_POSITION.map(({ name, sign }) => ({ place: placeOf(name), sign })),
  ];
  const places = [position, ...parts.map(({ place }) => place)];
  if (places.some((place) => place < 0)) return [];
  const words = { subject: 'positions', sides: ['opening and revenue less bills', 'closing'] } as const;
  const tie = (known: readonly (readonly Value[])[]) =>
    tieUnits(
      words,
      known.map((row) => ({
        parts: parts.map(({ place, sign }) => sign * sumUnits(row[place] ?? null)),
        total: sumUnits(row[position] ?? null),
      })),
      false,
    );
  const isKnown = (row: readonly Value[]) => places.every((place) => (row[place] ?? null) !== null);
  // Positions of periods don't add up, so the numbers that are shown are those of the total.
  const ties = await Promise.all(
    [rows.filter(isKnown), [totals].filter(isKnown)].filter(({ length }) => length > 0).map(tie),
  );
  return ties.filter(({ ok }, index) => !ok || index === ties.length - 1).slice(0, 1);
}

/** Yields the values of a column. */
export function* partsOf(rows: Iterable<readonly Value[]>, place: number): Iterable<Value> {
  for (const row of rows) yield row[place] ?? null;
}

/** Values that must add up to a total, each read once. */
export interface SummedValues<Of = Value> {
  readonly parts: Iterable<Of>;
  readonly total: Of;
}

/** Compares many sums with their totals as one tie-out: the first that differs, or all together. */
export function tieSums(words: TieWords, sums: Iterable<SummedValues>, isCost: boolean): Promise<Comparison> {
  return tieUnits(words, mapSums(sums), isCost);
}

function* mapSums(sums: Iterable<SummedValues>): Iterable<SummedValues<bigint>> {
  for (const { parts, total } of sums) yield { parts: mapUnits(parts), total: sumUnits(total) };
}

function* mapUnits(values: Iterable<Value>): Iterable<bigint> {
  for (const value of values) yield sumUnits(value);
}

/** Yields sums whose total isn't blank. @param mayBeBlank True if a reader sees some of their parts alone (L2). */
export function* sumsSeen(mayBeBlank: boolean, sums: Iterable<SummedValues>): Iterable<SummedValues> {
  for (const sum of sums) if (!mayBeBlank || sum.total !== null) yield sum;
}

/** Compares sums in millionths as tieSums does. */
export async function tieUnits(
  words: TieWords,
  sums: Iterable<SummedValues<bigint>>,
  isCost: boolean,
): Promise<Comparison> {
  const pace = makePace();
  const all = { left: 0n, right: 0n };
  let broken: typeof all | undefined;
  for (const { parts, total: right } of sums) {
    let left = 0n;
    for (const part of parts) {
      left += part;
      const isOver = pace();
      if (isOver) await isOver;
    }
    if (left !== right) broken ??= { left, right };
    all.left += left;
    all.right += right;
  }
  const { left, right } = broken ?? all;
  return {
    ...nameTie(words),
    left: formatSum(left),
    right: formatSum(right),
    ok: left === right,
    isCost,
    isBeyondFilter: false,
  };
}

/** Converts a sum to millionths: "12.5000" is 12500000n, null is 0n. */
export function sumUnits(value: Value): bigint {
  if (value === null) return 0n;
  const text = String(value);
  const point = text.lastIndexOf('.');
  if (point < 0 || text.length - point - 1 > SUM_DECIMALS)
    throw new AppError('internal', `A sum must have 1 to ${SUM_DECIMALS} decimals: ${text}`);
  return parseUnits(text);
}
