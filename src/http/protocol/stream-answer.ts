import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Limits } from './limits.ts';

export type Piece = string | Uint8Array;

/** The body of an answer with its first piece computed. */
export interface AnswerBody {
  readonly pieces: AsyncIterator<Piece>;
  readonly first: IteratorResult<Piece>;
}

/**
 * Answers 200 with the reply's headers and the pieces of an answer.
 * Later failures can't be reported any more, so they break off the answer.
 */
export async function streamAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerBody,
  limits: Limits,
): Promise<FastifyReply> {
  const { raw } = reply.hijack();
  try {
    raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    if (request.method === 'HEAD') raw.end();
    else await sendAnswer(raw, answer, limits);
  } catch (error) {
    // A client that disconnects also ends up here.
    if (!raw.destroyed) request.log.error({ request: request.id, err: error }, 'the answer broke off');
    raw.destroy();
  }
  return reply;
}

/** Sends an answer at its client's pace; stops if the client disconnects or stalls. */
export async function sendAnswer(
  response: ServerResponse,
  { pieces, first }: AnswerBody,
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

/** Waits until the client has read the data sent; false when it disconnects or takes too long. */
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
