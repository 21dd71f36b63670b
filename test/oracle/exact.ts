import { Decimal } from 'decimal.js';

/** A separate decimal type (A4): 60 digits, rounding half away from zero. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

export type Exact = Decimal;

export const ZERO: Exact = new Exact(0);

/** Decimal places of a currency's minor unit, ISO 4217 (A1), for the currencies of the generator. */
const MINOR_UNITS: Record<string, number> = { USD: 2, EUR: 2, JPY: 0, KRW: 0, KWD: 3, BHD: 3 };

export function minorUnit(currency: string): number {
  const digits = MINOR_UNITS[currency];
  if (digits === undefined) throw new Error(`the oracle does not know the currency ${currency}`);
  return digits;
}

/** R5: returns 0 without values, null if all are missing; otherwise missing values add nothing. */
export function sum(values: readonly (Exact | null)[]): Exact | null {
  let total = ZERO;
  let known = values.length === 0;
  for (const value of values) {
    if (value === null) continue;
    known = true;
    total = total.plus(value);
  }
  return known ? total : null;
}

export function sumHours(values: readonly Exact[]): Exact {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}

/** 3.2: returns a percentage, rounded last to 2 decimals; null if undefined or a part is missing. */
export function percent(part: Exact | null, whole: Exact | null): Exact | null {
  if (part === null || whole === null || whole.isZero()) return null;
  return part.times(100).dividedBy(whole).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
}

/** 3.2: returns a / b less c / d in percentage points, rounded once, from one numerator over one denominator. */
export function ratioDifference([a, b]: readonly [Exact, Exact], [c, d]: readonly [Exact, Exact]): Exact {
  const top = a.times(d).minus(c.times(b)).times(100);
  return top.dividedBy(b.times(d)).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
}
