import { Bool, type Data, type DataType, DateDay, Decimal, Int64, makeData, Utf8 } from 'apache-arrow';
import type { StoredValue } from '../database.ts';
import { AppError } from '../error.ts';

/** Arrow's decimals have 128 bits, whatever their digits. */
const DECIMAL_BITS = 128;

/** The Arrow type of a column of a typed file. */
export function arrowType(type: string): DataType {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  if (scale !== undefined) return new Decimal(Number(scale), Number(precision), DECIMAL_BITS);
  if (type === 'BIGINT') return new Int64();
  if (type === 'DATE') return new DateDay();
  if (type === 'BOOLEAN') return new Bool();
  if (type === 'VARCHAR') return new Utf8();
  throw new AppError('internal', `Arrow has no type for ${type}`);
}

/** A column of anything but text, out of its values. */
export function makeColumn(type: string, values: readonly StoredValue[]): Data {
  const arrow = arrowType(type);
  const valid = validityOf(values);
  if (arrow instanceof Decimal) return makeData({ type: arrow, ...valid, data: new Uint32Array(packDecimals(values)) });
  if (arrow instanceof Int64) return makeData({ type: arrow, ...valid, data: packIntegers(values) });
  if (arrow instanceof DateDay) return makeData({ type: arrow, ...valid, data: packDays(values) });
  if (arrow instanceof Bool)
    return makeData({ type: arrow, ...valid, data: packBits(values, (value) => value === true) });
  throw new AppError('internal', `A column of ${type} isn't made value by value`);
}

/**
 * The columns of texts, out of one piece of UTF-8 a row that holds the row's texts one after the other.
 * @param lengths Of each column, the length of each row's text; null for no text. Unit: bytes.
 */
export function makeTextColumns(
  packed: readonly Uint8Array[],
  lengths: readonly (readonly (number | null)[])[],
): Data[] {
  const offsets = lengths.map(sumUp);
  const bytes = offsets.map((ends) => new Uint8Array(ends.at(-1) ?? 0));
  for (const [row, piece] of packed.entries()) {
    let from = 0;
    for (const [column, target] of bytes.entries()) {
      const length = lengths[column]?.[row] ?? 0;
      if (length > 0) copyBytes(piece, from, target, offsets[column]?.[row] ?? 0, length);
      from += length;
    }
  }
  return bytes.map((data, column) => {
    const valueOffsets = offsets[column] ?? new Int32Array(1);
    return makeData({ type: new Utf8(), ...validityOf(lengths[column] ?? []), valueOffsets, data });
  });
}

/** Most texts are short, and for those a loop is faster than a call. */
function copyBytes(source: Uint8Array, from: number, target: Uint8Array, to: number, length: number): void {
  if (length > 64) target.set(source.subarray(from, from + length), to);
  else for (let i = 0; i < length; i += 1) target[to + i] = source[from + i] ?? 0;
}

function sumUp(lengths: readonly (number | null)[]): Int32Array {
  const sums = new Int32Array(lengths.length + 1);
  for (let row = 0; row < lengths.length; row += 1) sums[row + 1] = (sums[row] ?? 0) + (lengths[row] ?? 0);
  return sums;
}

function validityOf(values: readonly StoredValue[]) {
  let nullCount = 0;
  for (const value of values) if (value === null) nullCount += 1;
  const nullBitmap = nullCount === 0 ? null : packBits(values, (value) => value !== null);
  return { length: values.length, nullCount, nullBitmap };
}

function packBits(values: readonly StoredValue[], isSet: (value: StoredValue) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (let row = 0; row < values.length; row += 1) {
    if (isSet(values[row] ?? null)) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  }
  return bits;
}

function packIntegers(values: readonly StoredValue[]): BigInt64Array {
  const packed = new BigInt64Array(values.length);
  for (let row = 0; row < values.length; row += 1) packed[row] = (values[row] ?? 0n) as bigint;
  return packed;
}

function packDays(values: readonly StoredValue[]): Int32Array {
  const packed = new Int32Array(values.length);
  for (let row = 0; row < values.length; row += 1) packed[row] = (values[row] ?? 0) as number;
  return packed;
}

/** The low and the high half of each; an array of 64-bit integers keeps the bits that fit it. */
function packDecimals(values: readonly StoredValue[]): ArrayBuffer {
  const packed = new BigInt64Array(values.length * 2);
  for (let row = 0; row < values.length; row += 1) {
    const value = (values[row] ?? 0n) as bigint;
    packed[2 * row] = value;
    packed[2 * row + 1] = value >> 64n;
  }
  return packed.buffer;
}
