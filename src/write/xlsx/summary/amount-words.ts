import { Exact, groupThousands } from '../../../exact-decimal.ts';

/** Formats a decimal for a sentence: with commas, rounded half away from zero. */
export function formatNumber(value: string, decimals: number): string {
  const [whole = '', digits] = new Exact(value).toFixed(decimals).split('.');
  const grouped = groupThousands(whole);
  return digits === undefined ? grouped : `${grouped}.${digits}`;
}

export function formatHours(hours: string): string {
  return `${formatNumber(hours, 2)} h`;
}

/** Formats an amount with its currency, such as 3,100.00 EUR. */
export function formatMoney(amount: string, meta: { readonly currency: string; readonly minor_units: number }): string {
  return `${formatNumber(amount, meta.minor_units)} ${meta.currency}`;
}

export function formatCount(count: number, word: string, plural = `${word}s`): string {
  return `${formatNumber(String(count), 0)} ${count === 1 ? word : plural}`;
}
