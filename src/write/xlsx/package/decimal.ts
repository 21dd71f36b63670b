import { formatSum, parseUnits, SUM_DECIMALS } from '../../../exact-decimal.ts';

/** The longest decimal of 4 decimals whose millionths form a safe integer. Unit: characters. */
const SAFE_CHARACTERS = 14;

/** The decimals that most numbers have. Unit: digits. */
const USUAL_DECIMALS = 4;

/** Their last digit in units of a sum. */
const USUAL_UNIT = 10 ** (SUM_DECIMALS - USUAL_DECIMALS);

export interface ExactSum {
  add(text: string): void;
  /** The sum in millionths. */
  units(): bigint;
}

/** Opens a sum, which adds in numbers while they are exact and carries over to a bigint. */
export function openSum(): ExactSum {
  let carried = 0n;
  let safe = 0;
  return {
    add(text) {
      const point = text.length - USUAL_DECIMALS - 1;
      if (text.length <= SAFE_CHARACTERS && text.charCodeAt(point) === 0x2e) {
        safe += Number(text.slice(0, point) + text.slice(point + 1)) * USUAL_UNIT;
        if (safe > 2 ** 52 || safe < -(2 ** 52)) {
          carried += BigInt(safe);
          safe = 0;
        }
      } else carried += parseUnits(text);
    },
    units: () => carried + BigInt(safe),
  };
}

/** Formats millionths as a decimal without trailing zeros. */
export function formatUnits(units: bigint): string {
  return trimDecimal(formatSum(units));
}

/** Removes trailing zeros, as Excel does. */
export function trimDecimal(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x30) end -= 1;
  if (text.charCodeAt(end - 1) === 0x2e) end -= 1;
  return text.slice(0, end);
}

export function percentToFraction(text: string): string {
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '0', digits = ''] = text.slice(sign.length).split('.');
  const padded = whole.padStart(3, '0');
  return sign + trimDecimal(`${padded.slice(0, -2)}.${padded.slice(-2)}${digits}`);
}

/**
 * Returns the Excel serial number of a date, in days from 1899-12-30.
 * @param date YYYY-MM-DD.
 */
export function dateSerial(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 25_569;
}
