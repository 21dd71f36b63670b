/*
 * Exact arithmetic in SQL: decimals as whole numbers of their last digit, whose quotients are rounded once.
 * Money is counted in ten-thousandths: in the millionths of hours, the products of large sums would fit no number.
 */

/**
 * Returns SQL of money as a whole number of ten-thousandths.
 * Below a billion it is done with 64-bit numbers, which take a tenth of the time of 128-bit ones.
 */
export function moneyUnits(decimal: string): string {
  return `CASE WHEN abs(${decimal}) < 1000000000 THEN CAST(CAST(${decimal} AS DECIMAL(13, 4)) * 10000 AS HUGEINT) ELSE CAST(${decimal} * 10000 AS HUGEINT) END`;
}

/** Returns SQL of hours as a whole number of millionths. */
export function hourUnits(decimal: string): string {
  return `CASE WHEN abs(${decimal}) < 100000000 THEN CAST(pl_short_units(CAST(${decimal} AS DECIMAL(14, 6))) AS HUGEINT) ELSE CAST(${decimal} * 1000000 AS HUGEINT) END`;
}

/** Returns SQL of the decimal of a whole number of ten-thousandths. */
export function fromMoneyUnits(units: string): string {
  return `CAST(${units} AS DECIMAL(34, 0)) * CAST(0.0001 AS DECIMAL(4, 4))`;
}

/** Returns SQL of the hours of a whole number of millionths. */
export function fromHourUnits(units: string): string {
  return `CAST(${units} AS DECIMAL(32, 0)) * CAST(0.000001 AS DECIMAL(6, 6))`;
}

/** Returns SQL of hours or money as a whole number of units. @param scale SQL of the units of one. */
export function toUnits(decimal: string, scale: string): string {
  return `CAST(${decimal} * ${scale} AS HUGEINT)`;
}

/** Returns SQL of the hours or the money of a whole number of units. @param scale SQL of the units of one. */
export function fromUnits(units: string, scale: string): string {
  return fromHourUnits(`${units} * (1000000 // ${scale})`);
}

/** The size below which a dividend and a divisor are divided as 64-bit numbers: twice the one and the other fit together. */
const SMALL = '3000000000000000000';

/**
 * Returns SQL of a quotient of whole numbers, rounded half away from zero; null if the divisor is 0.
 * Small numbers are divided as 64-bit ones: DuckDB divides 128-bit numbers bit by bit, which takes ten times as long.
 */
export function quotient(dividend: string, divisor: string): string {
  const divide = (above: string, below: string) =>
    `(2 * ${above} + sign(${above}) * abs(${below})) // nullif(2 * ${below}, 0)`;
  return `CASE WHEN abs(${dividend}) < ${SMALL} AND abs(${divisor}) < ${SMALL}
    THEN ${divide(`CAST(${dividend} AS BIGINT)`, `CAST(${divisor} AS BIGINT)`)} ELSE ${divide(dividend, divisor)} END`;
}

/** A relation with one row: the ten-thousandths of the currency's minor unit (`unit`), and of one (`scale`). */
export const MINOR_UNIT =
  '(SELECT CASE minor_units WHEN 0 THEN 10000 WHEN 2 THEN 100 WHEN 3 THEN 10 ELSE 1 END AS unit, 10000 AS scale FROM core.settings) AS units';

/** The same for hours in millionths, which are rounded to ten-thousandths. */
export const HOUR_UNIT = '(SELECT 100 AS unit, 1000000 AS scale) AS units';
