import { type HoursFormat, plainHours } from '../mapping/hours-text.ts';
import { remembered } from '../mapping/remembered.ts';
import { MAX_JUDGED_CELLS } from '../sample/day-forms.ts';
import type { SampleCell } from '../sample/first-rows.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import type { Quantity } from './equations.ts';
import { quote } from './mapping-entry.ts';

const CLOCK_SECONDS = /^[0-9]{1,5}:[0-5][0-9]:[0-5][0-9]$/;

/** Matches hours and minutes, or minutes and seconds. */
export const CLOCK = /^[0-9]{1,5}:[0-5][0-9]$/;

const HOUR_SECONDS = 3600;

/** Returns the time of a column in each row. */
export function quantityOf(table: SampleTable, header: string, format: HoursFormat): Quantity {
  const read = remembered((text: string) => readSeconds(text, format));
  const texts = table.cells(header).map(({ text }) => text.trim());
  // Whole hours aren't rounded by half an hour: 8 beside 8:30 is another number.
  const decimals = Math.max(
    format === 'decimal' || format === 'units' ? 1 : 0,
    ...texts.slice(0, MAX_JUDGED_CELLS).map((text) => decimalsOf(text)),
  );
  const isClock = format === 'h:mm' || format === 'units';
  const hasSeconds = texts.some((text) => /[0-9] ?s|:[0-9]{2}:/i.test(text));
  const unit = format === 'units' && !texts.some((text) => /[:\p{L}]/u.test(text)) ? 'decimal' : format;
  const place = isClock && unit !== 'decimal' ? (hasSeconds ? 1 : 60) : (readSeconds('1', unit) ?? 0) / 10 ** decimals;
  return { title: header, secondsOf: (row) => read(row(header)), place };
}

function decimalsOf(text: string): number {
  return /[.,]([0-9]+)$/.exec(text)?.[1]?.length ?? 0;
}

export function formatHoursColumn(header: string, format: HoursFormat): string {
  return format === 'decimal' ? quote(header) : `{column: ${quote(header)}${formatHoursForm(format)}}`;
}

export function formatHoursForm(format: HoursFormat): string {
  return format === 'decimal' ? '' : `, hours: ${format.includes(':') ? quote(format) : format}`;
}

/** Returns the form of hours of cells, by their texts; numbers may have any unit. */
export function formOfTexts(cells: readonly SampleCell[]): 'numbers' | 'h:mm' | 'units' {
  const texts = textsOf(cells);
  if (texts.every((text) => /^-?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)$/.test(text))) return 'numbers';
  return texts.every((text) => CLOCK.test(text) || CLOCK_SECONDS.test(text)) ? 'h:mm' : 'units';
}

export function textsOf(cells: readonly SampleCell[]): string[] {
  return cells.filter(({ isNumber }) => !isNumber).map(({ text }) => text.trim());
}

export function areHours(cells: readonly SampleCell[]): boolean {
  return cells.every(({ text }) => isHoursText(text.trim()));
}

/** Tells whether a text is hours in some form. */
export function isHoursText(text: string): boolean {
  return readSeconds(text, 'units') !== undefined;
}

/** Returns the seconds of hours in a form, with either decimal mark; undefined for another text. */
export function readSeconds(text: string, format: HoursFormat): number | undefined {
  const hours = plainHours(text, format) ?? plainHours(text, format, 'comma');
  return hours === undefined ? undefined : Number(hours) * HOUR_SECONDS;
}
