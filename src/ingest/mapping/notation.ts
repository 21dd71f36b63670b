import { trimZeros } from '../../exact-decimal.ts';
import type { Field } from '../../resource/field.ts';
import type { DateFormat } from './date-format.ts';

/** The forms of hours: 7.5, 7:30 or 07:30:00, 450 minutes, 27000 seconds. */
export const HOURS_FORMATS = ['decimal', 'h:mm', 'minutes', 'seconds'] as const;

export type HoursFormat = (typeof HOURS_FORMATS)[number];

/** The characters before the decimals. With one of them given, groups of three digits may be set apart. */
export const DECIMAL_MARKS = ['comma', 'point'] as const;

export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** The form of values in files with headers; each part that is left out is that of JSON. */
export interface Notation {
  readonly dates?: DateFormat | undefined;
  readonly decimal?: DecimalMark | undefined;
  readonly hours?: HoursFormat | undefined;
}

/** The meaning of words by the word, trimmed and in lower case. */
export type Words = ReadonlyMap<string, string | number | boolean>;

/** A value that can't be read in the given form, as the end of a reason about its field. */
export interface TranslationFault {
  readonly fault: string;
}

/** Translates a value into the form that records have; blank texts never reach it. */
export type Translate = (text: string) => string | TranslationFault;

/** The longest number that is translated. Unit: characters. */
const MAX_NUMBER_CHARACTERS = 60;

/** The digits behind the point of hours made from minutes: cutting them off changes no rounding to four. */
const HOURS_DIGITS = 12n;

const BUILT_IN_WORDS: Words = new Map([
  ['yes', true],
  ['no', false],
]);

/** Returns the translation of a field's texts; undefined if they stay as they are. */
export function translateField(field: Field | undefined, notation: Notation, words?: Words): Translate | undefined {
  const { type, codes } = field ?? {};
  if (type === 'date' && notation.dates) return readDay(notation.dates);
  if (type === 'hours' && notation.hours && notation.hours !== 'decimal')
    return readHours(notation.hours, notation.decimal);
  if (notation.decimal && (type === 'hours' || type === 'rate' || type === 'amount'))
    return readDecimal(notation.decimal);
  if (words && type === 'boolean')
    return readWord(words, (meaning) => (typeof meaning === 'boolean' ? `${meaning}` : undefined));
  if (words && codes) return readWord(words, (meaning) => codeOf(codes, meaning), codes);
  return undefined;
}

/** Returns the translation of a field's cells that are numbers, which have a decimal point in every form of texts; undefined if they stay. */
export function translateNumber(field: Field | undefined, { hours }: Notation): Translate | undefined {
  const isCounted = field?.type === 'hours' && (hours === 'minutes' || hours === 'seconds');
  return isCounted ? readHours(hours, 'point') : undefined;
}

/** Returns the code that a word stands for, as text; undefined if it is none of the field's. */
export function codeOf(
  codes: Readonly<Record<number, string>>,
  meaning: string | number | boolean,
): string | undefined {
  const found = Object.entries(codes).find(([code, name]) => code === String(meaning) || name === meaning);
  return found?.[0];
}

/** Folds a word, so that case and blanks around it don't count. */
export function foldWord(word: string): string {
  return word.normalize('NFC').trim().toLowerCase();
}

function readDay({ text: format, read }: DateFormat): Translate {
  return (text) => read(text.trim()) ?? { fault: `not a day written ${format}` };
}

function readDecimal(mark: DecimalMark): Translate {
  const fault = { fault: `not a number with a decimal ${mark}` };
  return (text) => plainDecimal(text.trim(), mark) ?? fault;
}

/** Returns a decimal with a point and without groups; undefined for a text that is none. */
function plainDecimal(text: string, mark: DecimalMark): string | undefined {
  if (text.length > MAX_NUMBER_CHARACTERS) return undefined;
  const [whole = '', decimals, ...others] = text.split(mark === 'comma' ? ',' : '.');
  if (others.length > 0 || (decimals !== undefined && !/^[0-9]*$/.test(decimals))) return undefined;
  const digits = ungroup(whole, mark);
  if (digits === undefined || !/[0-9]/.test(`${digits}${decimals ?? ''}`)) return undefined;
  return decimals ? `${digits}.${decimals}` : digits;
}

/** Returns the digits of a whole number, whose groups of three have one kind of mark between them. */
function ungroup(whole: string, mark: DecimalMark): string | undefined {
  if (/^-?[0-9]*$/.test(whole)) return whole;
  const [, separator = ''] = /^-?[0-9]{1,3}(.)/.exec(whole) ?? [];
  if (separator === '' || !`${mark === 'comma' ? '.' : ','} '\u2019\u00a0\u202f`.includes(separator)) return undefined;
  const [first = '', ...groups] = whole.split(separator);
  return groups.every((group) => /^[0-9]{3}$/.test(group)) ? `${first}${groups.join('')}` : undefined;
}

function readHours(format: Exclude<HoursFormat, 'decimal'>, mark: DecimalMark = 'point'): Translate {
  if (format === 'h:mm') return (text) => clockHours(text.trim()) ?? { fault: 'not hours written h:mm' };
  const perHour = format === 'minutes' ? 60n : 3600n;
  return (text) => {
    const plain = plainDecimal(text.trim(), mark);
    return plain === undefined ? { fault: `not a number of ${format}` } : divide(plain, perHour);
  };
}

/** Returns hours and minutes, perhaps with seconds, as a decimal. */
function clockHours(text: string): string | undefined {
  const [, hours = '', minutes = '', seconds = '0'] = /^([0-9]{1,5}):([0-5][0-9])(?::([0-5][0-9]))?$/.exec(text) ?? [];
  return hours === '' ? undefined : divide(`${Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)}`, 3600n);
}

/** Divides a decimal by a whole number, exactly up to HOURS_DIGITS digits. */
function divide(decimal: string, divisor: bigint): string {
  const isNegative = decimal.startsWith('-');
  const [whole = '', decimals = ''] = decimal.replace('-', '').split('.');
  const scale = BigInt(decimals.length);
  const units = (BigInt(`${whole}${decimals}` || '0') * 10n ** HOURS_DIGITS) / (divisor * 10n ** scale);
  const digits = String(units).padStart(Number(HOURS_DIGITS) + 1, '0');
  const point = digits.length - Number(HOURS_DIGITS);
  return (isNegative ? '-' : '') + trimZeros(`${digits.slice(0, point)}.${digits.slice(point)}`, 0);
}

function readWord(
  words: Words,
  valueFor: (meaning: string | number | boolean) => string | undefined,
  codes: Readonly<Record<number, string>> = {},
): Translate {
  const values = new Map<string, string>();
  for (const [code, name] of Object.entries(codes)) values.set(foldWord(name), code);
  for (const [word, meaning] of [...BUILT_IN_WORDS, ...words]) {
    const value = valueFor(meaning);
    if (value !== undefined) values.set(word, value);
  }
  return (text) => values.get(foldWord(text)) ?? text;
}
