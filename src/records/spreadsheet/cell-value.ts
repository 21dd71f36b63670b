import { Exact, formatForeign } from '../../base/index.ts';
import type { NumberFormat } from './number-kinds.ts';
import { formatZeros } from './zero-format.ts';

/** A cell that isn't blank. */
export interface SheetCell {
  readonly kind: 'text' | 'number' | 'boolean';
  /** A number as a plain decimal, a day as YYYY-MM-DD, a boolean as 1 or 0. */
  readonly text: string;
  /** A whole number as its cell shows it, if that is other than the text, such as 007. */
  readonly shown?: string;
  /** The reason for a missing value, as the end of a sentence about the cell. */
  readonly fault?: string;
}

export interface RawCell {
  readonly type: string | undefined;
  readonly text: string;
  readonly hasFormula: boolean;
  /** True if the file has a value, which may be blank. */
  readonly hasValue: boolean;
  readonly format: NumberFormat;
}

/** The parts of a workbook that its cells refer to. */
export interface BookContext {
  /** The texts that cells refer to by number. */
  readonly shared: readonly string[];
  /** The formats of numbers, by the style of a cell. */
  readonly formats: readonly NumberFormat[];
  /** True if its dates are in Excel's calendar from 1904. */
  readonly is1904: boolean;
  /** True if the formulas are computed only when it is opened: 0 and an empty text then stand for no value. */
  readonly isUncomputed: boolean;
}

/** The longest text of a cell, which is Excel's limit. Unit: characters. */
export const MAX_CELL_CHARACTERS = 32_767;

const [DAY_SECONDS, DAY_MS] = [86_400, 86_400_000];

/** The day before the first of each of Excel's calendars, after the 29th of February 1900 that it counts. */
const [EPOCH_1900, EPOCH_1904] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];

/** The last day that Excel counts, in the year 9999. Unit: days. */
const MAX_SERIAL = 2_958_465;

/** Returns the value of a cell; undefined for a blank one. */
export function readCell(cell: RawCell, book: BookContext): SheetCell | undefined {
  const { type, text } = cell;
  if (cell.hasFormula && !isComputed(cell, book.isUncomputed))
    return faultOf('', 'has a formula without a saved value');
  if (type === 's') return text === '' ? undefined : readShared(text, book.shared);
  if (type === 'str' || type === 'inlineStr') return textCell(text);
  if (text === '') return undefined;
  if (type === 'b') return readBoolean(text);
  if (type === 'e') return faultOf(text, `is ${formatForeign(text, MAX_ERROR_CHARACTERS)}`);
  if (type === 'd') return textCell(text.replace(/T00:00:00(\.0+)?Z?$/, ''));
  return readNumber(text, cell.format, book.is1904);
}

/** The longest name of an error, such as #N/A. Unit: characters. */
const MAX_ERROR_CHARACTERS = 20;

/**
 * Tells whether a formula has a value. An empty text is a value: ="" computes it.
 * Any other type without a text was never computed, as openpyxl writes it.
 */
function isComputed({ type, text, hasValue }: RawCell, isUncomputed: boolean): boolean {
  if (text === '') return hasValue && type === 'str' && !isUncomputed;
  return !isUncomputed || (type ?? 'n') !== 'n' || Number(text) !== 0;
}

function faultOf(text: string, fault: string): SheetCell {
  return { kind: 'text', text: text.slice(0, MAX_CELL_CHARACTERS).toWellFormed(), fault };
}

function readShared(number: string, shared: readonly string[]): SheetCell | undefined {
  const text = shared[Number(number)];
  return text === undefined ? faultOf(number, "refers to a text that the workbook doesn't have") : textCell(text);
}

function textCell(text: string): SheetCell | undefined {
  if (text === '') return undefined;
  if (text.length > MAX_CELL_CHARACTERS) return faultOf(text, `has more than ${MAX_CELL_CHARACTERS} characters`);
  return text.isWellFormed() ? { kind: 'text', text } : faultOf(text, 'holds half of a character');
}

function readBoolean(text: string): SheetCell {
  if (text === '1' || text === 'true') return { kind: 'boolean', text: '1' };
  return text === '0' || text === 'false' ? { kind: 'boolean', text: '0' } : faultOf(text, 'is neither TRUE nor FALSE');
}

/**
 * Reads a number as its format shows it. Its value is the shortest decimal that is the stored binary number.
 * A time of day and a percentage are texts, since 7:30 and 10% are stored as other numbers than they show.
 */
function readNumber(text: string, { kind, zeros }: NumberFormat, is1904: boolean): SheetCell | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return textCell(text);
  const decimal = new Exact(value);
  if (kind === 'percent') return { kind: 'text', text: `${decimal.times(100).toFixed()}%` };
  if (kind === 'number' || value < 0 || value > MAX_SERIAL) {
    const plain = decimal.toFixed();
    const shown = zeros && /^\d+$/.test(plain) ? formatZeros(zeros, plain) : plain;
    return { kind: 'number', text: plain, ...(shown !== plain && { shown }) };
  }
  if (kind === 'time') return { kind: 'text', text: formatTime(Math.round(value * DAY_SECONDS)) };
  const seconds = Math.round((value % 1) * DAY_SECONDS);
  const days = Math.floor(value) + Math.floor(seconds / DAY_SECONDS);
  const day = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + days * DAY_MS).toISOString().slice(0, 10);
  const time = seconds % DAY_SECONDS;
  return { kind: 'text', text: time === 0 ? day : `${day} ${formatTime(time)}` };
}

/** The numbers that are taken for days in a column of days: those of the years from 1954 to 2119. Unit: days. */
const [FIRST_SERIAL, LAST_SERIAL] = [20_000, 80_000];

/** Returns the day of a number in a column of days whose cell has no format of days; undefined for another number. */
export function dayOfSerial(text: string, is1904: boolean): string | undefined {
  const days = Number(text);
  if (!Number.isInteger(days) || days < FIRST_SERIAL || days > LAST_SERIAL) return undefined;
  return new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + days * DAY_MS).toISOString().slice(0, 10);
}

function formatTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
