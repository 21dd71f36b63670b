import { formatForeign } from '../../../base/index.ts';
import type { HoursFormat } from '../mapping/hours-text.ts';
import { parseTimeOfDay } from '../mapping/time-of-day.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import { isBookkeeping, isMoney, isOtherProperty, isPlanned, spokenMeanings } from '../sample/loose-words.ts';
import { type SampleTable, wordsByHeader } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { isBreakSpan, isPeriod, isPlainTime, timeClass, timeUnitOf } from '../sample/time-words.ts';
import { compare, type Quantity, type RowTexts } from './equations.ts';
import { areHours, formatHoursColumn, formOfTexts, quantityOf } from './hour-forms.ts';

/** The smallest part of the time with breaks that worked hours without them are. */
const LEAST_PART = 0.5;

/** Breaks are multiples of it. Unit: minutes. */
const BREAK_STEP = 5;

/** The shortest break that a column without a unit must have, and the longest that it may have. Unit: minutes. */
const [LEAST_BREAK, MOST_BREAK] = [10, 120];

/** Asks about breaks that are told by their start and end, which are taken off nothing. */
export function askSpans(table: SampleTable): string | undefined {
  const headers = table.layout ? [] : table.sample.headers.filter(isBreakSpan);
  const spans = headers.filter((header) => table.cells(header).length > 0).map((header) => formatForeign(header));
  if (spans.length === 0) return undefined;
  return `${spans.join(' and ')} tell breaks, which aren't left out: add a column with their minutes, or remove this line if they are paid`;
}

/**
 * Asks about columns that aren't understood, and may change the hours that are read: those without breaks, breaks, or another time.
 * @param column The column that is read, if one is.
 */
export function askRivals(table: SampleTable, read: Quantity, column: string | undefined): string[] {
  if (table.layout) return [];
  const isTime = (['start_time', 'end_time', 'date'] as const).flatMap(table.findAll);
  const unknown = table.sample.headers.filter(
    (header) => header !== column && !isTime.includes(header) && isUnknownTime(table, header),
  );
  return unknown.flatMap((header) => askRival(table, read, header) ?? []);
}

/** Tells whether a column may have times that its words don't tell. */
function isUnknownTime(table: SampleTable, header: string): boolean {
  if (isOther(header) || (timeClass(header) !== undefined && isPlainTime(wordsByHeader(table).get(header) ?? [])))
    return false;
  const cells = table.cells(header);
  return cells.some(({ text }) => /[1-9]/.test(text)) && areHours(cells);
}

function askRival(table: SampleTable, read: Quantity, header: string): string | undefined {
  const formats = formatsOf(table, header);
  const rows = table.records().filter((row) => read.secondsOf(row));
  for (const format of formats) {
    const own = quantityOf(table, header, format);
    const told = rows.filter((row) => own.secondsOf(row));
    const { exceptions } = compare(table, own, read);
    if (exceptions.length === 0) return undefined;
    const partOf = (row: RowTexts) => (own.secondsOf(row) ?? 0) / (read.secondsOf(row) ?? 1);
    const less = told.find((row) => (read.secondsOf(row) ?? 0) - (own.secondsOf(row) ?? 0) > own.place / 2 + 1);
    if (less === undefined && told.length > 0 && told.length < rows.length && isClear(table, header))
      return `${formatForeign(header)} has the hours in ${told.length} of ${rows.length} rows: call it Billable Hours if these are billable, or remove this line`;
    if (less === undefined) continue;
    if (
      told.every(
        (row) =>
          partOf(row) >= LEAST_PART && (own.secondsOf(row) ?? 0) <= (read.secondsOf(row) ?? 0) + own.place / 2 + 1,
      )
    )
      return `${formatForeign(header)} has ${formatForeign(less(header))} in a row, a little less than ${formatForeign(read.title)}: write hours: ${formatHoursColumn(header, format)} if these are the hours without breaks, or remove this line`;
    if (told.every((row) => partOf(row) <= 1) && (isClear(table, header) || areBreaks(table, header)))
      return `${formatForeign(header)} has ${formatForeign(less(header))} beside ${formatForeign(read.title)}: write less: ${formatLess(header, format)} at hours if these are breaks, or remove this line`;
  }
  return undefined;
}

function formatLess(header: string, format: HoursFormat): string {
  return `{column: ${JSON.stringify(header)}, hours: ${JSON.stringify(format)}}`;
}

/** Returns the forms that the times of a column may have. */
function formatsOf(table: SampleTable, header: string): readonly HoursFormat[] {
  const form = formOfTexts(table.cells(header));
  if (form !== 'numbers') return [form];
  const unit = timeUnitOf(header);
  if (unit !== undefined) return [unit];
  return table.cells(header).some(({ text }) => /[.,]/.test(text)) ? ['decimal'] : ['decimal', 'minutes'];
}

/** Tells whether a column has times for sure: by its unit, or by their form. */
function isClear(table: SampleTable, header: string): boolean {
  return timeUnitOf(header) !== undefined || formOfTexts(table.cells(header)) !== 'numbers';
}

/** Tells whether numbers without a unit may be minutes of breaks. */
function areBreaks(table: SampleTable, header: string): boolean {
  const numbers = table.cells(header).map(({ text }) => Number(text));
  return (
    numbers.every((number) => number % BREAK_STEP === 0 && number >= 0 && number <= MOST_BREAK) &&
    Math.max(...numbers) >= LEAST_BREAK
  );
}

/** Asks about hours that are read for lack of another column, while more columns have times that aren't understood. */
export function askOtherTimes(table: SampleTable, column: string): string | undefined {
  if (table.layout || isKnownHeader(column) || isPlainTime(wordsByHeader(table).get(column) ?? [])) return undefined;
  const others = table.sample.headers.filter(
    (header) =>
      header !== column &&
      (isUnknownTime(table, header) || timeClass(header) === 'part' || areUnknownClocks(table, header)),
  );
  const clear = others.filter((header) => isClear(table, header)).map((header) => exampleOf(table, header));
  if (clear.length === 0) return undefined;
  return `${exampleOf(table, column)} and ${clear.join(', ')} are times that aren't understood: write hours: with the one that was worked, or {from: [day, start], to: end, less: break} of them, or remove this line to read ${formatForeign(column)}`;
}

/** Tells whether a header says what its column is, or that it is no time of work. */
function isOther(header: string): boolean {
  const [words, kind] = [headerWords(header), timeClass(header)];
  if (header === '' || isKnownHeader(header) || isPeriod(header) || isBookkeeping(words) || isMoney(words)) return true;
  return kind === undefined
    ? isPlanned(words) || isOtherProperty(words) || spokenMeanings(words).some((meaning) => meaning !== 'amount')
    : kind !== 'hours';
}

function areUnknownClocks(table: SampleTable, header: string): boolean {
  const cells = table.cells(header);
  return (
    !isOther(header) &&
    cells.length > 0 &&
    cells.every(({ text }) => /[0-9]:[0-9]/.test(text) && parseTimeOfDay(text.trim()) !== undefined)
  );
}

function exampleOf(table: SampleTable, header: string): string {
  return `${formatForeign(header)} (${formatForeign(table.cells(header)[0]?.text ?? '')})`;
}
