import { Bool, type Data, type DataType, DateDay, Decimal, Int64, makeData, Utf8 } from 'apache-arrow';
import type { StoredColumn } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';

/** Arrow stores every decimal in 128 bits, as four words of 32. */
const DECIMAL_BITS = 128;
const DECIMAL_WORDS = 4;

export function arrowType(type: string): DataType {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  if (scale !== undefined) return new Decimal(Number(scale), Number(precision), DECIMAL_BITS);
  if (type === 'BIGINT') return new Int64();
  if (type === 'DATE') return new DateDay();
  if (type === 'BOOLEAN') return new Bool();
  if (type === 'VARCHAR') return new Utf8();
  throw new AppError('internal', `Arrow has no type for ${type}`);
}

/**
 * Makes a column of any type but text. Arrow shares the engine's validity and, in columns without nulls, its integers and dates.
 * The slots of nulls are zero: the engine leaves values of other queries in them.
 */
export function makeColumn(type: string, column: StoredColumn): Data {
  const arrow = arrowType(type);
  const known = validityOf(column);
  const values = known.nullCount === 0 ? column.values : clearNulls(column);
  if (arrow instanceof Decimal) {
    return makeData({ type: arrow, ...known, data: widenDecimals(values, column.rowCount) });
  }
  if (arrow instanceof Int64) return makeData({ type: arrow, ...known, data: new BigInt64Array(values) });
  if (arrow instanceof DateDay) return makeData({ type: arrow, ...known, data: new Int32Array(values) });
  if (arrow instanceof Bool) return makeData({ type: arrow, ...known, data: packBits(new Uint8Array(values)) });
  throw new AppError('internal', `Values of ${type} have no fixed size`);
}

/**
 * Makes the text columns from UTF-8 that concatenates the texts of each row, row after row.
 * @param lengths The length of each text by column, as 32-bit integers; null for no text. Unit: bytes.
 */
export function makeTextColumns(texts: Uint8Array, lengths: readonly StoredColumn[]): Data[] {
  const columns = lengths.map((column) => {
    const offsets = sumUp(column);
    return { offsets, bytes: new Uint8Array(offsets.at(-1) ?? 0), known: validityOf(column) };
  });
  const rowCount = lengths[0]?.rowCount ?? 0;
  for (let row = 0, from = 0; row < rowCount; row += 1) {
    for (const { offsets, bytes } of columns) {
      const to = offsets[row] as number;
      const length = (offsets[row + 1] as number) - to;
      if (length > 0) copyBytes(texts, from, bytes, to, length);
      from += length;
    }
  }
  return columns.map(({ offsets, bytes, known }) =>
    makeData({ type: new Utf8(), ...known, valueOffsets: offsets, data: bytes }),
  );
}

/** Most texts are short, and a loop copies those faster than a call. */
function copyBytes(source: Uint8Array, from: number, target: Uint8Array, to: number, length: number): void {
  if (length > 64) target.set(source.subarray(from, from + length), to);
  else for (let i = 0; i < length; i += 1) target[to + i] = source[from + i] as number;
}

function sumUp({ rowCount, values, validity }: StoredColumn): Int32Array {
  const lengths = new Int32Array(values);
  const sums = new Int32Array(rowCount + 1);
  for (let row = 0; row < rowCount; row += 1) {
    const length = isKnown(validity, row) ? (lengths[row] as number) : 0;
    sums[row + 1] = (sums[row] as number) + length;
  }
  return sums;
}

function isKnown(validity: Uint8Array | undefined, row: number): boolean {
  return validity === undefined || (((validity[row >> 3] as number) >> (row & 7)) & 1) === 1;
}

function validityOf({ rowCount, validity }: StoredColumn) {
  let nullCount = 0;
  if (validity) for (let row = 0; row < rowCount; row += 1) if (!isKnown(validity, row)) nullCount += 1;
  return { length: rowCount, nullCount, nullBitmap: nullCount === 0 ? null : validity };
}

/** Returns the values with zeros in the slots of nulls. */
function clearNulls({ rowCount, values, validity }: StoredColumn): ArrayBuffer {
  const bytes = new Uint8Array(values.slice(0));
  const width = bytes.length / rowCount;
  for (let row = 0; row < rowCount; row += 1) {
    if (!isKnown(validity, row)) bytes.fill(0, row * width, (row + 1) * width);
  }
  return bytes.buffer;
}

function packBits(values: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (let row = 0; row < values.length; row += 1) {
    bits[row >> 3] = (bits[row >> 3] as number) | ((values[row] as number) << (row & 7));
  }
  return bits;
}

/** Keeps the low words of each decimal and fills the high ones with its sign. */
function widenDecimals(values: ArrayBuffer, rowCount: number): Uint32Array {
  const words = values.byteLength === 2 * rowCount ? Int32Array.from(new Int16Array(values)) : new Int32Array(values);
  const count = words.length / rowCount;
  const wide = new Int32Array(DECIMAL_WORDS * rowCount);
  for (let row = 0; row < rowCount; row += 1) {
    let word = 0;
    for (let index = 0; index < DECIMAL_WORDS; index += 1) {
      word = index < count ? (words[row * count + index] as number) : word >> 31;
      wide[row * DECIMAL_WORDS + index] = word;
    }
  }
  return new Uint32Array(wide.buffer);
}
