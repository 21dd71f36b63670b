import { type DuckDBDataChunk, DuckDBDecimalType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { AppError } from '../error.ts';

/** A column of a chunk in the engine's layout: reading it value by value is several times slower. */
export interface StoredColumn {
  readonly rowCount: number;
  /**
   * The values back to back, each of the same size, low byte first. Null slots are undefined.
   * Decimals are integers without their point (12.5000 is 125000), dates are days since 1970-01-01,
   * booleans are 0 or 1.
   */
  readonly values: ArrayBuffer;
  /** One bit per row, low bit first, set for values that are not null; undefined if no value is null. */
  readonly validity: Uint8Array | undefined;
}

/** A chunk of a result by columns. Must be read before the next chunk. */
export interface StoredChunk {
  readonly rowCount: number;
  /** @throws AppError internal for a column whose values vary in size. */
  column(index: number): StoredColumn;
  /** The UTF-8 of a column of texts without nulls, back to back. */
  texts(index: number): Uint8Array;
}

/** Sizes of the engine's values. Unit: bytes. */
const SIZES: Readonly<Partial<Record<DuckDBTypeId, number>>> = {
  [DuckDBTypeId.BOOLEAN]: 1,
  [DuckDBTypeId.INTEGER]: 4,
  [DuckDBTypeId.DATE]: 4,
  [DuckDBTypeId.BIGINT]: 8,
};

/** The engine stores a text of at most `short` bytes in place. Unit: bytes. */
const TEXT = { size: 16, short: 12 };

/** The engine stores validity in words. Unit: rows per word, and bytes per word. */
const WORD = { rows: 64, bytes: 8 };

export function readStored(chunk: DuckDBDataChunk): StoredChunk {
  const { rowCount } = chunk;
  return {
    rowCount,
    column(index) {
      const vector = duckdb.data_chunk_get_vector(chunk.chunk, index);
      const size = sizeOf(chunk.getColumnVector(index).type);
      const words = Math.ceil(rowCount / WORD.rows);
      const validity: Uint8Array | null = duckdb.vector_get_validity(vector, words * WORD.bytes);
      return {
        rowCount,
        values: new Uint8Array(duckdb.vector_get_data(vector, rowCount * size)).buffer,
        validity: validity ? new Uint8Array(validity.subarray(0, Math.ceil(rowCount / 8))) : undefined,
      };
    },
    texts: (index) =>
      readTexts(duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, index), rowCount * TEXT.size)),
  };
}

/**
 * Reads texts back to back. Those that lie so in memory, as computed ones do, are read at once: a call for each takes a quarter
 * of the time of writing Arrow.
 * @param stored By text, its length, then its bytes if it is short, else some of them and the address of all.
 */
function readTexts(stored: Uint8Array): Uint8Array {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  const lengthAt = (place: number) => view.getUint32(place, true);
  const addressAt = (place: number) => view.getUint32(place + 8, true) + view.getUint32(place + 12, true) * 2 ** 32;
  const pieces: Uint8Array[] = [];
  for (let place = 0; place < stored.length; ) {
    const start = place;
    let length = lengthAt(place);
    place += TEXT.size;
    if (length <= TEXT.short) {
      pieces.push(stored.subarray(start + 4, start + 4 + length));
      continue;
    }
    const isNext = () => lengthAt(place) > TEXT.short && addressAt(place) === addressAt(start) + length;
    for (; place < stored.length && isNext(); place += TEXT.size) length += lengthAt(place);
    pieces.push(duckdb.get_data_from_pointer(stored.buffer as ArrayBuffer, stored.byteOffset + start + 8, length));
  }
  return Buffer.concat(pieces);
}

function sizeOf(type: DuckDBType): number {
  const size = type instanceof DuckDBDecimalType ? decimalSize(type.width) : SIZES[type.typeId];
  if (size !== undefined) return size;
  throw new AppError('internal', `Values of type ${type} are not all of one size`);
}

function decimalSize(digits: number): number {
  if (digits <= 4) return 2;
  if (digits <= 9) return 4;
  return digits <= 18 ? 8 : 16;
}
