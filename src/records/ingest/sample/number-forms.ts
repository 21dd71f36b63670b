import type { DecimalMark } from '../mapping/decimal-text.ts';
import type { SampleCell } from './first-rows.ts';

/** The decimal mark of a file, or the decision that a person has to make. */
export interface NumberForm {
  readonly decimal: DecimalMark | undefined;
  readonly open: string | undefined;
}

/** Matches a number with one mark and three digits behind it: 1.234 is one, or a thousand. */
const UNCLEAR = /^[1-9][0-9]{0,2}[.,][0-9]{3}$/;

/** Matches numbers that only one of the marks explains. */
const COMMA =
  /^(?:[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]+|[0-9]{1,3}(?:[. '’\u00a0\u202f][0-9]{3})+,[0-9]*|[0-9]{1,3}(?:\.[0-9]{3}){2,})$/;
const POINT =
  /^(?:[0-9]*\.(?:[0-9]{1,2}|[0-9]{4,})|0?\.[0-9]+|[0-9]{1,3}(?:[, '’\u00a0\u202f][0-9]{3})+\.[0-9]*|[0-9]{1,3}(?:,[0-9]{3}){2,})$/;

/** Finds the decimal mark of a file from its numbers. */
export function findNumberForm(cells: readonly SampleCell[]): NumberForm {
  const given = cells.filter(({ isNumber }) => !isNumber).map(({ text }) => text.trim());
  const numbers = given.flatMap((text) => text.match(/[0-9][0-9.,'’\u00a0\u202f ]*[0-9]|[0-9]|[.,][0-9]+/g) ?? []);
  const comma = numbers.find((number) => COMMA.test(number));
  const point = numbers.find((number) => POINT.test(number));
  const unclear = numbers.find((number) => UNCLEAR.test(number));
  if (comma !== undefined && point !== undefined)
    return { decimal: undefined, open: `${comma} and ${point} have different decimal marks: make them alike` };
  if (comma !== undefined) return { decimal: 'comma', open: undefined };
  if (point !== undefined || unclear === undefined) {
    const isMoney = given.some((text) => /[\p{Sc}A-Z()]|[cd]r$|[0-9] ?-$/u.test(text) && /[0-9]/.test(text));
    return { decimal: isMoney || point !== undefined ? 'point' : undefined, open: undefined };
  }
  const [whole = ''] = unclear.split(/[.,]/);
  const mark = unclear.includes(',') ? 'comma' : 'point';
  const other = mark === 'comma' ? 'point' : 'comma';
  return {
    decimal: undefined,
    open: `${unclear} is ${whole} and decimals with decimal: ${mark}, or ${unclear.replace(/[.,]/, '')} with decimal: ${other}: write one of the two`,
  };
}

/** Matches the sign or the code of a currency before or behind an amount. */
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/u;

/**
 * Returns the decision about amounts in several currencies: a company has one.
 * @param amounts Amounts, which may have a currency. @param codes The cells of a column of currencies.
 */
export function findCurrencies(amounts: readonly SampleCell[], codes: readonly SampleCell[]): string | undefined {
  if (amounts.length === 0) return undefined;
  const examples = new Map<string, string>();
  for (const text of amounts.map((cell) => cell.text.trim())) {
    const [currency] = CURRENCY.exec(text) ?? [];
    if (currency !== undefined && /[0-9]/.test(text)) examples.set(currency, examples.get(currency) ?? text);
  }
  const named = new Set(codes.map(({ text }) => text.trim()));
  const [first, second] = named.size > 0 ? named : examples.values();
  if (first === undefined || second === undefined) return undefined;
  return `${first} and ${second} are different currencies: export the amounts in one, or remove this line to read them as they are`;
}
