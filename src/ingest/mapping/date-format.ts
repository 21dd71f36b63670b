import { isDay } from '../../resource/field.ts';

/** An order of day, month and year, as a person writes it: DD/MM/YYYY. */
export interface DateFormat {
  readonly text: string;
  /** Returns a day as YYYY-MM-DD; undefined for a text in another form, or for no day. */
  read(text: string): string | undefined;
}

/** The longest text of a day, with its time. Unit: characters. */
const MAX_DAY_CHARACTERS = 40;

const PARTS: ReadonlyMap<string, { readonly part: 'day' | 'month' | 'year'; readonly pattern: string }> = new Map([
  ['DD', { part: 'day', pattern: '(?<day>[0-9]{1,2})' }],
  ['D', { part: 'day', pattern: '(?<day>[0-9]{1,2})' }],
  ['MM', { part: 'month', pattern: '(?<month>[0-9]{1,2})' }],
  ['M', { part: 'month', pattern: '(?<month>[0-9]{1,2})' }],
  ['YYYY', { part: 'year', pattern: '(?<year>[0-9]{4})' }],
]);

/** Matches a format: three parts with the same or other separators, and perhaps a time of day. */
const FORMAT =
  /^(D{1,2}|M{1,2}|YYYY)([-/. ]{1,2})(D{1,2}|M{1,2}|YYYY)([-/. ]{1,2})(D{1,2}|M{1,2}|YYYY)([ T]HH:MM(?::SS)?)?$/;

const TIME_OF_DAY = '(?:[ T][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,9})?)?)?';

/** Matches the beginning of the format that would read the ISO text of a day as another day. */
const MISREADS_ISO = /^YYYY-D{1,2}-/;

/** Formats that people write most, for messages. */
export const COMMON_DATE_FORMATS = 'DD/MM/YYYY, MM/DD/YYYY, DD.MM.YYYY or "YYYY-MM-DD HH:MM"';

/**
 * Parses a format of days, such as DD/MM/YYYY or "DD.MM.YYYY HH:MM".
 * It reads days with one digit, too, and YYYY-MM-DD, which is the same day in every format. With a time in the format, values may
 * have one, which isn't kept.
 * @returns undefined for a text that is no format, and for YYYY-DD-MM, in which 2026-03-05 would be two days.
 */
export function parseDateFormat(text: string): DateFormat | undefined {
  const [, first = '', separator = '', second = '', nextSeparator = '', third = '', time] = FORMAT.exec(text) ?? [];
  const parts = [first, second, third].map((name) => PARTS.get(name));
  if (new Set(parts.map((each) => each?.part)).size !== 3 || parts.includes(undefined)) return undefined;
  if (MISREADS_ISO.test(text)) return undefined;
  const [one, two, three] = parts.map((each) => each?.pattern);
  const end = time === undefined ? '' : TIME_OF_DAY;
  const own = new RegExp(`^${one}${escapeSeparator(separator)}${two}${escapeSeparator(nextSeparator)}${three}${end}$`);
  const iso = new RegExp(`^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})${end}$`);
  return {
    text,
    read(value) {
      if (value.length > MAX_DAY_CHARACTERS) return undefined;
      const { groups } = own.exec(value) ?? iso.exec(value) ?? {};
      if (!groups) return undefined;
      const day = `${groups['year']}-${groups['month']?.padStart(2, '0')}-${groups['day']?.padStart(2, '0')}`;
      return isDay(day) ? day : undefined;
    },
  };
}

function escapeSeparator(separator: string): string {
  return separator.replaceAll(/[/.-]/g, '[$&]');
}
