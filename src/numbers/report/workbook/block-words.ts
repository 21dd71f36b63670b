import { Exact, formatReadable, formatRounded } from '../../../base/index.ts';
import { makeTest } from '../insights/condition.ts';
import { plainFact } from '../insights/row-facts.ts';
import type { BlockWords } from '../layout/block-definition.ts';

/** Returns the value of a fact as text; null where it is unknown. */
export type ReadFact = (name: string) => string | null;

/** The currency that amounts in words are of. */
export interface WordsCurrency {
  readonly currency: string;
  readonly minorUnits: number;
}

/** Returns a function that tests whether one of some conditions holds: never of an unknown value. */
export function makeHolds(when: string | readonly string[]): (read: ReadFact) => boolean {
  const tests = [when].flat().map(makeTest);
  return (read) => tests.some((test) => test((name) => plainFact(read(name), 'text')));
}

/** Returns the first of some words that holds and whose values are known; undefined if none does. */
export function sayWords(words: BlockWords, read: ReadFact, currency: WordsCurrency): string | undefined {
  for (const each of [words].flat()) {
    const { when, text } = typeof each === 'string' ? { when: undefined, text: each } : each;
    const said = when === undefined || makeHolds(when)(read) ? fillText(text, read, currency) : undefined;
    if (said !== undefined) return said;
  }
  return undefined;
}

/** Fills a text; what is in brackets is left out where one of its values is unknown. */
function fillText(text: string, read: ReadFact, currency: WordsCurrency): string | undefined {
  const parts = text.split(/(\[[^[\]]*\])/).map((part) => {
    const isOptional = part.startsWith('[');
    const filled = fillPlain(isOptional ? part.slice(1, -1) : part, read, currency);
    return filled ?? (isOptional ? '' : undefined);
  });
  return parts.includes(undefined) ? undefined : parts.join('');
}

function fillPlain(text: string, read: ReadFact, currency: WordsCurrency): string | undefined {
  let isKnown = true;
  const filled = text.replaceAll(/\{([\w.]+)((?:\|[^{|}]+)*)\}/g, (_, name: string, formats: string) => {
    const value = read(name);
    if (value === null) isKnown = false;
    return value === null ? '' : formatFact(value, formats.split('|').slice(1), currency);
  });
  return isKnown ? filled : undefined;
}

/** The decimals of hours, of which almost nothing is no 0.00. */
const HOUR_DECIMALS = 2;

/** @param formats The decimals, with a minus for a number without its sign; money; or the words of what is counted, one and many. */
function formatFact(value: string, [first, many]: readonly string[], { currency, minorUnits }: WordsCurrency): string {
  if (first === undefined) return value;
  if (first === 'money') return `${formatReadable(value, 'money', minorUnits)} ${currency}`;
  if (/^-?\d$/.test(first)) {
    const size = first.startsWith('-') ? new Exact(value).abs().toFixed() : value;
    const decimals = Number(first.replace('-', ''));
    return decimals === HOUR_DECIMALS ? formatReadable(size, 'hours', minorUnits) : formatRounded(size, decimals);
  }
  return `${formatRounded(value, 0)} ${new Exact(value).equals(1) ? first : many}`;
}
