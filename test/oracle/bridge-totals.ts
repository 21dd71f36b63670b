import { EFFECTS } from '../../src/numbers/report/catalogue/bridges.ts';
import { ZERO } from './exact.ts';
import { type Fraction, fractionOf, minus, over, plus, times } from './fraction.ts';
import type { Line } from './ledger.ts';
import type { Counted } from './measures.ts';

/*
 * The totals of volume and of each mix by their closed forms, in exact fractions and without cells of differences: volume is
 * (H_a - H_p) x R_0, and a mix the sum of actual hours x (R of its level - R of the level above). Planned hours cancel out, since
 * they make R; only those without a rate make none, and count against the actual hours.
 */

const NOTHING: Fraction = { top: 0n, bottom: 1n };

const KEYS: readonly ((line: Line) => string)[] = [
  () => '',
  (line) => `${line.project_id}`,
  (line) => `${line.project_id} ${line.role_id}`,
  (line) => `${line.project_id} ${line.role_id} ${line.people_id}`,
];

export interface BridgeTotals {
  /** Volume and the mixes, in the order of the effects. */
  readonly effects: readonly { readonly name: string; readonly value: Fraction }[];
  /** The number of cells, each of which may round an effect. */
  readonly cells: number;
}

/** Returns the totals of a bridge of cost or fees; undefined if no line has the amount. */
export function totalsOf({ scheduledToDate: plan, actual }: Counted, amount: 'cost' | 'fee'): BridgeTotals | undefined {
  const rateOf = (lines: readonly Line[]): Fraction | undefined => {
    const priced = lines.filter((line) => line[amount] !== null);
    const hours = sumOf(priced, 'hours');
    return hours.top === 0n ? undefined : over(sumOf(priced, amount), hours);
  };
  const average = rateOf(plan) ?? rateOf(actual);
  if (!average) return undefined;
  const ratesOf = (line: Line): readonly Fraction[] => {
    const levels: Fraction[] = [];
    for (const keyOf of KEYS) {
      const isSame = (other: Line) => keyOf(other) === keyOf(line);
      levels.push(rateOf(plan.filter(isSame)) ?? rateOf(actual.filter(isSame)) ?? levels.at(-1) ?? average);
    }
    return levels;
  };
  const cells = new Map([...plan, ...actual].map((line) => [cellOf(line), line]));
  const unpriced = plan.filter((line) => line[amount] === null);
  const mixes = [1, 2, 3].map((level) =>
    [...cells].reduce((sum, [cell, line]) => {
      const hoursOf = (lines: readonly Line[]) =>
        sumOf(
          lines.filter((other) => cellOf(other) === cell),
          'hours',
        );
      const rates = ratesOf(line);
      const dearer = minus(rates[level] ?? average, rates[level - 1] ?? average);
      return plus(sum, times(minus(hoursOf(actual), hoursOf(unpriced)), dearer));
    }, NOTHING),
  );
  const volume = times(minus(sumOf(actual, 'hours'), sumOf(plan, 'hours')), average);
  const effects = [volume, ...mixes].map((value, index) => ({ name: EFFECTS[index] ?? '', value }));
  return { effects, cells: cells.size };
}

function cellOf(line: Line): string {
  return KEYS.at(-1)?.(line) ?? '';
}

function sumOf(lines: readonly Line[], name: 'hours' | 'cost' | 'fee'): Fraction {
  return fractionOf(lines.reduce((sum, line) => sum.plus(line[name] ?? ZERO), ZERO));
}
