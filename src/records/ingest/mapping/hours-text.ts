import { Exact, trimZeros } from '../../../base/index.ts';
import { type DecimalMark, plainDecimal } from './decimal-text.ts';

/** The forms of hours: 7.5, 7:30 or 07:30:00, 450 minutes, 27000 seconds or thousands of milliseconds, 0.9375 days, texts that say their unit. */
export const HOURS_FORMATS = ['decimal', 'h:mm', 'minutes', 'seconds', 'milliseconds', 'days', 'units'] as const;

export type HoursFormat = (typeof HOURS_FORMATS)[number];

/** The hours of a day of work, for days and for 1d. Unit: hours. */
export const DEFAULT_DAY_HOURS = 8;

/** The days of a week of work, for 1w. Unit: days. */
const WEEK_DAYS = 5;

/** The digits behind the point of hours made from minutes: cutting them off changes no rounding to six. */
const HOURS_DIGITS = 12;

const HOUR_SECONDS = 3600;

/** Words for units by their seconds; those for days and weeks depend on the hours of a day. */
const UNITS: readonly (readonly [words: RegExp, seconds: (dayHours: number) => number])[] = [
  [/^(?:s|secs?|seconds?|sekunden?|secondes?|segundos?|seconden)$/, () => 1],
  [/^(?:m|mins?|minutes?|minuten?|minutos?|minuti)$/, () => 60],
  [/^(?:h|hrs?|hours?|std|stunden?|heures?|horas?|uur|uren|ore)$/, () => HOUR_SECONDS],
  [/^(?:d|days?|t|tage?n?|j|jours?|d[ií]as?|dagen|dag|giorni|giorno)$/, (dayHours) => dayHours * HOUR_SECONDS],
  [/^(?:w|wks?|weeks?|wochen?|semaines?|semanas?|weken)$/, (dayHours) => WEEK_DAYS * dayHours * HOUR_SECONDS],
];

/** Matches hours and minutes with a letter between them: 7h30. */
const LETTER_CLOCK = /^([0-9]{1,5})h([0-5][0-9])$/i;

const AMOUNT = /([0-9][0-9.,]*)\s*(\p{L}+)\.?\s*/uy;

/** Returns hours in a format as a decimal; undefined for a text in another one. */
export function plainHours(
  text: string,
  format: HoursFormat,
  mark: DecimalMark = 'point',
  dayHours = DEFAULT_DAY_HOURS,
): string | undefined {
  if (format === 'h:mm') return clockHours(text);
  if (format === 'units')
    return (
      clockHours(text.replace(LETTER_CLOCK, '$1:$2')) ??
      shortClock(text) ??
      isoHours(text) ??
      unitHours(text, mark, dayHours) ??
      plainDecimal(text, mark)
    );
  const plain = plainDecimal(text, mark);
  if (plain === undefined || format === 'decimal') return plain;
  const seconds = { minutes: 60, seconds: 1, milliseconds: '0.001', days: dayHours * HOUR_SECONDS }[format];
  return hoursOf(new Exact(plain).times(seconds));
}

/** Formats seconds as hours, exactly up to HOURS_DIGITS digits. */
export function hoursOf(seconds: InstanceType<typeof Exact> | number): string {
  return trimZeros(new Exact(seconds).div(HOUR_SECONDS).toFixed(HOURS_DIGITS, Exact.ROUND_DOWN), 0);
}

/** Returns hours and minutes, perhaps with seconds, as a decimal: 7:30 or 7:30:15. */
function clockHours(text: string): string | undefined {
  const [, hours = '', minutes = '', seconds = '0'] = /^([0-9]{1,5}):([0-5][0-9])(?::([0-5][0-9]))?$/.exec(text) ?? [];
  return hours === '' ? undefined : hoursOf(Number(hours) * HOUR_SECONDS + Number(minutes) * 60 + Number(seconds));
}

/** Returns minutes and seconds as Toggl writes them: 18:25 min. */
function shortClock(text: string): string | undefined {
  const [, minutes = '', seconds = ''] = /^([0-9]{1,5}):([0-5][0-9]) ?min\.?$/i.exec(text) ?? [];
  return minutes === '' ? undefined : hoursOf(Number(minutes) * 60 + Number(seconds));
}

/** Returns hours, minutes and seconds of an ISO 8601 duration: PT1H30M. Its days have 24 hours, and are none of work. */
function isoHours(text: string): string | undefined {
  const part = (unit: string) => `(?:([0-9]{1,7}(?:[.,][0-9]{1,6})?)${unit})?`;
  const found = new RegExp(`^PT(?=[0-9])${part('H')}${part('M')}${part('S')}$`, 'i').exec(text);
  if (!found) return undefined;
  const [hours, minutes, seconds] = found.slice(1).map((amount = '0') => new Exact(amount.replace(',', '.')));
  return hours && minutes && seconds && hoursOf(hours.times(HOUR_SECONDS).plus(minutes.times(60)).plus(seconds));
}

/** Returns the sum of amounts with units: 1h 30m, 7.5 hrs, 1d 2h. */
function unitHours(text: string, mark: DecimalMark, dayHours: number): string | undefined {
  let sum = new Exact(0);
  AMOUNT.lastIndex = 0;
  for (let at = 0; at < text.length; at = AMOUNT.lastIndex) {
    const [, amount = '', word = ''] = AMOUNT.exec(text) ?? [];
    const plain = plainDecimal(amount, mark);
    const unit = UNITS.find(([words]) => words.test(word.toLowerCase()));
    if (plain === undefined || unit === undefined) return undefined;
    sum = sum.plus(new Exact(plain).times(unit[1](dayHours)));
  }
  return text === '' ? undefined : hoursOf(sum);
}
