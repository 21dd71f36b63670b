import { type DateFormat, parseDateFormat } from '../mapping/date-format.ts';
import { NUMBERED_FORMATS } from '../mapping/numbered-days.ts';
import type { SampleCell } from './first-rows.ts';

/** The form of the days of a file, or the decision that a person has to make. */
export interface DayForm {
  /** The format, as a mapping has it; undefined if every day is YYYY-MM-DD. */
  readonly dates: string | undefined;
  readonly open: string | undefined;
}

const SEPARATORS = ['/', '.', '-', ' '] as const;

/** Orders of day and month that read the same texts as other days; the separator decides for points, which only follow the day. */
const ORDERS = ['DD-MM', 'MM-DD'] as const;

const YEARS = ['YYYY', 'YY'] as const;

/** Formats in which the month is a word, or the year is first. */
const CLEAR = [
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'DD-MMM-YYYY',
  'DD MMM YYYY',
  'DD. MMM YYYY',
  'DD/MMM/YYYY',
  'DD-MMM-YY',
  'MMM DD, YYYY',
  'MMM DD YYYY',
];

const formats: readonly DateFormat[] = [
  ...CLEAR,
  ...SEPARATORS.flatMap((separator) =>
    ORDERS.flatMap((order) => YEARS.map((year) => `${order}-${year}`.replaceAll('-', separator))),
  ),
].map((text) => parseDateFormat(text) as DateFormat);

/** Formats of days that are numbers, the one that no other number looks like first. */
const numbered = NUMBERED_FORMATS.map((text) => parseDateFormat(text) as DateFormat);

const [PLAIN] = numbered as [DateFormat, ...DateFormat[]];

const ISO = parseDateFormat('YYYY-MM-DD') as DateFormat;

/** The part of a column's texts that a format must read: a line below the rows is no day. */
const MOST = 0.8;

/** The first cells of a column that tell whether it has days. Unit: cells. */
export const MAX_JUDGED_CELLS = 500;

/** Tells whether texts are days, with or without a time, by the first of them. */
export function areDays(given: readonly SampleCell[]): boolean {
  const cells = given.slice(0, MAX_JUDGED_CELLS);
  return cells.length > 0 && [ISO, PLAIN, ...formats].some((format) => isReadBy(format, cells));
}

/** Tells whether numbers are days or moments, if their header says that they are. */
export function areNumberedDays(given: readonly SampleCell[]): boolean {
  const cells = given.slice(0, MAX_JUDGED_CELLS);
  return cells.length > 0 && numbered.some((format) => isReadBy(format, cells) && areRecent(format, cells));
}

/** Tells whether the days of numbers are in this century: other numbers mostly aren't. */
function areRecent({ readMoment }: DateFormat, cells: readonly SampleCell[]): boolean {
  return cells.every(({ text }) => (readMoment(text.trim())?.day ?? '2000').startsWith('20'));
}

/**
 * Finds the form of the days of a file.
 * @param columns The columns of days that are read.
 * @param readOthers Returns further cells with days, which may tell the order of day and month.
 */
export function findDayForm(
  columns: readonly (readonly SampleCell[])[],
  readOthers: () => readonly SampleCell[] = () => [],
): DayForm {
  const rows = countTexts(columns.flat());
  const texts = [...rows.keys()];
  const hasTime = texts.some((text) => /[0-9][ T,]+[0-9]{1,2}:[0-9]{2}|^[0-9]{8}T?[0-9]{4}/.test(text));
  const time = hasTime ? ' HH:MM' : '';
  const written = texts.filter((text) => ISO.readMoment(text) === undefined);
  const found = [...formats, ...numbered]
    .map((format) => ({ format, count: countRead(format, written, rows) }))
    .filter(({ count }) => count > 0);
  const most = Math.max(...found.map(({ count }) => count));
  const best = found.filter(({ count }) => count === most).map(({ format }) => format);
  const [first, second] = best;
  if (first === undefined) return { dates: hasTime ? 'YYYY-MM-DD HH:MM' : undefined, open: undefined };
  if (second === undefined || first.text.startsWith('DD.') || isSameFor(written, first, second))
    return { dates: `${first.text}${time}`, open: swappedDays(texts, written, first) };
  const hints = countTexts(readOthers());
  const [one, two] = [first, second].map((format) => countRead(format, [...hints.keys()], hints));
  if (one !== two) return { dates: `${((one ?? 0) > (two ?? 0) ? first : second).text}${time}`, open: undefined };
  const example = written.find((text) => first.readMoment(text)?.day !== second.readMoment(text)?.day) ?? '';
  const ways = [first, second].map((format) => `${format.readMoment(example)?.day} as ${format.text}${time}`);
  return { dates: undefined, open: `${example} is ${ways.join(', or ')}: write dates: as one of the two` };
}

/** Tells of days that a spreadsheet may have swapped: it made days of the texts that it could read its own way, and left the others. */
function swappedDays(texts: readonly string[], written: readonly string[], format: DateFormat): string | undefined {
  const real = texts.filter((text) => !written.includes(text)).map((text) => ISO.readMoment(text)?.day ?? '');
  const left = written.map((text) => format.readMoment(text)?.day ?? '');
  const isSwapped = real.length > 0 && real.every((day) => dayOf(day) <= 12) && left.every((day) => dayOf(day) > 12);
  if (!isSwapped || left.length === 0) return undefined;
  return `the days up to the 12th are real, the others are texts such as ${written[0]}: a spreadsheet has probably swapped day and month of the first. Repair the column, or write dates: ${format.text}`;
}

function dayOf(day: string): number {
  return Number(day.slice(8));
}

function isSameFor(texts: readonly string[], one: DateFormat, other: DateFormat): boolean {
  return texts.every((text) => one.readMoment(text)?.day === other.readMoment(text)?.day);
}

function isReadBy(format: DateFormat, cells: readonly SampleCell[]): boolean {
  const rows = countTexts(cells);
  return countRead(format, [...rows.keys()], rows) >= cells.length * MOST;
}

/** Returns the texts of cells with the number of rows that have each: a column has few days. */
function countTexts(cells: readonly SampleCell[]): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (const { text } of cells) rows.set(text.trim(), (rows.get(text.trim()) ?? 0) + 1);
  return rows;
}

function countRead({ readMoment }: DateFormat, texts: readonly string[], rows: ReadonlyMap<string, number>): number {
  return texts.reduce((sum, text) => sum + (readMoment(text) === undefined ? 0 : (rows.get(text) ?? 0)), 0);
}
