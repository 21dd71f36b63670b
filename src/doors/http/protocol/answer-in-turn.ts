import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Turn, takeTurn } from '../../../store/ask/index.ts';
import { hasRates, readerKeyOf, seenPartOf } from './auth.ts';
import { httpError } from './errors.ts';

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
    const taker = { reader: readerKeyOf(request), seesRates: hasRates(request), part: seenPartOf(request), signal };
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
