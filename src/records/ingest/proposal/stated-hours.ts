import { type HoursFormat, plainHours } from '../mapping/hours-text.ts';
import { areDays } from '../sample/day-forms.ts';
import type { SampleCell } from '../sample/first-rows.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import { type SampleTable, wordsByHeader } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { isPlainTime, netClass, timeClass, timeUnitOf } from '../sample/time-words.ts';
import { findBreaks } from './breaks.ts';
import { compare, isTrue, minus, type Quantity } from './equations.ts';
import { areHours, CLOCK, formOfTexts, isHoursText, quantityOf, textsOf } from './hour-forms.ts';
import { lengthQuantity } from './interval-columns.ts';

export interface HoursColumn {
  readonly header: string;
  readonly format: HoursFormat;
  /** Smaller is more exact. */
  readonly rank: number;
  /** True if its header has a word that may name another time than work. */
  readonly isUnsure: boolean;
  /** The decision that a person has to make. */
  readonly open?: string;
}

/** The sources by how exact they are: seconds tell more than minutes, and minutes more than rounded decimals. */
export const RANKS = {
  seconds: 0,
  clockSeconds: 1,
  sum: 2,
  interval: 3,
  clock: 4,
  minutes: 5,
  milliseconds: 0,
  decimal: 6,
  days: 7,
  open: 8,
};

/** The smallest part of the time from start to end that hours without breaks are. */
const LEAST_PART = 0.25;

type TimeUnit = 'seconds' | 'minutes' | 'milliseconds' | 'days' | 'decimal';

/** Tells whether a header speaks of hours of work. */
export function saysHours(header: string): boolean {
  const kind = timeClass(header);
  return (
    kind !== undefined &&
    kind !== 'plan' &&
    kind !== 'break' &&
    kind !== 'paid break' &&
    timeUnitOf(header) !== undefined
  );
}

/** The units by the hours that one of each is. */
const UNIT_HOURS: ReadonlyMap<string, TimeUnit> = new Map([
  ['1', 'decimal'],
  [plainHours('1', 'minutes') ?? '', 'minutes'],
  [plainHours('1', 'seconds') ?? '', 'seconds'],
  [plainHours('1', 'days') ?? '', 'days'],
]);

/** The hours of a day: no entry of one day has more. */
const DAY_HOURS = 24;

const HOUR_SECONDS = 3600;

/** Whole numbers that are all multiples of it may be minutes. */
const ROUND_MINUTES = 5;

/** Returns the columns of hours, the most exact first: those of all work, not of a part, a plan or breaks. */
export function findStatedHours(table: SampleTable): HoursColumn[] {
  const columns = hoursHeaders(table).flatMap((header) => readHoursColumn(table, header) ?? []);
  return columns.sort((a, b) => Number(a.isUnsure) - Number(b.isUnsure) || a.rank - b.rank);
}

/** Tells whether a header has a word beside those of time, such as Lunch Hours in a language that nobody knows here. */
function isUnsure(table: SampleTable, header: string): boolean {
  if (table.layout || isKnownHeader(header)) return false;
  return !isPlainTime(wordsByHeader(table).get(header) ?? []);
}

function hoursHeaders(table: SampleTable): string[] {
  const named = table.findAll('hours');
  if (table.layout) return [...named];
  const others = table.sample.headers.filter((header) => {
    const kind = timeClass(header);
    if (isKnownHeader(header)) return false;
    return kind === 'hours' || kind === 'net' || kind === 'gross' || isWithin(table, header);
  });
  const totals = table.findAll('total_hours').filter((header) => timeClass(header) !== undefined);
  return [...new Set([...named, ...totals, ...others])].filter((header) => !isMoment(table, header));
}

/** Tells whether a column called Net or Gross is a time: by its form, by breaks or the other one beside it, or by start and end. */
function isWithin(table: SampleTable, header: string): boolean {
  const kind = netClass(header);
  const cells = table.cells(header);
  const spoken = timeClass(header) ?? kind;
  if (kind === undefined || spoken !== kind || cells.length === 0) return false;
  if (formOfTexts(cells) !== 'numbers') return areHours(cells);
  const own = quantityOf(table, header, 'decimal');
  const length = lengthQuantity(table);
  if (length) return table.records().every((row) => (own.secondsOf(row) ?? 0) <= (length.secondsOf(row) ?? 0) + 1);
  const hasOther = table.sample.headers.some((each) => netClass(each) !== undefined && netClass(each) !== kind);
  const isDaily = table.records().every((row) => (own.secondsOf(row) ?? 0) <= DAY_HOURS * HOUR_SECONDS);
  return isDaily && (hasOther || findBreaks(table) !== undefined);
}

/** Tells whether a column has the beginning or the end of work. */
function isMoment(table: SampleTable, header: string): boolean {
  return (['start_time', 'end_time', 'date'] as const).some((meaning) => table.findAll(meaning).includes(header));
}

/** Reads the form of a column of hours; undefined if it has none. */
export function readHoursColumn(table: SampleTable, header: string | undefined): HoursColumn | undefined {
  if (header === undefined) return undefined;
  const cells = table.cells(header);
  if (cells.length === 0 || areDays(cells)) return undefined;
  const column = readForm(table, header, cells);
  return column && { ...column, isUnsure: isUnsure(table, header) };
}

type HoursForm = Omit<HoursColumn, 'isUnsure'>;

function readForm(table: SampleTable, header: string, cells: readonly SampleCell[]): HoursForm | undefined {
  const form = formOfTexts(cells);
  if (form === 'numbers') return readNumbers(table, header, cells);
  if (!cells.some(({ text }) => isHoursText(text.trim()))) return undefined;
  const texts = textsOf(cells);
  if (form === 'h:mm' && texts.some((text) => CLOCK.test(text) && Number.parseInt(text, 10) > DAY_HOURS))
    return { header, format: form, rank: RANKS.open, open: clockDecision(header, texts) };
  const hasSeconds = texts.some((text) => /[0-9] ?s|:[0-9]{2}:/i.test(text));
  return { header, format: form, rank: hasSeconds ? RANKS.clockSeconds : RANKS.clock };
}

function clockDecision(header: string, texts: readonly string[]): string {
  const example = texts.find((text) => Number.parseInt(text, 10) > DAY_HOURS) ?? '';
  return `${header} has ${example}, which is hours and minutes, or minutes and seconds: export the hours in another form`;
}

function readNumbers(table: SampleTable, header: string, cells: readonly SampleCell[]): HoursForm | undefined {
  const unit = timeUnitOf(header);
  // Hours beside minutes are a part of the time only.
  const sum = sumColumns(table);
  if (sum && (header === sum.hours || header === sum.minutes)) return undefined;
  const units = unitsOfRows(table);
  const [only] = units;
  if (units.length > 1)
    return { header, format: 'decimal', rank: RANKS.open, open: `${header} has several units: export it in one` };
  const numbers = cells.map(({ text }) => Number(text.trim().replace(',', '.')));
  const most = Math.max(...numbers);
  const format = only ?? unit;
  const measured = only === undefined ? measureUnit(table, header) : undefined;
  // Arithmetic tells more than a word: hours that are minutes between start and end are minutes.
  if (format === 'decimal' && most > DAY_HOURS && !table.layout && measured !== undefined && measured !== 'decimal')
    return { header, format: measured, rank: RANKS[measured] };
  if (format === 'decimal' && most > DAY_HOURS && !table.layout)
    return { header, format, rank: RANKS.decimal, open: sumDecision(header, most) };
  if (format !== undefined) return { header, format, rank: RANKS[format as TimeUnit] };
  if (measured !== undefined) return { header, format: measured, rank: RANKS[measured] };
  const isRound = numbers.length > 1 && numbers.every((number) => number % ROUND_MINUTES === 0);
  if (most <= DAY_HOURS && !isRound) return { header, format: 'decimal', rank: RANKS.decimal };
  const choices = ['minutes', 'seconds', 'milliseconds', 'days', ...(most <= DAY_HOURS ? ['decimal'] : [])];
  const open = `${header} has ${most} and no unit: write hours: ${choices.join(', hours: ')} at it`;
  return { header, format: 'decimal', rank: RANKS.open, open };
}

function sumDecision(header: string, most: number): string {
  return `${header} has ${most} in a row, and a day has ${DAY_HOURS} hours: export the hours of each day, not their sums, write hours: minutes at it if they are minutes, or remove this line to set such rows aside`;
}

/** Returns the units of time that a column of units has; none if its words are no such units. */
function unitsOfRows(table: SampleTable): TimeUnit[] {
  const words = [...new Set(table.cells(table.find('unit')).map(({ text }) => text.trim()))];
  const units = words.map((word) => UNIT_HOURS.get(plainHours(`1 ${word}`, 'units') ?? ''));
  return units.includes(undefined) ? [] : [...new Set(units.flatMap((unit) => unit ?? []))];
}

/** Returns the unit in which a column of numbers is the time from start to end, with or without breaks, or that of a text beside it. */
function measureUnit(
  table: SampleTable,
  header: string,
): 'decimal' | 'minutes' | 'seconds' | 'milliseconds' | undefined {
  const length = lengthQuantity(table);
  const breaks = length && findBreaks(table);
  const texts = table.layout ? [] : table.sample.headers.filter((each) => each !== header && isTimeText(table, each));
  const known = [
    ...(length ? [length] : []),
    ...(length && breaks ? breaks.quantities.map((each) => minus(length, each)) : []),
    ...texts.map((each) => quantityOf(table, each, 'units')),
  ];
  const units = ['seconds', 'minutes', 'decimal', 'milliseconds'] as const;
  const equal = units.find((unit) => {
    const own = quantityOf(table, header, unit);
    return known.some((each) => isTrue(compare(table, withoutZero(own), each)));
  });
  if (equal !== undefined || !length || netClass(header) !== 'net') return equal;
  return units.find((unit) => isMostOf(table, quantityOf(table, header, unit), length));
}

/** Tells whether hours without breaks are no more than the time from start to end, and most of it, as in one unit only. */
function isMostOf(table: SampleTable, own: Quantity, length: Quantity): boolean {
  const both = table.records().filter((row) => own.secondsOf(row) && length.secondsOf(row));
  const partOf = (row: (typeof both)[number]) => (own.secondsOf(row) ?? 0) / (length.secondsOf(row) ?? 1);
  return both.length > 0 && both.every((row) => partOf(row) >= LEAST_PART && partOf(row) <= 1);
}

/** Leaves out the rows in which an amount is 0, which is 0 in every unit. */
function withoutZero(quantity: Quantity): Quantity {
  return { ...quantity, secondsOf: (row) => quantity.secondsOf(row) || undefined };
}

/** Tells whether a column has times with their units, such as 1 h 15 m. */
function isTimeText(table: SampleTable, header: string): boolean {
  const kind = timeClass(header);
  if (kind === undefined || kind === 'plan' || kind === 'break') return false;
  const cells = table.cells(header);
  return cells.length > 0 && formOfTexts(cells) !== 'numbers' && areHours(cells);
}

/** Returns the columns of hours and minutes that are one time together. */
export function sumColumns(table: SampleTable): { readonly hours: string; readonly minutes: string } | undefined {
  const [hours, minutes] = [/^(hours|stunden|heures)$/, /^(minutes|minuten)$/].map((name) =>
    table.findAll('hours').find((header) => name.test(headerWords(header).join(' '))),
  );
  if (hours === undefined || minutes === undefined) return undefined;
  const isWhole = table.cells(hours).every(({ text }) => /^[0-9]+$/.test(text.trim()));
  const isPart = table.cells(minutes).every(({ text }) => Number(text) < 60);
  return isWhole && isPart ? { hours, minutes } : undefined;
}
