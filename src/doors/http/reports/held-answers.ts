import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { httpError } from '../protocol/errors.ts';
import type { Limits } from '../protocol/limits.ts';
import type { AnswerBody } from '../protocol/stream-answer.ts';
import type { AnswerQuery } from './answer-query.ts';

/*
 * Readers of Parquet fetch the end of a file and then the columns that they need, each by a request of its own. All are
 * parts of one body, which is held in memory: a report isn't computed anew for each.
 */

export interface HeldAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Held answers by ETag, and so by data, query and right to rates. */
export type HeldAnswers = LRUCache<string, HeldAnswer>;

export function makeHeldAnswers({ heldAnswersBytes }: Limits): HeldAnswers {
  return new LRUCache({ maxSize: heldAnswersBytes, sizeCalculation: ({ bytes }) => bytes.length });
}

/** Returns whether an answer must be held: its size is asked for, or a part of it. */
export function needsHolding({ method, headers }: FastifyRequest, { format }: AnswerQuery): boolean {
  return format.hasRanges && (method === 'HEAD' || headers.range !== undefined);
}

/** Answers with a held answer, or with the part that the request asks for. */
export function sendHeld(request: FastifyRequest, reply: FastifyReply, { headers, bytes }: HeldAnswer): FastifyReply {
  const { range: asked, 'if-range': held = headers['etag'] } = request.headers;
  const range = request.method === 'GET' && held === headers['etag'] ? readRange(asked, bytes.length) : undefined;
  reply.headers(headers);
  if (!range) return reply.header('content-length', bytes.length).send(bytes);
  const part = bytes.subarray(range.first, range.last + 1);
  const place = `bytes ${range.first}-${range.last}/${bytes.length}`;
  return reply.code(206).headers({ 'content-range': place, 'content-length': part.length }).send(part);
}

/** Consecutive bytes of a body, the last one included. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the bytes that a Range header asks for. Undefined means all: several ranges, and units other than bytes, are passed
 * over, as RFC 9110 (14.2) allows.
 * @param size The size of the whole body. Unit: bytes.
 * @throws an error of status 416 for a range that begins after the body.
 */
function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  const isBackwards = from !== '' && to !== '' && Number(to) < Number(from);
  if (isBackwards || (from === '' && to === '')) return undefined;
  const end = size - 1;
  const range =
    from === ''
      ? { first: Math.max(0, size - Number(to)), last: end }
      : { first: Number(from), last: to === '' ? end : Math.min(end, Number(to)) };
  if (range.first <= range.last) return range;
  throw httpError(416, `The answer has ${size} bytes, none of them in ${header}`, {
    'content-range': `bytes */${size}`,
  });
}

/** Reads a body whole; returns it in pieces, those that were read as the first, if it has more than `maxBytes`. */
export async function readWhole({ first, pieces }: AnswerBody, maxBytes: number): Promise<Buffer | AnswerBody> {
  const read: Buffer[] = [];
  let size = 0;
  for (let piece = first; !piece.done; piece = await pieces.next()) {
    const bytes = Buffer.from(piece.value as Uint8Array);
    read.push(bytes);
    size += bytes.length;
    if (size > maxBytes) return { first: { value: Buffer.concat(read) }, pieces };
  }
  return Buffer.concat(read);
}
