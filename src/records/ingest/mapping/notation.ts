import type { TimeZone } from '../../../base/calendar/index.ts';
import { Exact } from '../../../base/index.ts';
import type { Field } from '../../resource/field.ts';
import { dayOfSerial } from '../../spreadsheet/cell-value.ts';
import type { DateFormat } from './date-format.ts';
import { type DecimalMark, plainDecimal, plainMoney } from './decimal-text.ts';
import { type HoursFormat, plainHours } from './hours-text.ts';

export const AMOUNT_UNITS = ['whole', 'cents'] as const;

export type AmountUnit = (typeof AMOUNT_UNITS)[number];

/** The form of values in files with headers; each part that is left out is that of JSON. */
export interface Notation {
  readonly dates?: DateFormat | undefined;
  readonly decimal?: DecimalMark | undefined;
  readonly hours?: HoursFormat | undefined;
  readonly amounts?: AmountUnit | undefined;
  /** The hours of a day, if hours are counted in days. */
  readonly dayHours?: number | undefined;
}

/** The meaning of words by the word, trimmed and in lower case. */
export type Words = ReadonlyMap<string, string | number | boolean>;

/** A value that can't be read in the given form, as the end of a reason about its field. */
export interface TranslationFault {
  readonly fault: string;
}

/** Translates a value into the form that records have; blank texts never reach it. */
export type Translate = (text: string) => string | TranslationFault;

const HOURS_FAULTS: Readonly<Record<HoursFormat, string>> = {
  decimal: 'not a number',
  'h:mm': 'not hours written h:mm',
  minutes: 'not a number of minutes',
  seconds: 'not a number of seconds',
  milliseconds: 'not a number of milliseconds',
  days: 'not a number of days',
  units: 'not hours such as 7:30, 1h 30m or 7.5 hrs',
};

/** The forms of hours in which a number of a workbook has another unit. */
const UNIT_FORMATS: ReadonlySet<HoursFormat> = new Set(['minutes', 'seconds', 'milliseconds', 'days']);

const BUILT_IN_WORDS: Words = new Map([
  ['yes', true],
  ['no', false],
]);

/**
 * Returns the translation of a field's texts; undefined if they stay as they are.
 * @param zone The zone in which the day of a time with an offset is meant.
 */
export function translateField(
  field: Field | undefined,
  notation: Notation,
  words?: Words,
  zone?: TimeZone,
): Translate | undefined {
  const { type, codes, words: known } = field ?? {};
  const { dates, decimal, hours, amounts } = notation;
  if (type === 'date' && dates) return readDay(dates, zone);
  if (type === 'hours' && hours && hours !== 'decimal') return readHours(hours, notation);
  if ((type === 'hours' || type === 'effort' || type === 'percent') && decimal)
    return readDecimal(decimal, plainDecimal);
  if ((type === 'rate' || type === 'amount') && (decimal || amounts === 'cents'))
    return readDecimal(decimal ?? 'point', amounts === 'cents' ? plainCents : plainMoney);
  if (words && type === 'boolean')
    return readWord(words, (meaning) => (typeof meaning === 'boolean' ? `${meaning}` : undefined));
  if (words && codes) return readWord(words, (meaning) => codeOf(codes, meaning), codes);
  if (words && known) return readWord(words, (meaning) => codeOf(known, meaning));
  return undefined;
}

/**
 * Returns the translation of a field's cells that are numbers, which have a decimal point in every form of texts; undefined if they stay.
 * @param is1904 True if days are counted from 1904.
 */
export function translateNumber(field: Field | undefined, notation: Notation, is1904 = false): Translate | undefined {
  const { hours, amounts } = notation;
  if (field?.type === 'date') return (text) => dayOfSerial(text, is1904) ?? text;
  if (field?.type === 'hours' && hours !== undefined && UNIT_FORMATS.has(hours))
    return readHours(hours, { ...notation, decimal: 'point' });
  const isAmount = field?.type === 'rate' || field?.type === 'amount';
  return isAmount && amounts === 'cents' ? readDecimal('point', plainCents) : undefined;
}

/** Returns the code or the word of a field that another word stands for, as text; undefined if it is none of the field's. */
export function codeOf(
  codes: Readonly<Record<string, string>>,
  meaning: string | number | boolean,
): string | undefined {
  const found = Object.entries(codes).find(([code, name]) => code === String(meaning) || name === meaning);
  return found?.[0];
}

/** Folds a word, so that case and blanks around it don't count. */
export function foldWord(word: string): string {
  return word.normalize('NFC').trim().toLowerCase();
}

function readDay({ text: format, read }: DateFormat, zone: TimeZone | undefined): Translate {
  return (text) => read(text.trim(), zone) ?? { fault: `not a day written ${format}` };
}

function readDecimal(mark: DecimalMark, read: (text: string, mark: DecimalMark) => string | undefined): Translate {
  const fault = { fault: `not a number with a decimal ${mark}` };
  return (text) => read(text.trim(), mark) ?? fault;
}

function plainCents(text: string, mark: DecimalMark): string | undefined {
  const plain = plainMoney(text, mark);
  return plain === undefined ? undefined : new Exact(plain).div(100).toFixed();
}

function readHours(format: HoursFormat, { decimal, dayHours }: Notation): Translate {
  const fault = { fault: HOURS_FAULTS[format] };
  return (text) => plainHours(text.trim(), format, decimal, dayHours) ?? fault;
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
