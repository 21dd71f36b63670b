import { Decimal } from 'decimal.js';

/** Decimals with the precision for any sum, product or quotient of DECIMAL(38,6). */
export const Exact = Decimal.clone({ precision: 60 });

export type ExactDecimal = Decimal;

/** The fewest decimals of hours, which have up to 6, and of rates, which have up to 4. */
const FEWEST_DECIMALS = 2;

const INDEX_DECIMALS = 4;

/** Returns the fewest decimals of a unit's values; undefined to keep those that they have. */
export function fewestDecimals(unit: string, minorUnits: number): number | undefined {
  if (unit === 'percent') return undefined;
  if (unit === 'index') return INDEX_DECIMALS;
  return unit === 'money' || unit === 'budget' ? minorUnits : FEWEST_DECIMALS;
}

/** Returns a decimal without trailing zeros, but with some decimals. @param fewest Undefined to keep those that it has. */
export function trimZeros(text: string, fewest: number | undefined): string {
  if (fewest === undefined) return text;
  const point = text.includes('.') ? text.indexOf('.') : text.length;
  let end = text.length;
  while (end > point + fewest + 1 && text[end - 1] === '0') end -= 1;
  const kept = text.slice(point + 1, end).padEnd(fewest, '0');
  return kept === '' ? text.slice(0, point) : `${text.slice(0, point)}.${kept}`;
}

/** The decimals of sums: those of hours, of which money has fewer. Unit: digits. */
export const SUM_DECIMALS = 6;

/** Parses a decimal into units of the last digit of a sum; further digits, which sums lack, are cut. */
export function parseUnits(text: string): bigint {
  const point = text.includes('.') ? text.indexOf('.') : text.length;
  const digits = text.slice(point + 1, point + 1 + SUM_DECIMALS);
  return BigInt(text.slice(0, point) + digits.padEnd(SUM_DECIMALS, '0'));
}

/** The fewest decimals of a sum. Unit: digits. */
export const FEWEST_SUM_DECIMALS = 4;

/** Formats units of the last digit of a sum as a decimal, with 4 decimals if it has no more. */
export function formatSum(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(SUM_DECIMALS + 1, '0');
  const text = `${units < 0n ? '-' : ''}${digits.slice(0, -SUM_DECIMALS)}.${digits.slice(-SUM_DECIMALS)}`;
  return trimZeros(text, FEWEST_SUM_DECIMALS);
}

/** Formats a decimal for a sentence: with commas, rounded half away from zero. */
export function formatRounded(value: string, decimals: number): string {
  const [whole = '', digits] = new Exact(value).toFixed(decimals).split('.');
  const grouped = groupThousands(whole);
  return digits === undefined ? grouped : `${grouped}.${digits}`;
}

/** Returns whole digits, perhaps after a sign, with a comma before each three of them. Digits: at most 39, those of a DECIMAL(38,0). */
export function groupThousands(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3}){1,13}$)/g, ',');
}
