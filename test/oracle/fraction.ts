import type { Exact } from './exact.ts';

/** A fraction of whole numbers, which no operation rounds. */
export interface Fraction {
  readonly top: bigint;
  /** Above 0. */
  readonly bottom: bigint;
}

/** The most decimal places of an hour or an amount, as a power of ten. */
const SCALE = 1_000_000;

export function fractionOf(decimal: Exact): Fraction {
  return { top: BigInt(decimal.times(SCALE).toFixed(0)), bottom: BigInt(SCALE) };
}

export function plus(left: Fraction, right: Fraction): Fraction {
  return { top: left.top * right.bottom + right.top * left.bottom, bottom: left.bottom * right.bottom };
}

export function minus(left: Fraction, right: Fraction): Fraction {
  return plus(left, { top: -right.top, bottom: right.bottom });
}

export function times(left: Fraction, right: Fraction): Fraction {
  return { top: left.top * right.top, bottom: left.bottom * right.bottom };
}

/** @param right More than 0. */
export function over(left: Fraction, right: Fraction): Fraction {
  return { top: left.top * right.bottom, bottom: left.bottom * right.top };
}

/** Returns whether two fractions differ by no more than a third one. */
export function isWithin(left: Fraction, right: Fraction, most: Fraction): boolean {
  const { top, bottom } = minus(left, right);
  return (top < 0n ? -top : top) * most.bottom <= most.top * bottom;
}
