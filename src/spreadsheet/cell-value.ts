import { Decimal } from 'decimal.js';
import type { NumberKind } from './number-kinds.ts';

/** A cell that isn't blank. */
export interface SheetCell {
  readonly kind: 'text' | 'number' | 'boolean' | 'fault';
  /** A number as a plain decimal, a day as YYYY-MM-DD, a boolean as 1 or 0, a fault in words. */
  readonly text: string;
}

/** A cell as the file has it. */
export interface RawCell {
  readonly type: string | undefined;
  readonly text: string;
  readonly hasFormula: boolean;
  /** True if the file has a value, which may be blank. */
  readonly hasValue: boolean;
  readonly kind: NumberKind;
}

const [DAY_SECONDS, DAY_MS] = [86_400, 86_400_000];

/** The day before the first of each of Excel's calendars, after the 29th of February 1900 that it counts. */
const [EPOCH_1900, EPOCH_1904] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];

/** The last day that Excel counts, in the year 9999. Unit: days. */
const MAX_SERIAL = 2_958_465;

/** Returns the value of a cell; undefined for a blank one. */
export function readCell(cell: RawCell, shared: readonly string[], is1904: boolean): SheetCell | undefined {
  const { type, text, hasFormula, hasValue } = cell;
  if (hasFormula && !hasValue) return { kind: 'fault', text: 'has a formula without a saved value' };
  if (type === 's') return textCell(shared[Number(text)] ?? '');
  if (type === 'str' || type === 'inlineStr') return textCell(text);
  if (text === '') return undefined;
  if (type === 'b') return { kind: 'boolean', text };
  if (type === 'e') return { kind: 'fault', text: `is ${text}` };
  if (type === 'd') return textCell(text.replace(/T00:00:00(\.0+)?Z?$/, ''));
  return readNumber(text, cell.kind, is1904);
}

function textCell(text: string): SheetCell | undefined {
  return text === '' ? undefined : { kind: 'text', text };
}

/**
 * Reads a number as its format shows it. Its value is the shortest decimal that is the stored binary number.
 * A time of day and a percentage are texts, since 7:30 and 10% are other numbers than they look like.
 */
function readNumber(text: string, kind: NumberKind, is1904: boolean): SheetCell {
  const value = Number(text);
  if (!Number.isFinite(value)) return { kind: 'text', text };
  const decimal = new Decimal(value);
  if (kind === 'percent') return { kind: 'text', text: `${decimal.times(100).toFixed()}%` };
  if (kind === 'time') return { kind: 'text', text: formatTime(Math.round(value * DAY_SECONDS)) };
  if (kind === 'number' || value < 0 || value > MAX_SERIAL) return { kind: 'number', text: decimal.toFixed() };
  const seconds = Math.round((value % 1) * DAY_SECONDS);
  const days = Math.floor(value) + Math.floor(seconds / DAY_SECONDS);
  const day = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + days * DAY_MS).toISOString().slice(0, 10);
  const time = seconds % DAY_SECONDS;
  return { kind: 'text', text: time === 0 ? day : `${day} ${formatTime(time)}` };
}

function formatTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
