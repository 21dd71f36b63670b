import { Decimal } from 'decimal.js';

/** A decimal of its own (A4): 60 digits, rounding half away from zero, whatever the rest of the program sets. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

export type Exact = Decimal;

export const ZERO: Exact = new Exact(0);

/** Digits after the point of a currency's minor unit, ISO 4217 (A1); only the currencies that the generator uses. */
const MINOR_UNITS: Record<string, number> = { USD: 2, EUR: 2, JPY: 0, KRW: 0, KWD: 3, BHD: 3 };

export function minorUnit(currency: string): number {
  const digits = MINOR_UNITS[currency];
  if (digits === undefined) throw new Error(`the oracle does not know the currency ${currency}`);
  return digits;
}

/** R5: over no values 0; over values that are all missing null; otherwise the missing ones add nothing. */
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

/** The sum of values of which none can be missing: hours. */
export function sumHours(values: readonly Exact[]): Exact {
  let total = ZERO;
  for (const value of values) total = total.plus(value);
  return total;
}

/** 3.2: rounded to 2 decimals, last; null when a part of it is missing or what it is taken of is 0. */
export function percent(part: Exact | null, whole: Exact | null): Exact | null {
  if (part === null || whole === null || whole.isZero()) return null;
  return part.times(100).dividedBy(whole).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
}
