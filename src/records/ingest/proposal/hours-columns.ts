import { areDays, areNumberedDays } from '../sample/day-forms.ts';
import { isKnownHeader } from '../sample/header-words.ts';
import { perTable, type SampleTable } from '../sample/sample-table.ts';
import { netClass } from '../sample/time-words.ts';
import { findBreaks } from './breaks.ts';
import { compare, type Equation, formatEquation, isTrue, type Quantity } from './equations.ts';
import { formatHoursColumn, quantityOf } from './hour-forms.ts';
import { intervalColumns, lengthQuantity, onlyDay, workedCells } from './interval-columns.ts';
import { formatColumns, quote } from './mapping-entry.ts';
import { findNetHours } from './net-hours.ts';
import { askOtherTimes, askRivals, askSpans } from './rival-hours.ts';
import { findStatedHours, type HoursColumn, RANKS, readHoursColumn, sumColumns } from './stated-hours.ts';

/** The hours of a table, with the relation that explains them. */
export interface HoursSource {
  /** As YAML. */
  readonly source: string;
  /** Smaller is more exact. */
  readonly rank: number;
  /** The column that states them, if one does. */
  readonly column?: string | undefined;
  /** The source of the rows in which that column is blank. */
  readonly otherwise?: string | undefined;
  /** The decisions that a person has to make. */
  readonly open: readonly string[];
  /** A sentence on the relation that was found. */
  readonly told?: string | undefined;
}

/** Returns the source of the hours of a table; undefined if it has none. */
export const findHours = perTable((table): HoursSource | undefined => {
  const length = lengthQuantity(table);
  const breaks = table.layout ? undefined : findBreaks(table);
  const { column, question, equation, less } = findNetHours(table, length, breaks);
  const sum = findSum(table);
  if (sum) return sum;
  const doubts = column && question === undefined && !equation && less === undefined ? doubtsOf(table, column) : [];
  const stated = column && statedSource(column, equation, [question, ...doubts], less);
  const interval = length && findInterval(table, length, breaks);
  if (!stated || !interval) return stated ?? interval;
  if (column.open !== undefined) return stated;
  if (column.isUnsure && !equation && !equals(table, column, length))
    return { ...interval, open: [...interval.open, askOther(column, interval)] };
  const isExact = !breaks && less === undefined && equals(table, column, length);
  if (isExact && interval.rank < stated.rank && covers(table, length, column)) return interval;
  const rest = isSpare(table, column, length) ? interval.source : undefined;
  return { ...stated, otherwise: rest };
});

/** Returns the columns of billable and of other hours, if a table has both; one of them may be blank in all rows. */
export function splitHours(
  table: SampleTable,
): { readonly billable: HoursColumn | undefined; readonly other: HoursColumn | undefined } | undefined {
  const [billable, other] = [table.find('billable_time'), table.find('other_time')];
  if (billable === undefined || other === undefined) return undefined;
  const split = { billable: readHoursColumn(table, billable), other: readHoursColumn(table, other) };
  return split.billable || split.other ? split : undefined;
}

/** Returns the source with which the hours of a table are compared: the next exact column of its own that says the same. */
export function findHoursControl(table: SampleTable): string | undefined {
  const chosen = findHours(table);
  return findStatedHours(table)
    .filter(({ open, rank }) => open === undefined && rank !== RANKS.days)
    .filter(({ header }) => isControl(table, header, chosen))
    .map(({ header, format }) => formatHoursColumn(header, format))
    .find((source) => source !== chosen?.source);
}

/** Tells whether a column says the hours that are read; one with breaks, or a part of them, says others. */
function isControl(table: SampleTable, header: string, chosen: HoursSource | undefined): boolean {
  const columns = findStatedHours(table);
  const [one, other] = [header, chosen?.column].map((each) => columns.find((column) => column.header === each));
  if (one === undefined || other === undefined) return true;
  return isTrue(
    compare(table, quantityOf(table, one.header, one.format), quantityOf(table, other.header, other.format)),
  );
}

function statedSource(
  column: HoursColumn,
  equation: Equation | undefined,
  questions: readonly (string | undefined)[],
  less: string | undefined,
): HoursSource {
  const { header, format, rank, open } = column;
  const form = format === 'decimal' ? '' : `, hours: ${format.includes(':') ? quote(format) : format}`;
  const source =
    less === undefined ? formatHoursColumn(header, format) : `{column: ${quote(header)}${form}, less: ${less}}`;
  return {
    source,
    rank,
    column: header,
    open: [open, ...questions].filter((each) => each !== undefined),
    told: equation && `${formatEquation(equation)}: ${header} is read`,
  };
}

/** Asks about a column whose words don't tell which time it is, and that isn't the one from start to end. */
function askOther({ header, format }: HoursColumn, interval: HoursSource): string {
  return `${header} has other hours than those from start to end, which are read: write hours: ${formatHoursColumn(header, format)} instead of ${interval.source} if it has those that were worked, or remove this line`;
}

/** Returns the questions about columns that may say other hours than the one that is read, unless its words are clear. */
function doubtsOf(table: SampleTable, { header, format, open }: HoursColumn): string[] {
  if (open !== undefined || netClass(header) === 'net') return [];
  const other = askOtherTimes(table, header);
  return other === undefined ? askRivals(table, quantityOf(table, header, format), header) : [other];
}

/** Returns the hours whose hours and minutes are in columns of their own. */
function findSum(table: SampleTable): HoursSource | undefined {
  const columns = sumColumns(table);
  if (columns === undefined) return undefined;
  const { hours, minutes } = columns;
  return {
    source: `{sum: {hours: ${quote(hours)}, minutes: ${quote(minutes)}}}`,
    rank: RANKS.sum,
    column: hours,
    open: [],
  };
}

/** Returns the hours between a beginning and an end, without the breaks in them. */
function findInterval(
  table: SampleTable,
  length: Quantity,
  breaks: ReturnType<typeof findBreaks>,
): HoursSource | undefined {
  const interval = intervalColumns(table);
  if (interval === undefined) return undefined;
  const [from, to] = interval.map(formatColumns);
  const source = `from: ${from}, to: ${to}`;
  if (breaks === undefined)
    return {
      source: `{${source}}`,
      rank: RANKS.interval,
      open: [askSpans(table), ...askRivals(table, length, undefined)].filter((each) => each !== undefined),
    };
  const possible = breaks.quantities.filter((each) => fits(table, length, each));
  const fitting = possible.length > 0 ? possible : breaks.quantities.slice(0, 1);
  const [first, second] = fitting;
  const ways = fitting.map(({ less }) => `less: ${less}`).join(' or ');
  const open =
    second && `${breaks.title} has ${example(table, breaks.title)}, which is hours or minutes: write ${ways} at hours`;
  return {
    source: `{${source}, less: ${first?.less}}`,
    rank: RANKS.interval,
    open: [open, breaks.open].filter((each) => each !== undefined),
    told: `${length.title} - ${breaks.title} is read: the breaks are left out`,
  };
}

/** Tells whether no break is longer than its time in most rows. */
function fits(table: SampleTable, length: Quantity, breaks: Quantity): boolean {
  const rows = table.records().filter((row) => length.secondsOf(row) !== undefined);
  const longer = rows.filter((row) => (breaks.secondsOf(row) ?? 0) >= (length.secondsOf(row) ?? 0) + 1);
  return longer.length * 2 < rows.length;
}

function example(table: SampleTable, header: string): string {
  return (
    table
      .cells(header)
      .find(({ text }) => /[1-9]/.test(text))
      ?.text.trim() ?? ''
  );
}

/** Tells whether a column of hours has the time from start to end in each row that has both. */
function equals(table: SampleTable, { header, format }: HoursColumn, length: Quantity): boolean {
  const { exceptions } = compare(table, quantityOf(table, header, format), length);
  return exceptions.length === 0;
}

/** Tells whether a start and an end are in all rows that have hours. */
function covers(table: SampleTable, length: Quantity, { header, format }: HoursColumn): boolean {
  const { secondsOf } = quantityOf(table, header, format);
  return table.records().every((row) => !secondsOf(row) || length.secondsOf(row) !== undefined);
}

/** Tells whether rows without hours have a start and an end, while others have hours. */
function isSpare(table: SampleTable, { header }: HoursColumn, length: Quantity): boolean {
  return table.records().some((row) => row(header) === '' && length.secondsOf(row) !== undefined);
}

export function dayColumn(table: SampleTable): string | undefined {
  const isDay = (header: string) => areDays(workedCells(table, header));
  const isNumber = (header: string) => areNumberedDays(workedCells(table, header));
  const start = [intervalColumns(table)?.[0] ?? []].flat().find((header) => isDay(header) || isNumber(header));
  const days = table.findAll('date').filter((header) => table.layout || isKnownHeader(header));
  // The day of a start is that of the work, and Invoice Date may be another one.
  const other = table.findAll('date').find(isDay);
  return days.find(isDay) ?? start ?? other ?? table.findAll('date').find(isNumber) ?? onlyDay(table);
}
