import { isDay } from '../../../base/calendar/index.ts';
import { dayOfSerial } from '../../spreadsheet/cell-value.ts';
import { type Moment, parseTimeOfDay } from './time-of-day.ts';

/** Days that are numbers: 20260316, also with a time as 20260316T080000Z; seconds and milliseconds since 1970; days of a spreadsheet. */
export const NUMBERED_FORMATS = ['YYYYMMDD', 'unix', 'unix ms', 'serial'] as const;

export type NumberedFormat = (typeof NUMBERED_FORMATS)[number];

/** Matches a day without separators, and the time behind it, with or without separators. */
const PLAIN =
  /^(?<year>(?:19|20)[0-9]{2})(?<month>[0-9]{2})(?<day>[0-9]{2})(?:[T ]?(?<hours>[0-9]{2}|(?<=[T ])[0-9](?=:)):?(?<minutes>[0-9]{2})(?::?(?<seconds>[0-9]{2}))?(?<rest>.*))?$/;

/** Matches moments from 1973 on: 9 digits of seconds, and 12 of milliseconds. */
const [SECONDS, MILLISECONDS] = [/^[1-9][0-9]{8,9}(?:[.,][0-9]+)?$/, /^[1-9][0-9]{11,12}$/];

const DAY_SECONDS = 86_400;

/** Reads the moment of a number in each format; undefined for a text in another one. */
export const readNumbered: Readonly<Record<NumberedFormat, (text: string) => Moment | undefined>> = {
  YYYYMMDD: readPlain,
  unix: (text) => (SECONDS.test(text) ? readUnix(Number.parseInt(text, 10)) : undefined),
  'unix ms': (text) => (MILLISECONDS.test(text) ? readUnix(Math.floor(Number(text) / 1000)) : undefined),
  serial: readSerial,
};

function readPlain(text: string): Moment | undefined {
  const { year, month, day, hours, minutes, seconds = '00', rest = '' } = PLAIN.exec(text)?.groups ?? {};
  const found = `${year}-${month}-${day}`;
  if (!isDay(found)) return undefined;
  if (hours === undefined) return { day: found, time: undefined };
  const time = parseTimeOfDay(`${hours}:${minutes}:${seconds}${rest}`);
  return time && { day: found, time };
}

function readUnix(seconds: number): Moment {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  return { day, time: { seconds: seconds % DAY_SECONDS, offset: 'Z' } };
}

/** Returns the moment of a spreadsheet's number: its days since 1900, and a part of a day. */
function readSerial(text: string): Moment | undefined {
  const [, days = '', part] = /^([0-9]{5})(?:[.,]([0-9]+))?$/.exec(text) ?? [];
  const day = dayOfSerial(days, false);
  if (day === undefined) return undefined;
  if (part === undefined) return { day, time: undefined };
  return { day, time: { seconds: Math.round(Number(`0.${part}`) * DAY_SECONDS), offset: undefined } };
}
