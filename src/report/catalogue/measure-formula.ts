import { effectsOnProfit } from './bridges.ts';
import type { Measure } from './catalogue.ts';
import { parseIndex, partsOfEarned } from './earned.ts';

/** Returns the terms of a sum measure: plus or minus an amount over a set of lines. */
export function parseSum(sum: string): { sign: 1 | -1; lines: string; amount: string }[] {
  return [...sum.matchAll(/(?:([+-])\s*)?\b([a-z_]+)\.([a-z_]+)/g)].map(([, sign, lines, amount]) => ({
    sign: sign === '-' ? -1 : 1,
    lines: lines ?? '',
    amount: amount ?? '',
  }));
}

/** Returns the names of the measures that a percentage or another ratio divides. */
export function parseRatio(ratio: string): [part: string, whole: string] {
  const [part = '', whole = ''] = ratio.split(' / ');
  return [part, whole];
}

/** Returns the names of the ratios that a number of points subtracts. */
export function parsePoints(points: string): [minuend: string, subtrahend: string] {
  const [minuend = '', subtrahend = ''] = points.split(' - ');
  return [minuend, subtrahend];
}

/** Returns the names of the measures that a ratio or a difference of ratios is computed from. */
export function operandsOf({ percent, points, index, ratio = percent }: Measure): string[] {
  if (index) return parseIndex(index);
  if (ratio) return parseRatio(ratio);
  return points ? parsePoints(points) : [];
}

/** Returns the names of the measures that explain one which is no sum of lines: its operands, the parts of earned value, or the effects of one on profit. */
export function partsOfNumber(measure: Measure): readonly string[] {
  const { effect, earned } = measure;
  if (earned) return partsOfEarned(measure);
  if (!effect?.startsWith('profit')) return operandsOf(measure);
  return effectsOnProfit(effect);
}
