import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Table } from '../report/table.ts';
import type { Limits } from './limits.ts';

type Rows = readonly (Table['rows'] extends AsyncIterable<readonly (infer Row)[]> ? Row : never)[];

/** A table whose reading has begun, so that what can go wrong has gone wrong. */
export interface BegunTable {
  readonly table: Table;
  /** Must be called: ends the reading, wherever it is. */
  close(): Promise<void>;
}

/** Begins to read a table's rows, which come in small pieces from then on: between them others get their turn. */
export async function beginTable(table: Table, { rowsAtOnce }: Limits): Promise<BegunTable> {
  const source = table.rows[Symbol.asyncIterator]();
  const first = await source.next();
  return {
    table: { ...table, rows: inPieces(source, first, rowsAtOnce) },
    async close() {
      await source.return?.();
    },
  };
}

async function* inPieces(
  source: AsyncIterator<Rows>,
  first: IteratorResult<Rows>,
  rowsAtOnce: number,
): AsyncIterable<Rows> {
  for (let chunk = first; !chunk.done; chunk = await source.next()) {
    for (let start = 0; start < chunk.value.length; start += rowsAtOnce) {
      yield chunk.value.slice(start, start + rowsAtOnce);
      await setImmediate();
    }
  }
}

/** Sends pieces to a client as fast as it reads them. One that has gone, or reads nothing for too long, ends the sending. */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterator<string | Uint8Array>,
  first: IteratorResult<string | Uint8Array>,
  { stallTimeoutMs }: Limits,
): Promise<void> {
  for (let piece = first; !piece.done; piece = await pieces.next()) {
    if (response.destroyed) return;
    if (!response.write(piece.value) && !(await isDrained(response, stallTimeoutMs))) {
      response.destroy();
      return;
    }
  }
  response.end();
}

/** Waits until the client has read what it was sent; false when it has gone or takes too long. */
function isDrained(response: ServerResponse, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      response.off('drain', drained).off('close', closed);
      resolve(isDone);
    };
    const drained = () => end(true);
    const closed = () => end(false);
    const timer = setTimeout(closed, timeoutMs);
    response.on('drain', drained).on('close', closed);
  });
}
