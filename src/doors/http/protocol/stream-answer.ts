import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openSpool, type Piece, readBytes, SPOOL_PIECE_BYTES } from '../../../numbers/write/index.ts';
import type { Turn } from '../../../store/ask/index.ts';
import { type Coding, chooseCoding, compress } from './content-coding.ts';
import type { Limits } from './limits.ts';

/** The body of an answer with its first piece computed. */
export interface AnswerBody {
  readonly pieces: AsyncIterator<Piece>;
  readonly first: IteratorResult<Piece>;
}

/** Begins an answer that is made as its client reads it; failures that come early show before the first byte. */
export async function beginAnswer({ atEnd }: Pick<Turn, 'atEnd'>, pieces: AsyncIterator<Piece>): Promise<AnswerBody> {
  atEnd(() => pieces.return?.());
  const value = await readBytes(pieces, SPOOL_PIECE_BYTES);
  return { first: value.length === 0 ? { done: true, value: undefined } : { value }, pieces };
}

/**
 * Begins an answer, and writes it as fast as it can be made: a slow client holds no rows.
 * @param onWritten Called when all of it is written.
 */
export async function writeAhead(
  turn: Pick<Turn, 'atEnd'>,
  made: AsyncIterator<Piece>,
  onWritten: () => void = () => undefined,
): Promise<AnswerBody> {
  const { first, pieces } = await beginAnswer(turn, made);
  const isWhole = first.done || first.value.length < SPOOL_PIECE_BYTES;
  if (isWhole) onWritten();
  if (isWhole) return { first, pieces };
  const spool = await openSpool(pieces, onWritten);
  turn.atEnd(spool.end);
  return { first, pieces: spool.pieces };
}

/**
 * Answers 200 with the reply's headers and the pieces of an answer, compressed if the client accepts it.
 * Later failures can't be reported any more, so they break off the answer.
 */
export async function streamAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AnswerBody,
  limits: Limits,
): Promise<FastifyReply> {
  const { raw } = reply.hijack();
  const coding = chooseCoding(request.headers['accept-encoding'], String(reply.getHeader('content-type')));
  try {
    const headers = reply.getHeaders() as Record<string, string>;
    raw.writeHead(200, coding === 'identity' ? headers : { ...headers, 'content-encoding': coding });
    if (request.method === 'HEAD') raw.end();
    else if (coding === 'identity') await sendAnswer(raw, answer, limits);
    else await sendCompressed(raw, answer, coding, limits);
  } catch (error) {
    // A client that disconnects also ends up here.
    if (!raw.destroyed) request.log.error({ request: request.id, err: error }, 'the answer broke off');
    raw.destroy();
  }
  return reply;
}

async function sendCompressed(
  response: ServerResponse,
  answer: AnswerBody,
  coding: Exclude<Coding, 'identity'>,
  limits: Limits,
): Promise<void> {
  const pieces = compress(allPieces(answer), coding);
  try {
    await sendAnswer(response, { pieces, first: await pieces.next() }, limits);
  } finally {
    // Frees the encoder of an answer that was broken off.
    await pieces.return?.();
  }
}

async function* allPieces({ pieces, first }: AnswerBody): AsyncGenerator<Piece> {
  for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value;
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
