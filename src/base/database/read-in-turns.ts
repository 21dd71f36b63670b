import type { Database } from './leased-database.ts';
import type { Stream } from './stream.ts';

/** Waits for a turn. Returns a function that ends it. */
type TakeTurn = () => Promise<() => void>;

/**
 * Reads streams and lets rows be copied in turns, since each statement that computes takes a thread of the engine's driver,
 * which has few. A stream takes a turn for its beginning and for each piece of its rows, none while they are sent.
 */
export function readInTurns(
  database: Database,
  takes: { readonly copy: TakeTurn; readonly piece: TakeTurn },
): Database {
  const streamInTurns =
    <Query extends unknown[], Chunk>(open: (...query: Query) => Promise<Stream<Chunk>>) =>
    async (...query: Query): Promise<Stream<Chunk>> => {
      const stream = await inTurn(takes.piece, () => open(...query));
      return { ...stream, chunks: readPieces(stream.chunks, takes.piece) };
    };
  return {
    ...database,
    stream: streamInTurns(database.stream),
    columns: streamInTurns(database.columns),
    read: streamInTurns(database.read),
    copy: (...copied) => inTurn(takes.copy, () => database.copy(...copied)),
  };
}

async function inTurn<T>(take: TakeTurn, work: () => Promise<T>): Promise<T> {
  const endTurn = await take();
  try {
    return await work();
  } finally {
    endTurn();
  }
}

async function* readPieces<Chunk>(chunks: AsyncIterable<Chunk>, take: TakeTurn): AsyncGenerator<Chunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  const read = () => inTurn(take, () => iterator.next());
  try {
    for (let next = await read(); !next.done; next = await read()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
