/*
 * Exact arithmetic in SQL: decimals as whole numbers of their fourth digit, whose quotients are rounded once.
 */

/** Returns SQL of a decimal with four digits as a whole number of ten-thousandths. */
export function toUnits(decimal: string): string {
  return `CAST(${decimal} * 10000 AS HUGEINT)`;
}

/** Returns SQL of the decimal of a whole number of ten-thousandths. */
export function fromUnits(units: string): string {
  return `CAST(${units} AS DECIMAL(34, 0)) * CAST(0.0001 AS DECIMAL(4, 4))`;
}

/** Returns SQL of a quotient of whole numbers, rounded half away from zero; null if the divisor is 0. */
export function quotient(dividend: string, divisor: string): string {
  return `(2 * ${dividend} + sign(${dividend}) * abs(${divisor})) // nullif(2 * ${divisor}, 0)`;
}

/** A relation with one row: the ten-thousandths of the currency's minor unit (`unit`). */
export const MINOR_UNIT =
  '(SELECT CASE minor_units WHEN 0 THEN 10000 WHEN 2 THEN 100 WHEN 3 THEN 10 ELSE 1 END AS unit FROM core.settings) AS units';
