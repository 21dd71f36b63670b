import { type Days, isWholeLife } from './days.ts';

/*
 * Numbers stay the texts of the server: digits are grouped and signs are set here. Sentences show hours with two decimals, and
 * colored cells whole percents, which open the exact number. What has no totals is added up, exactly: findings, sums of months up to one,
 * the burn-up, and the change from another window.
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

/** Returns a decimal without the zeros at its end, but for those of the first two decimals. */
export function trimZeros(text: string): string {
  const least = text.length - decimalsOf(text) + 2;
  let end = text.length;
  while (end > least && text[end - 1] === '0') end -= 1;
  return text.slice(0, end);
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

/** Returns the exact difference of two decimals. */
export function subtractDecimals(one: string, other: string): string {
  return addDecimals([one, other.startsWith('-') ? other.slice(1) : `-${other}`]) ?? '0';
}

/** Returns a part as a percentage of the size of a whole, rounded half away from zero to a tenth; undefined of nothing. */
export function percentOf(part: string, whole: string): string | undefined {
  const decimals = Math.max(decimalsOf(part), decimalsOf(whole));
  const scaled = (text: string) => BigInt(text.replace(/[.-]/g, '') + '0'.repeat(decimals - decimalsOf(text)));
  const size = scaled(whole);
  if (size === 0n) return undefined;
  const tenths = String((scaled(part) * 2000n + size) / (2n * size)).padStart(2, '0');
  return `${part.startsWith('-') ? '-' : ''}${tenths.slice(0, -1)}.${tenths.slice(-1)}`;
}

/** Returns a decimal rounded to a whole number, half away from zero. */
export function roundWhole(text: string): string {
  return roundTo(text, 0);
}

/** Returns a decimal with no more than some decimals, rounded half away from zero; nothing has no sign. */
function roundTo(text: string, decimals: number): string {
  const cut = decimalsOf(text) - decimals;
  if (cut <= 0) return text;
  const scale = 10n ** BigInt(cut);
  const digits = String((BigInt(text.replace(/[.-]/g, '')) + scale / 2n) / scale).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const size = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return text.startsWith('-') && /[1-9]/.test(size) ? `-${size}` : size;
}

/** The decimals of hours in a sentence. */
const READ_DECIMALS = 2;

/** The percentages beyond which a sentence says only that. Unit: percent. */
const MOST_PERCENT = '999';

/**
 * Returns a decimal as a sentence has it: hours with two decimals, almost nothing as <0.01, and a percentage beyond 999 as >999, as in the
 * sentences of the server. What it opens has the exact number. @param signed True to mark gains with a plus.
 */
export function formatRead(text: string, unit: string, signed = false): string {
  if (unit === 'percent' && compareDecimals(text.replace('-', ''), MOST_PERCENT) > 0)
    return text.startsWith('-') ? `<−${MOST_PERCENT}` : `>${MOST_PERCENT}`;
  if (unit !== 'hours') return formatDecimal(text, signed);
  const rounded = roundTo(text, READ_DECIMALS);
  if (/[1-9]/.test(rounded) || !/[1-9]/.test(text)) return formatDecimal(rounded, signed);
  return text.startsWith('-') ? '>−0.01' : '<0.01';
}

/** Compares two decimals exactly: negative if the first is less. */
export function compareDecimals(one: string, other: string): number {
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  const scaled = (text: string) => BigInt(text.replace('.', '') + '0'.repeat(decimals - decimalsOf(text)));
  const difference = scaled(one) - scaled(other);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Returns a float near a decimal, for geometry alone; 0 for an unknown number. */
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

/** Returns whether a difference is favorable (F) or unfavorable (U); neither for 0, or if neither direction is better. */
export function judge(text: string, better: 'more' | 'less' | 'none' | undefined): 'F' | 'U' | undefined {
  if (!/[1-9]/.test(text) || better === undefined || better === 'none') return undefined;
  return text.startsWith('-') === (better === 'less') ? 'F' : 'U';
}

/** The words for the letters of a judgment. */
export const JUDGMENTS = { F: 'favorable', U: 'unfavorable' };

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const ALL_DIGITS = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Returns the labels of the ticks of an axis, such as "1.5M"; all digits where ticks are less than a tenth of such a unit apart. */
export function tickFormat(low: number, high: number, ticks: number): (value: number) => string {
  const unit = 10 ** (3 * Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))) / 3));
  const format = ((high - low) / ticks) * 10 < unit ? ALL_DIGITS : COMPACT;
  return (value) => format.format(value).replace('-', '−');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a date's month, such as "Jan 26". */
export function formatMonth(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(2, 4)}`;
}

/** Months of a period that is made of them. */
const LENGTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Returns a period by its first day: its months, such as "Apr 25 to Jun 25", or the day. A fiscal one may begin in any month. */
export function formatPeriod(period: string, start: string): string {
  const length = LENGTHS[period];
  if (length === undefined) return formatDate(start);
  if (length === 1) return formatMonth(start);
  const last = new Date(Date.UTC(Number(start.slice(0, 4)), Number(start.slice(5, 7)) - 2 + length, 1));
  return `${formatMonth(start)} to ${formatMonth(last.toISOString())}`;
}

/** Returns a date in words, such as "5 Jan 2026". */
export function formatDate(date: string): string {
  return `${formatDay(date)} ${date.slice(0, 4)}`;
}

/** Returns a date's day, such as "5 Jan". */
export function formatDay(date: string): string {
  return `${Number(date.slice(8, 10))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;
}

/** Returns days in words, such as "1 Jan to 30 Jun 2026"; the days of everything are the whole life. */
export function formatDays(days: Days): string {
  if (isWholeLife(days)) return 'whole life';
  const { start_date: start, end_date: end } = days;
  const isOneYear = start.slice(0, 4) === end.slice(0, 4);
  return `${isOneYear ? formatDay(start) : formatDate(start)} to ${formatDate(end)}`;
}

/** Returns a moment in words, such as "5 Jan 2026, 14:05 UTC". */
export function formatMoment(moment: string): string {
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(moment) ?? [];
  return day === '' ? moment : `${formatDate(day)}, ${time} UTC`;
}

/** Returns a name; for one that is empty or blank, and for an id without a record, words with the id. @param kind What it is an id of. */
export function nameOr(name: string | null, id: unknown, kind: string): string {
  if (name === null) return `Unknown ${kind.toLowerCase()} ${id}`;
  return name.trim() ? name : `(no name) ${id}`;
}
