import { isDay, isWeekdayName, monthNamed, type TimeZone } from '../../../base/calendar/index.ts';
import { NUMBERED_FORMATS, readNumbered } from './numbered-days.ts';
import { type Moment, parseTimeOfDay } from './time-of-day.ts';

/** An order of day, month and year, as a person writes it: DD/MM/YYYY. */
export interface DateFormat {
  readonly text: string;
  /**
   * Returns a day as YYYY-MM-DD; undefined for a text in another form, or for no day.
   * @param zone The zone in which the day of a time with Z or an offset is meant. Default: that of the text.
   */
  read(text: string, zone?: TimeZone): string | undefined;
  /** Returns a day, and the time of day if the text has one, whether or not the format has. */
  readMoment(text: string): Moment | undefined;
}

/** The longest text of a day, with its time. Unit: characters. */
const MAX_DAY_CHARACTERS = 40;

type DatePart = 'day' | 'month' | 'year';

const PARTS: ReadonlyMap<string, { readonly part: DatePart; readonly pattern: string }> = new Map([
  ['DD', { part: 'day', pattern: '(?<day>[0-9]{1,2})' }],
  ['D', { part: 'day', pattern: '(?<day>[0-9]{1,2})' }],
  ['MM', { part: 'month', pattern: '(?<month>[0-9]{1,2})' }],
  ['M', { part: 'month', pattern: '(?<month>[0-9]{1,2})' }],
  ['MMM', { part: 'month', pattern: '(?<month>\\p{L}{3,12}[.]?)' }],
  ['YYYY', { part: 'year', pattern: '(?<year>[0-9]{4})' }],
  ['YY', { part: 'year', pattern: '(?<year>[0-9]{2})' }],
]);

/** Matches a format: three parts with the same or other separators, and perhaps a time of day. */
const FORMAT =
  /^(D{1,2}|M{1,3}|YYYY|YY)([-/., ]{1,2})(D{1,2}|M{1,3}|YYYY|YY)([-/., ]{1,2})(D{1,2}|M{1,3}|YYYY|YY)([ T]HH:MM(?::SS)?)?$/;

/** Matches the beginning of the format that would read the ISO text of a day as another day. */
const MISREADS_ISO = /^YYYY-D{1,2}-/;

const REST = '(?:(?:[ T]|, )(?<rest>.+))?';

const ISO = new RegExp(`^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})${REST}$`);

/** Formats that people write most, for messages. */
export const COMMON_DATE_FORMATS = 'DD/MM/YYYY, MM/DD/YYYY, DD.MM.YYYY, DD-MMM-YYYY or "YYYY-MM-DD HH:MM"';

/**
 * Parses a format of days, such as DD/MM/YYYY, M/D/YY, "MMM DD, YYYY" or "DD.MM.YYYY HH:MM".
 * It reads days with one digit, too, those behind the name of a weekday, and YYYY-MM-DD, which is the same day in every format. With
 * a time in the format, values may have one.
 * YYYYMMDD, unix, unix ms and serial read days that are numbers.
 * @returns undefined for a text that is no format, and for YYYY-DD-MM, in which 2026-03-05 would be two days.
 */
export function parseDateFormat(text: string): DateFormat | undefined {
  const numbered = NUMBERED_FORMATS.find((each) => each === text || `${each} HH:MM` === text);
  if (numbered !== undefined) return numberedFormat(text, readNumbered[numbered]);
  const [, first = '', separator = '', second = '', nextSeparator = '', third = '', time] = FORMAT.exec(text) ?? [];
  const parts = [first, second, third].map((name) => PARTS.get(name));
  if (new Set(parts.map((each) => each?.part)).size !== 3 || parts.includes(undefined)) return undefined;
  if (MISREADS_ISO.test(text)) return undefined;
  const [one, two, three] = parts.map((each) => each?.pattern);
  const pattern = `${one}${escapeSeparator(separator)}${two}${escapeSeparator(nextSeparator)}${three}`;
  const own = new RegExp(`^${pattern}${REST}$`, 'u');
  const readMoment = (given: string): Moment | undefined => {
    if (given.length > MAX_DAY_CHARACTERS) return undefined;
    // Mar is a month, and a weekday in French and Spanish.
    const [whole, value] = [own.exec(given), withoutWeekday(given)];
    const { day = '', month = '', year = '', rest } = (whole ?? own.exec(value) ?? ISO.exec(value))?.groups ?? {};
    const found = `${fullYear(year)}-${monthOf(month)}-${day.padStart(2, '0')}`;
    return momentOf(found, rest);
  };
  return { text, readMoment, read: readDays(readMoment, time !== undefined) };
}

/** Returns a format of days that are numbers; YYYY-MM-DD is the same day in it, too. */
function numberedFormat(text: string, readOwn: (text: string) => Moment | undefined): DateFormat {
  const readMoment = (given: string): Moment | undefined => {
    const { year, month, day, rest } = ISO.exec(given)?.groups ?? {};
    return year === undefined ? readOwn(given) : momentOf(`${year}-${month}-${day}`, rest);
  };
  return { text, readMoment, read: readDays(readMoment, text !== 'YYYYMMDD') };
}

/** Returns a moment of a day and the text behind it; undefined if they are none. */
function momentOf(day: string, rest: string | undefined): Moment | undefined {
  if (!isDay(day)) return undefined;
  if (rest === undefined) return { day, time: undefined };
  const time = parseTimeOfDay(rest);
  return time && { day, time };
}

/** Returns the reader of days. @param hasTime True if texts may have a time of day, which isn't kept. */
function readDays(readMoment: (text: string) => Moment | undefined, hasTime: boolean): DateFormat['read'] {
  return (text, zone) => {
    const moment = readMoment(text);
    return moment?.time !== undefined && !hasTime ? undefined : dayOf(moment, zone);
  };
}

/** Returns the day of a moment, in a zone if the moment says where it is. */
function dayOf(moment: Moment | undefined, zone: TimeZone | undefined): string | undefined {
  if (moment?.time?.offset === undefined || zone === undefined) return moment?.day;
  return zone.dayAt(msOf(moment, zone));
}

/** Returns a moment as ms since 1970; one without an offset is in the zone. */
export function msOf({ day, time }: Moment, zone: TimeZone): number {
  const { seconds = 0, offset } = time ?? {};
  return offset === undefined ? zone.momentOf(day, seconds) : Date.parse(`${day}T00:00:00${offset}`) + seconds * 1000;
}

function withoutWeekday(text: string): string {
  const [, word = '', rest = ''] = /^(\p{L}{2,14})[.,]{0,2} (.+)$/u.exec(text) ?? [];
  return word !== '' && isWeekdayName(word) ? rest : text;
}

/** Returns the year of two digits between 1970 and 2069, which hold nearly all days of records. */
function fullYear(year: string): string {
  if (year.length !== 2) return year;
  return `${Number(year) < 70 ? 20 : 19}${year}`;
}

function monthOf(text: string): string {
  const number = /^[0-9]/.test(text) ? text : String(monthNamed(text) ?? '');
  return number.padStart(2, '0');
}

function escapeSeparator(separator: string): string {
  return separator.replaceAll(/[/.-]/g, '[$&]');
}
