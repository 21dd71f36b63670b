import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readUntil } from '../../database/database.ts';
import type { Generation, Generations, Lease } from '../../generation/generations.ts';
import { workUntil } from '../../pace.ts';
import type { ReaderContext } from '../../report/run/run.ts';
import { hasRates, readerKeyOf } from './auth.ts';
import { httpError } from './errors.ts';
import type { FairSemaphore } from './fair-semaphore.ts';
import type { Limits } from './limits.ts';

/*
 * A turn is all that one answer takes of the server, in this order:
 *
 *   1. a deadline, whose signal ends the wait, the queries and the work on their rows
 *   2. a lease, which reserves a generation: answers that wait together share a snapshot
 *   3. permits, the last one for the computation
 *   4. the leased generation, to be read
 *
 * At its end everything is given back in the reverse order, also after an error or when the client has gone.
 */

/** The reader who takes a turn. */
interface TurnReader {
  /** The key of the reader whose share of the server it takes. */
  readonly reader: string;
  readonly seesRates: boolean;
  /** Ends the wait, the queries, and the work on their rows. */
  readonly signal: AbortSignal;
}

/** A reader's turn at the server. */
export interface Turn extends TurnReader {
  /** Waits for a permit. @param givesWay As that of FairSemaphore. @returns gives it back before the turn ends. */
  take(semaphore: Pick<FairSemaphore, 'acquire'>, givesWay?: boolean): Promise<() => void>;
  /** Reserves a generation, current a moment ago. */
  lease(generations: Pick<Generations, 'lease'>, generation: Generation): Lease;
  /** Calls a function at the end of the turn, before anything taken earlier is given back. */
  atEnd(release: () => unknown): void;
}

/** Takes a turn and uses it; nothing is held afterwards. */
export async function takeTurn<T>(taker: TurnReader, use: (turn: Turn) => Promise<T>): Promise<T> {
  const held: (() => unknown)[] = [];
  const turn: Turn = {
    ...taker,
    async take(semaphore, givesWay) {
      const release = await semaphore.acquire(taker.reader, taker.signal, givesWay);
      held.push(release);
      return release;
    },
    lease(generations, generation) {
      const lease = generations.lease(generation);
      held.push(lease.release);
      return lease;
    },
    atEnd: (release) => void held.push(release),
  };
  try {
    return await workUntil(taker.signal, () => use(turn));
  } finally {
    await giveBack(held);
  }
}

/** Gives back what is held, the latest first, even if some of it fails. */
export async function giveBack(held: (() => unknown)[]): Promise<void> {
  try {
    await held.pop()?.();
  } finally {
    if (held.length > 0) await giveBack(held);
  }
}

/**
 * Answers a request in a turn of its reader.
 * @param timeoutMs The longest time until the answer calls `begin`; undefined for any.
 * @returns undefined if the client disconnected.
 */
export async function answerInTurn<T>(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  timeoutMs: number | undefined,
  use: (turn: Turn, begin: () => void) => Promise<T>,
): Promise<T | undefined> {
  const { signal, begin } = openDeadline(response, timeoutMs);
  try {
    signal.throwIfAborted();
    const taker = { reader: readerKeyOf(request), seesRates: hasRates(request), signal };
    return await takeTurn(taker, (turn) => use(turn, begin));
  } catch (error) {
    if (!response.destroyed) throw error;
    return undefined;
  } finally {
    begin();
  }
}

/** Opens a deadline, whose signal is aborted when the client disconnects or the answer doesn't begin in time. */
export function openDeadline(response: ServerResponse, timeoutMs?: number): { signal: AbortSignal; begin(): void } {
  const controller = new AbortController();
  const leave = () => controller.abort(new Error('The client closed the connection'));
  const late = (ms: number) =>
    controller.abort(httpError(503, `The answer took longer than ${ms / 1000} s to begin. Ask for less at once`));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs, timeoutMs);
  if (response.destroyed) leave();
  else response.once('close', leave);
  return { signal: controller.signal, begin: () => clearTimeout(timer) };
}

/**
 * Waits for permits, and opens a leased generation for the reader of a turn.
 * @returns the context of its reports, and `finish`, which gives the last permit back: others may then be computed.
 */
export async function openContext(
  turn: Turn,
  lease: Lease,
  permits: readonly FairSemaphore[],
  { limits, now }: { readonly limits: Pick<Limits, 'maxRows'>; readonly now: () => Date },
): Promise<{ context: ReaderContext; finish: () => void }> {
  let finish = () => {};
  for (const semaphore of permits) finish = await turn.take(semaphore);
  const { signal, seesRates } = turn;
  const generation = await lease.open(signal);
  const moment = now();
  const context = {
    database: readUntil(signal, generation.database(seesRates)),
    whole: readUntil(signal, generation.database(true)),
    company: generation.company,
    now: moment,
    today: generation.today(moment),
    seesRates,
    maxRows: limits.maxRows,
  };
  return { context, finish };
}
