import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';

/*
 * All answers are made in turns: work on rows that has held the event loop for MAX_HOLD_MS lets other requests go on
 * before it continues. Rows reach writers in small pieces, each of which is written in one turn.
 */

/** The longest that work on the rows of an answer holds the event loop. Unit: ms. */
const MAX_HOLD_MS = 10;

/** The rows that are written in one turn. Unit: rows. */
export const ROWS_AT_ONCE = 25;

/** The rows in memory that reach a writer in one piece. Unit: rows. */
const KEPT_ROWS_AT_ONCE = 1000;

/** The items that are sorted in one turn. Unit: items. */
const SORTED_AT_ONCE = 500;

const ending = new AsyncLocalStorage<AbortSignal>();

/** Does work whose turns, however deep within it, end at a signal. @throws The reason of the signal. */
export function workUntil<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const outer = ending.getStore();
  return ending.run(outer ? AbortSignal.any([outer, signal]) : signal, work);
}

/**
 * Returns a function to be called after each item, which returns a promise to be awaited when the turn is over.
 * It is rejected once the work has to end.
 */
export function makePace(): () => Promise<void> | undefined {
  const signal = ending.getStore();
  let beganAtMs = performance.now();
  return () => {
    if (performance.now() - beganAtMs < MAX_HOLD_MS) return undefined;
    return setImmediate().then(() => {
      signal?.throwIfAborted();
      beganAtMs = performance.now();
    });
  };
}

/** Maps items in turns. */
export async function mapInTurns<Item, Result>(items: Iterable<Item>, map: (item: Item) => Result): Promise<Result[]> {
  const pace = makePace();
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item));
    const isOver = pace();
    if (isOver) await isOver;
  }
  return results;
}

export async function filterInTurns<Item>(items: readonly Item[], test: (item: Item) => boolean): Promise<Item[]> {
  const holds = await mapInTurns(items, test);
  return items.filter((_, index) => holds[index]);
}

/** Sorts items in turns; equal ones keep their order. */
export async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<Item[]> {
  const starts = Array.from({ length: Math.ceil(items.length / SORTED_AT_ONCE) }, (_, index) => index * SORTED_AT_ONCE);
  let runs = await mapInTurns(starts, (start) => items.slice(start, start + SORTED_AT_ONCE).sort(compare));
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let place = 0; place < runs.length; place += 2)
      merged.push(await mapInTurns(merge(runs[place] ?? [], runs[place + 1] ?? [], compare), (item) => item));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Item>(
  ones: readonly Item[],
  others: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Iterable<Item> {
  let next = 0;
  for (const one of ones) {
    for (let other = others[next]; other !== undefined && compare(other, one) < 0; other = others[next]) {
      yield other;
      next += 1;
    }
    yield one;
  }
  yield* others.slice(next);
}

/** Yields rows in small pieces, and gives way to others between them. */
export async function* inTurns<Row>(chunks: AsyncIterable<readonly Row[]>): AsyncIterable<readonly Row[]> {
  const pace = makePace();
  for await (const rows of chunks) {
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      yield rows.slice(start, start + ROWS_AT_ONCE);
      const isOver = pace();
      if (isOver) await isOver;
    }
  }
}

/** Makes the rows of items as they are read, in small pieces. */
export async function* rowsOf<Item, Row>(items: readonly Item[], rowOf: (item: Item) => Row): AsyncIterable<Row[]> {
  for await (const piece of inPieces(items, ROWS_AT_ONCE)) yield piece.map(rowOf);
}

/**
 * Yields rows that are in memory, in pieces: the thread that writes a workbook formats each as one text, which takes
 * 4 KB a row, and takes the widths of columns from the first.
 * @param size The most rows of a piece.
 */
export async function* inPieces<Row>(rows: readonly Row[], size: number = KEPT_ROWS_AT_ONCE): AsyncIterable<Row[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/** Puts the pieces of rows together, for a reader to whom each costs as much as many rows. */
export async function* gather<Row>(pieces: AsyncIterable<readonly Row[]>, leastRows: number): AsyncIterable<Row[]> {
  let rows: Row[] = [];
  for await (const piece of pieces) {
    rows.push(...piece);
    if (rows.length < leastRows) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
