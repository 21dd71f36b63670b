import { setImmediate } from 'node:timers/promises';
import {
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBResult,
  ResultReturnType,
} from '@duckdb/node-api';
import { AppError } from '../error.ts';
import type { StatementLease } from './connections.ts';
import { readValue, readZonedValue, type Value } from './driver-value.ts';
import { createSerialQueue } from './serial-queue.ts';

/**
 * The columns of a result and its rows, in chunks as they are computed.
 * Leaving the loop over the chunks early frees their resources.
 */
export interface Stream<Chunk = Value[][]> {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly chunks: AsyncIterable<Chunk>;
}

/**
 * The most rows converted in one turn of the event loop. A whole chunk of the engine (2,048 rows) with 25 columns
 * blocks it for some 20 ms, and as long again if the rows go to another thread.
 */
const ROWS_AT_ONCE = 256;

/** Reads a chunk as rows, in pieces. The driver's own rows look up the vector of each value twice. */
export function* readRows(chunk: DuckDBDataChunk, read = readValue): Generator<Value[][]> {
  const columns = Array.from({ length: chunk.columnCount }, (_, column) => chunk.getColumnVector(column));
  for (let start = 0; start < chunk.rowCount; start += ROWS_AT_ONCE) {
    const length = Math.min(ROWS_AT_ONCE, chunk.rowCount - start);
    yield Array.from({ length }, (_, row) => columns.map((column) => read(column.getItem(start + row), column.type)));
  }
}

export function readZonedRows(chunk: DuckDBDataChunk): Generator<Value[][]> {
  return readRows(chunk, readZonedValue);
}

/**
 * Returns the rows of a materialized result as objects.
 * Fetching chunks instead would wait for a thread once for each chunk and once for the end.
 */
export function readObjects<Row>(result: DuckDBMaterializedResult): Row[] {
  const names = result.deduplicatedColumnNames();
  return Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index)).flatMap((chunk) =>
    chunk.convertRows(readValue).map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]])) as Row),
  );
}

interface OpenStream<Chunk> extends Stream<Chunk> {
  /** Ends the stream and releases its connection; a pending read fails with the reason. */
  end(reason: unknown): Promise<void>;
}

/**
 * Opens a stream over the result of a statement, and releases the statement at its end.
 * Every stream is read to its end, which comes soon after an interrupt: the driver frees an unread result,
 * and with it the database file, only when it is garbage-collected.
 * @param read Reads a chunk in pieces; the event loop turns between two of them.
 */
export function openStream<Chunk>(
  lease: StatementLease,
  result: DuckDBResult,
  read: (chunk: DuckDBDataChunk) => Iterable<Chunk>,
  onEnd: () => void,
): OpenStream<Chunk> {
  const enqueue = createSerialQueue();
  let isEnded = false;
  let reason: unknown;
  let rows = 0;
  let pieces: Iterator<Chunk> | undefined;
  const isWhole = () => reason === undefined && result.returnType !== ResultReturnType.INVALID;
  const fetch = async () => {
    if (isEnded) return undefined;
    const chunk = await result.fetchChunk();
    rows += chunk?.rowCount ?? 0;
    if (chunk?.rowCount) return chunk;
    isEnded = true;
    onEnd();
    lease.release(isWhole() ? rows : undefined);
    return undefined;
  };
  const readNext = async (): Promise<IteratorResult<Chunk>> => {
    if (pieces) await setImmediate();
    for (;;) {
      if (reason !== undefined) throw reason;
      const piece = pieces?.next();
      if (piece && !piece.done) return piece;
      const chunk = await fetch();
      pieces = chunk && read(chunk)[Symbol.iterator]();
      if (pieces) continue;
      if (reason !== undefined) throw reason;
      if (!isWhole()) throw brokenOff();
      return { done: true, value: undefined };
    }
  };
  const end = (why?: unknown) => {
    reason ??= why;
    if (!isEnded) lease.interrupt();
    return enqueue(async () => {
      while (await fetch());
    });
  };
  const iterator: AsyncIterator<Chunk> = {
    next: () => enqueue(readNext),
    async return() {
      await end();
      return { done: true, value: undefined };
    },
  };
  return {
    names: result.columnNames(),
    types: result.columnTypes().map(String),
    chunks: { [Symbol.asyncIterator]: () => iterator },
    end,
  };
}

/** Returns the error of an incomplete result: the driver reports no reason, only another result type. */
function brokenOff(): AppError {
  return new AppError('limit', 'The rows ended early, so the result is incomplete', {
    hint: 'The usual cause is too little memory or temporary disk space: raise --memory-limit, or read less.',
  });
}
