import {
  type DuckDBBlobVector,
  type DuckDBDataChunk,
  DuckDBDecimalType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { AppError } from '../error.ts';

/** A column of a chunk as the engine holds it: to read it value by value takes several times as long. */
export interface StoredColumn {
  readonly rowCount: number;
  /**
   * The values one after the other, all of one size, low byte first: decimals as the integer that they are without their point (12.5000 is
   * 125000), dates as days since 1970-01-01, booleans as 0 or 1. What stands in the place of an unknown one means nothing.
   */
  readonly values: ArrayBuffer;
  /** One bit a row, the lowest of a byte first, set where the value is known; undefined where all are. */
  readonly validity: Uint8Array | undefined;
}

/** A chunk of a result, column by column. To be read before the next chunk is. */
export interface StoredChunk {
  readonly rowCount: number;
  /** @throws AppError internal for a column whose values are not all of one size. */
  column(index: number): StoredColumn;
  /** The values of a BLOB, none of which is unknown. */
  pieces(index: number): Uint8Array[];
}

/** Sizes of the engine's values. Unit: bytes. */
const SIZES: Readonly<Partial<Record<DuckDBTypeId, number>>> = {
  [DuckDBTypeId.BOOLEAN]: 1,
  [DuckDBTypeId.INTEGER]: 4,
  [DuckDBTypeId.DATE]: 4,
  [DuckDBTypeId.BIGINT]: 8,
};

/** The engine keeps validity in whole words. Unit: rows of a word, and its bytes. */
const WORD = { rows: 64, bytes: 8 };

/** The chunk as the engine holds it. */
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
    pieces(index) {
      const vector = chunk.getColumnVector(index) as DuckDBBlobVector;
      return Array.from({ length: rowCount }, (_, row) => vector.getItemBytes(row) ?? new Uint8Array());
    },
  };
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
