/** A term of a sum: plus or minus an amount over a set of lines. */
export interface SignedTerm {
  readonly sign: 1 | -1;
  readonly lines: string;
  readonly amount: string;
}

export function parseSum(sum: string): SignedTerm[] {
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

/** Returns the names of the measures that an index divides, in the order of its formula. */
export function parseIndex(index: string): string[] {
  return index.match(/[a-z_]+/g) ?? [];
}

/** Returns a name in words. */
export function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}
