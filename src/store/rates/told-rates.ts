import { formatRounded } from '../../base/index.ts';
import type { RateChange } from './follow-rates.ts';
import type { PastValue } from './past-value.ts';

/** The rates that a source has changed, as a load or a sync tells them. */
export interface ToldRates {
  readonly rates: number;
  /** The day from which they hold; null if they hold always. */
  readonly from: string | null;
  /** The past lines whose value they move, and by how much; null if that isn't known. */
  readonly pastLines: number | null;
  readonly value: string | null;
  readonly sentence: string;
}

/** Tells changed rates; undefined if there are none. @param isDry True if nothing is written. */
export function tellRates(changes: readonly RateChange[], past?: PastValue, isDry = false): ToldRates | undefined {
  if (changes.length === 0) return undefined;
  const from = changes.find((change) => change.from !== null)?.from ?? null;
  const value = past === undefined ? null : formatPlain(past);
  const told = { rates: changes.length, from, pastLines: past?.lines ?? null, value };
  return { ...told, sentence: sayRates(told, past, isDry) };
}

function sayRates({ rates, from }: Omit<ToldRates, 'sentence'>, past: PastValue | undefined, isDry: boolean): string {
  const verb = isDry ? 'would change' : 'changed';
  const head = `${countOf(rates, 'rate')} ${verb}${from === null ? '' : `, from ${from} on`}`;
  const list = from === null || isDry ? '' : ' plumbline rates lists what was seen.';
  if (!past) return `${head}.${list}`;
  const value = formatRounded(past.value, past.minorUnits);
  const signed = value.startsWith('-') ? value : `+${value}`;
  return `${head}: value of ${countOf(past.lines, 'past line')} ${signed}.${list}`;
}

function countOf(count: number, noun: string): string {
  return `${formatRounded(String(count), 0)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats an amount with the decimals of its currency, without commas. */
function formatPlain({ value, minorUnits }: PastValue): string {
  return formatRounded(value, minorUnits).replaceAll(',', '');
}
