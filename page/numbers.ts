/*
 * Numbers stay the texts of the server: digits are grouped and signs are set here, and nothing is rounded.
 * Only findings, which have no totals, are added up, exactly.
 * Floats serve the geometry of charts and the choice of a color.
 */

/** Returns a decimal with groups of three digits and a true minus sign. @param signed True to mark gains with a plus. */
export function formatDecimal(text: string, signed = false): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  if (whole === '') return text;
  const isZero = !/[1-9]/.test(text);
  const shown = sign ? '−' : signed && !isZero ? '+' : '';
  return shown + whole.replace(/\B(?=(\d{3}){1,13}$)/g, ',') + fraction;
}

export function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** Returns the exact sum of decimals; null without any. */
export function addDecimals(texts: readonly string[]): string | null {
  if (texts.length === 0) return null;
  const decimals = Math.max(...texts.map(decimalsOf));
  const sum = texts.reduce(
    (total, text) => total + BigInt(text.replace('.', '') + '0'.repeat(decimals - decimalsOf(text))),
    0n,
  );
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${sum < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

/** Returns a float near a decimal, only for geometry; 0 for an unknown number. */
export function toFloat(value: unknown): number {
  return value === null || value === undefined ? 0 : Number(value);
}

/** Limits of the steps of the color scale. Unit: percent. */
const STEPS = [2.5, 5, 10, 20, 50];

/** Returns the step of a color scale, from 0 for nearly nothing to 5. */
export function stepOf(text: string): number {
  const size = Math.abs(toFloat(text));
  return STEPS.filter((limit) => size >= limit).length;
}

/** Returns whether a difference is favorable (F) or adverse (A); neither for 0, or if neither direction is better. */
export function judge(text: string, better: 'more' | 'less' | 'none' | undefined): 'F' | 'A' | undefined {
  if (!/[1-9]/.test(text) || better === undefined || better === 'none') return undefined;
  return text.startsWith('-') === (better === 'less') ? 'F' : 'A';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a date's month, such as "Jan 26". */
export function formatMonth(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(2, 4)}`;
}

/** Returns a date in words, such as "5 Jan 2026". */
export function formatDate(date: string): string {
  return `${formatDay(date)} ${date.slice(0, 4)}`;
}

/** Returns a date's day, such as "5 Jan". */
export function formatDay(date: string): string {
  return `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}
