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
  const rounded = new Exact(value).toDecimalPlaces(decimals);
  // Nothing has no sign.
  const [whole = '', digits] = (rounded.isZero() ? rounded.abs() : rounded).toFixed(decimals).split('.');
  const grouped = groupThousands(whole);
  return digits === undefined ? grouped : `${grouped}.${digits}`;
}

/** Returns whole digits, perhaps after a sign, with a comma before each three of them. Digits: at most 39, those of a DECIMAL(38,0). */
export function groupThousands(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3}){1,13}$)/g, ',');
}

/** The units of numbers that people read rounded; a budget is of hours or of money. */
export type ReadableUnit = 'hours' | 'money' | 'rate' | 'budget' | 'percent';

/** The decimals of hours, and the fewest of rates and budgets. */
const SHOWN_DECIMALS = 2;

/** The percentages beyond which only that is said: a quotient of nearly nothing is no measure. Unit: percent. */
const MOST_PERCENT = 999;

/** Returns whether a unit's numbers are rounded for people. */
export function isReadableUnit(unit: string): unit is ReadableUnit {
  return ['hours', 'money', 'rate', 'budget', 'percent'].includes(unit);
}

/**
 * Formats an exact decimal for people, in sentences and tables of a terminal: hours with two decimals, money with those of its
 * currency, rounded half away from zero, with commas. What is almost nothing is <0.01, and a percentage beyond 999 is >999.
 * @param minorUnits The decimals of the currency's minor unit.
 */
export function formatReadable(value: string, unit: ReadableUnit, minorUnits: number): string {
  if (unit === 'percent') return formatPercent(value);
  const decimals =
    unit === 'hours' ? SHOWN_DECIMALS : unit === 'money' ? minorUnits : Math.max(SHOWN_DECIMALS, minorUnits);
  const exact = new Exact(value);
  if (exact.isZero() || !exact.toDecimalPlaces(decimals).isZero()) return formatRounded(value, decimals);
  const least = new Exact(10).pow(-decimals).toFixed(decimals);
  return exact.isNegative() ? `>-${least}` : `<${least}`;
}

/**
 * Formats decimals that stand beside each other for people: with all digits where two that differ would read the same.
 * @param minorUnits The decimals of the currency's minor unit.
 */
export function formatBeside(values: readonly string[], unit: ReadableUnit, minorUnits: number): string[] {
  const read = values.map((value) => formatReadable(value, unit, minorUnits));
  const different = new Set(values.map((value) => new Exact(value).toFixed()));
  return new Set(read).size === different.size ? read : values.map((value) => formatAll(value, minorUnits));
}

/** Formats a decimal with all its digits, and commas. @param fewest The fewest decimals. */
function formatAll(value: string, fewest: number): string {
  return formatRounded(value, Math.max(fewest, new Exact(value).decimalPlaces()));
}

/** Formats a percentage with the decimals that it has. */
function formatPercent(value: string): string {
  const exact = new Exact(value);
  if (exact.abs().lte(MOST_PERCENT)) return value;
  return exact.isNegative() ? `<-${MOST_PERCENT}` : `>${MOST_PERCENT}`;
}
