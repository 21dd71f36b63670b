/** The characters before the decimals. With one of them given, groups of three digits may be set apart. */
export const DECIMAL_MARKS = ['comma', 'point'] as const;

export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** The longest number that is translated. Unit: characters. */
const MAX_NUMBER_CHARACTERS = 60;

/** Matches a number between a sign and the sign or the code of a currency. */
const MONEY =
  /^(?<sign>[-+]?) ?(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3})? ?(?<minus>-?)(?<number>[0-9.,][^A-Za-z\p{Sc}]*?) ?(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3})?$/u;

/** Returns a decimal with a point and without groups; undefined for a text that is none. */
export function plainDecimal(text: string, mark: DecimalMark): string | undefined {
  if (text.length > MAX_NUMBER_CHARACTERS) return undefined;
  const [whole = '', decimals, ...others] = text.split(mark === 'comma' ? ',' : '.');
  if (others.length > 0 || (decimals !== undefined && !/^[0-9]*$/.test(decimals))) return undefined;
  const digits = ungroup(whole, mark);
  if (digits === undefined || !/[0-9]/.test(`${digits}${decimals ?? ''}`)) return undefined;
  return decimals ? `${digits}.${decimals}` : digits;
}

/** Matches an amount that is owed to the other side: (20.00), 20.00 CR or 20.00-; and one that is owed by it: 20.00 DR. */
const [BRACKETS, CREDIT, DEBIT] = [
  /^(?<before>[^()0-9-]*)\((?<number>[^()-]*[0-9][^()-]*)\)(?<after>[^()0-9-]*)$/u,
  /^(?<number>[^()-]*[0-9]) ?(?:cr|-)$/iu,
  /^(?<number>.*[0-9]) ?dr$/iu,
];

/** Returns the decimal of an amount such as $1,200.50, 60,00 EUR or -€5, below 0 for (20.00), 20.00 CR and 20.00-. */
export function plainMoney(text: string, mark: DecimalMark): string | undefined {
  if (text.length > MAX_NUMBER_CHARACTERS) return undefined;
  const { before = '', number: inside, after = '' } = BRACKETS.exec(text)?.groups ?? {};
  if (inside !== undefined) return plainSigned(`-${before}${inside}${after}`, mark);
  const credit = CREDIT.exec(text)?.groups?.['number'];
  return plainSigned(credit === undefined ? (DEBIT.exec(text)?.groups?.['number'] ?? text) : `-${credit}`, mark);
}

function plainSigned(text: string, mark: DecimalMark): string | undefined {
  const { sign = '', minus = '', number } = MONEY.exec(text)?.groups ?? {};
  if (number === undefined || (sign === '-' && minus === '-')) return plainDecimal(text, mark);
  return plainDecimal(`${sign === '-' || minus === '-' ? '-' : ''}${number}`, mark);
}

/** Returns the digits of a whole number, whose groups of three have one kind of mark between them. */
function ungroup(whole: string, mark: DecimalMark): string | undefined {
  if (/^-?[0-9]*$/.test(whole)) return whole;
  const [, separator = ''] = /^-?[0-9]{1,3}(.)/.exec(whole) ?? [];
  if (separator === '' || !`${mark === 'comma' ? '.' : ','} '\u2019\u00a0\u202f`.includes(separator)) return undefined;
  const [first = '', ...groups] = whole.split(separator);
  return groups.every((group) => /^[0-9]{3}$/.test(group)) ? `${first}${groups.join('')}` : undefined;
}
