import {
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBResult,
  ResultReturnType,
} from '@duckdb/node-api';
import { AppError } from '../error.ts';
import type { Taken } from './connections.ts';
import { takeTurns } from './turns.ts';
import { readValue, type Value } from './value.ts';

/** The columns of a result and its rows, in chunks, as they are computed. Leaving the chunks early frees what they hold. */
export interface Stream<Chunk = Value[][]> {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly chunks: AsyncIterable<Chunk>;
}

/** The chunk as rows. */
export function readRows(chunk: DuckDBDataChunk): Value[][] {
  return chunk.convertRows(readValue) as Value[][];
}

/** The rows of a result that is there already, as objects. To fetch its chunks would wait for a thread, once for each and once for its end. */
export function readObjects<Row>(result: DuckDBMaterializedResult): Row[] {
  const names = result.deduplicatedColumnNames();
  return Array.from({ length: result.chunkCount }, (_, index) => result.getChunk(index)).flatMap((chunk) =>
    readRows(chunk).map((values) => Object.fromEntries(names.map((name, i) => [name, values[i]])) as Row),
  );
}

/** A stream that can be ended from outside, whether or not somebody reads it. */
interface OpenStream<Chunk> extends Stream<Chunk> {
  /** Ends it and gives back its connection. Who reads on is told the reason. */
  end(reason: unknown): Promise<void>;
}

/**
 * Reads the result of a statement, and gives the statement back when it has been read.
 *
 * The driver lets go of a result that isn't read to its end only when its garbage is collected, and until then the result holds the database's
 * file: so every stream is read to its end, which comes soon when it is interrupted.
 */
export function openStream<Chunk>(
  taken: Taken,
  result: DuckDBResult,
  read: (chunk: DuckDBDataChunk) => Chunk,
  onEnd: () => void,
): OpenStream<Chunk> {
  const inTurn = takeTurns();
  let isEnded = false;
  let reason: unknown;
  let rows = 0;
  const isWhole = () => reason === undefined && result.returnType !== ResultReturnType.INVALID;
  const fetch = async () => {
    if (isEnded) return undefined;
    const chunk = await result.fetchChunk();
    rows += chunk?.rowCount ?? 0;
    if (chunk?.rowCount) return chunk;
    isEnded = true;
    onEnd();
    taken.giveBack(isWhole() ? rows : undefined);
    return undefined;
  };
  const readNext = async (): Promise<IteratorResult<Chunk>> => {
    if (reason !== undefined) throw reason;
    const chunk = await fetch();
    if (chunk) return { done: false, value: read(chunk) };
    if (reason !== undefined) throw reason;
    if (!isWhole()) throw brokenOff();
    return { done: true, value: undefined };
  };
  const end = (why?: unknown) => {
    reason ??= why;
    if (!isEnded) taken.interrupt();
    return inTurn(async () => {
      while (await fetch());
    });
  };
  const iterator: AsyncIterator<Chunk> = {
    next: () => inTurn(readNext),
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

/** The driver ends a result that failed like one that is whole, but for its type; it doesn't say what went wrong. */
function brokenOff(): AppError {
  return new AppError('limit', 'The rows broke off before their end, so what was read is not whole', {
    hint: 'Most often memory or the disk for temporary files ran out: give more with --memory-limit, or ask for less.',
  });
}
