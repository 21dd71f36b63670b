import { openZone, type TimeZone } from '../../../base/calendar/index.ts';
import { type DateFormat, msOf, parseDateFormat } from './date-format.ts';
import { hoursOf } from './hours-text.ts';
import type { TranslationFault } from './notation.ts';
import { type Moment, parseTimeOfDay } from './time-of-day.ts';

const DAY_SECONDS = 86_400;

/** The form of moments that no other one looks like: 20260316T080000Z. */
const BASIC = parseDateFormat('YYYYMMDD HH:MM');

/** Reads the hours between two texts; null if one of them is blank. */
export type ReadInterval = (from: string, to: string) => string | null | TranslationFault;

/**
 * Returns the reader of the time between two moments, over midnight and changes of the clocks. An end without a day is the first such
 * time after the beginning.
 * @param zone Default: UTC.
 */
export function openInterval(dates: DateFormat | undefined, zone: TimeZone = openZone('UTC')): ReadInterval {
  const format = dates ?? parseDateFormat('YYYY-MM-DD HH:MM');
  return (from, to) => {
    if (from === '' || to === '') return null;
    const start = format?.readMoment(from) ?? BASIC?.readMoment(from);
    if (start?.time === undefined) return { fault: `from is not a day and a time written ${format?.text}` };
    const end = format?.readMoment(to) ?? BASIC?.readMoment(to) ?? endAfter(start, to);
    if (end?.time === undefined) return { fault: 'to is not a time' };
    const seconds = (msOf(end, zone) - msOf(start, zone)) / 1000;
    return seconds < 0 ? { fault: 'ends before it begins' } : hoursOf(seconds);
  };
}

/** Returns the first moment with a time of day after another one. */
function endAfter({ day, time: begin }: Moment, text: string): Moment | undefined {
  const time = parseTimeOfDay(text);
  if (time === undefined || begin === undefined) return undefined;
  return { day, time: { ...time, seconds: time.seconds + (time.seconds < begin.seconds ? DAY_SECONDS : 0) } };
}
