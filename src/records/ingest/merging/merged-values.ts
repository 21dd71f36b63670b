import { Exact, formatForeign } from '../../../base/index.ts';

export type JsonRecord = Record<string, unknown>;

/** Tells whether two values of a field are the same; 100 and 100.00 are one number. */
export function isSameValue(one: unknown, other: unknown, type: string | undefined): boolean {
  if (type !== 'rate' && type !== 'amount') return String(one) === String(other);
  return isPlainDecimal(one) && isPlainDecimal(other)
    ? new Exact(String(one)).eq(String(other))
    : String(one) === String(other);
}

/** Tells whether a value is a plain decimal. */
export function isPlainDecimal(value: unknown): boolean {
  return /^-?(?:[0-9]+(?:[.][0-9]+)?|[.][0-9]+)$/.test(String(value));
}

export function shownValue(value: unknown): string {
  return formatForeign(String(value));
}

/** Joins texts as a sentence does: 1, 2 and 3. */
export function listTexts(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
