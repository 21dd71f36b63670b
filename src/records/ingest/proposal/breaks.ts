import type { HoursFormat } from '../mapping/hours-text.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { timeClass, timeUnitOf } from '../sample/time-words.ts';
import type { Quantity } from './equations.ts';
import { areHours, formOfTexts, quantityOf, readSeconds } from './hour-forms.ts';
import { formatColumns, quote } from './mapping-entry.ts';

/** The breaks of a table, in each unit that their numbers may have. */
export interface Breaks {
  readonly title: string;
  readonly quantities: readonly BreakQuantity[];
  /** The question about columns that aren't added up. */
  readonly open?: string;
}

export interface BreakQuantity extends Quantity {
  /** The source of the verb less, as YAML. */
  readonly less: string;
}

/** Returns the breaks that aren't work; undefined if nobody had one. */
export function findBreaks(table: SampleTable): Breaks | undefined {
  const headers = table.sample.headers.filter(
    (header) => (table.findAll('breaks').includes(header) || isBreak(table, header)) && hasBreaks(table, header),
  );
  const [first, second] = headers;
  if (first === undefined) return undefined;
  if (second === undefined) return { title: first, quantities: quantitiesOf(table, first) };
  const [hours, minutes] = ['decimal', 'minutes'].map((unit) => headers.find((header) => timeUnitOf(header) === unit));
  if (headers.length === 2 && hours !== undefined && minutes !== undefined) return sumOf(table, hours, minutes);
  const unpaid = headers.find((header) => /unpaid|unbezahlt/i.test(header));
  if (unpaid !== undefined) return { title: unpaid, quantities: quantitiesOf(table, unpaid) };
  const open = `${headers.join(' and ')} are breaks: add a column with all of them`;
  return { title: first, quantities: quantitiesOf(table, first), open };
}

function isBreak(table: SampleTable, header: string): boolean {
  return !table.layout && timeClass(header) === 'break';
}

function hasBreaks(table: SampleTable, header: string): boolean {
  const cells = table.cells(header);
  return cells.some(({ text }) => /[1-9]/.test(text)) && areHours(cells);
}

/** Returns breaks whose hours and minutes are in columns of their own. */
function sumOf(table: SampleTable, hours: string, minutes: string): Breaks {
  const [one, other] = [quantityOf(table, hours, 'decimal'), quantityOf(table, minutes, 'minutes')];
  const title = `${hours} and ${minutes}`;
  const quantity = {
    title,
    secondsOf: (row: Parameters<Quantity['secondsOf']>[0]) => (one.secondsOf(row) ?? 0) + (other.secondsOf(row) ?? 0),
    place: other.place,
    less: `{sum: {hours: ${quote(hours)}, minutes: ${quote(minutes)}}}`,
  };
  return { title, quantities: [quantity] };
}

function quantitiesOf(table: SampleTable, header: string): BreakQuantity[] {
  return formatsOf(table, header).map((format) => {
    const form = format === 'units' ? '' : `, hours: ${format}`;
    const less = form === '' ? formatColumns(header) : `{column: ${quote(header)}${form}}`;
    return { ...quantityOf(table, header, format), less };
  });
}

/** Returns the units that the numbers of a column of breaks may have. */
function formatsOf(table: SampleTable, header: string): HoursFormat[] {
  const cells = table.cells(header);
  if (formOfTexts(cells) !== 'numbers') return ['units'];
  const unit = timeUnitOf(header);
  if (unit !== undefined) return [unit];
  const numbers = cells.map(({ text }) => (readSeconds(text.trim(), 'decimal') ?? 0) / HOUR_SECONDS);
  if (numbers.some((number) => !Number.isInteger(number))) return ['decimal'];
  // Nobody has a break of this many hours, nor one of so few seconds.
  return Math.max(...numbers) >= FEWEST_MINUTES ? ['minutes'] : ['decimal', 'minutes'];
}

/** The smallest whole number that is minutes of a break rather than hours. */
const FEWEST_MINUTES = 5;

const HOUR_SECONDS = 3600;
