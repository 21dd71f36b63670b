/** The forms of values in random tables. */

const two = (number: number) => String(number).padStart(2, '0');
const partsOf = (day: string) => day.split('-') as [string, string, string];
const hourOf = (minutes: number) => Math.floor(minutes / 60) % 24;

/** The forms of hours, from minutes. */
export const HOUR_FORMS = {
  decimal: (minutes: number) => (minutes / 60).toFixed(2),
  short: (minutes: number) => String(Math.round((minutes / 60) * 100) / 100),
  clock: (minutes: number) => `${Math.floor(minutes / 60)}:${two(minutes % 60)}`,
  seconds: (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`,
  units: (minutes: number) => `${Math.floor(minutes / 60)}h ${minutes % 60}m`,
  minutes: (minutes: number) => String(minutes),
} as const;

export type HourForm = keyof typeof HOUR_FORMS;

/** Tells whether a form is rounded decimals: half of the last place is 0.3 minutes. */
export const isRounded = (form: HourForm) => form === 'decimal' || form === 'short';

/** The words that some headers have for the unit of their numbers. */
export const UNIT_WORDS: Readonly<Record<'decimal' | 'minutes', readonly string[]>> = {
  decimal: [' (h)', ' (hours)', '', '', ''],
  minutes: [' (min)', ' (minutes)', ' [min]', ' in Minutes', '_min', ''],
};

const monthNamed = (month: string, names: readonly [string, string]) => names[month === '03' ? 0 : 1];

/** The forms of days in March and April. */
export const DAY_FORMS: readonly ((day: string) => string)[] = [
  (day) => day,
  (day) => day,
  (day) => (([year, month, date]) => `${date}.${month}.${year}`)(partsOf(day)),
  (day) => (([year, month, date]) => `${month}/${date}/${year}`)(partsOf(day)),
  (day) => (([year, month, date]) => `${Number(date)}/${Number(month)}/${year}`)(partsOf(day)),
  (day) => (([year, month, date]) => `${Number(month)}/${Number(date)}/${year.slice(2)}`)(partsOf(day)),
  (day) => (([year, month, date]) => `${year}/${month}/${date}`)(partsOf(day)),
  (day) => day.replaceAll('-', ''),
  (day) => (([year, month, date]) => `${date} ${monthNamed(month, ['Mar', 'Apr'])} ${year}`)(partsOf(day)),
  (day) => (([year, month, date]) => `${monthNamed(month, ['March', 'April'])} ${Number(date)}, ${year}`)(partsOf(day)),
];

/** The forms of times of day, from minutes since midnight. */
export const CLOCK_FORMS: readonly ((minutes: number) => string)[] = [
  (minutes) => `${two(hourOf(minutes))}:${two(minutes % 60)}`,
  (minutes) => `${hourOf(minutes)}:${two(minutes % 60)}`,
  (minutes) => `${two(hourOf(minutes))}:${two(minutes % 60)}:00`,
  (minutes) =>
    `${hourOf(minutes) % 12 === 0 ? 12 : hourOf(minutes) % 12}:${two(minutes % 60)} ${hourOf(minutes) < 12 ? 'AM' : 'PM'}`,
];

/** The ways to write a header. */
export const CASES: readonly ((header: string) => string)[] = [
  (header) => header,
  (header) => header,
  (header) => header,
  (header) => header.toUpperCase(),
  (header) => header.toLowerCase(),
  (header) => header.toLowerCase().replaceAll(/[ -]/g, '_'),
  (header) => header.replaceAll(/[ -](\p{L})/gu, (_, letter: string) => letter.toUpperCase()),
  (header) => header.replaceAll(/(^|[ -])(\p{L})/gu, (_, __, letter: string) => letter.toUpperCase()),
];

/** The words for yes and no; a blank cell may be no. */
export const FLAGS = [
  ['yes', 'no'],
  ['true', 'false'],
  ['1', '0'],
  ['Y', 'N'],
  ['Billable', 'Non-Billable'],
  ['Ja', 'Nein'],
  ['Oui', 'Non'],
  ['x', ''],
] as const;
