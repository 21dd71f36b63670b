import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Lease } from '../../generation/generations.ts';
import { readRange } from '../protocol/byte-range.ts';
import type { FairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';
import type { AnswerBody } from '../protocol/stream-answer.ts';
import { type Answer, type AnswerParts, beginAnswer } from './answer.ts';
import { answerHeaders } from './answer-headers.ts';
import type { AnswerQuery, ReportRequest } from './answer-query.ts';

/*
 * Readers of Parquet fetch the end of a file and then the columns that they need, each by a request of its own. All are
 * parts of one body, which is held in memory: a report isn't computed anew for each.
 */

/** An answer held whole. */
export interface HeldAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Held answers by ETag, and so by data, query and right to rates. */
export type HeldAnswers = LRUCache<string, HeldAnswer>;

export interface HeldParts extends AnswerParts {
  readonly held: HeldAnswers;
  /** Semaphore of answers being read whole. */
  readonly wholes: FairSemaphore;
}

/** Makes an empty cache. */
export function makeHeldAnswers({ heldAnswersBytes }: Limits): HeldAnswers {
  return new LRUCache({ maxSize: heldAnswersBytes, sizeCalculation: ({ bytes }) => bytes.length });
}

/** Returns whether an answer must be held: its size is asked for, or a part of it. */
export function needsHolding({ method, headers }: FastifyRequest, { format }: AnswerQuery): boolean {
  return format.hasRanges && (method === 'HEAD' || headers.range !== undefined);
}

/**
 * Computes an answer and holds it; an answer that is too large is returned as it comes.
 * @param lease Released in any case, with the answer if there is one.
 */
export async function holdAnswer(
  parts: HeldParts,
  request: ReportRequest,
  query: AnswerQuery,
  lease: Lease,
  signal: AbortSignal,
): Promise<HeldAnswer | Answer> {
  const release = await parts.wholes.acquire(request.reader, signal).catch((error: unknown) => {
    lease.release();
    throw error;
  });
  try {
    // The request before may have been for another part.
    const known = parts.held.get(query.etag);
    if (known) {
      lease.release();
      return known;
    }
    const answer = await beginAnswer(parts, request, query.format, lease, signal);
    try {
      const body = await readWhole(answer, parts.limits.heldAnswerBytes);
      if (!Buffer.isBuffer(body)) return { ...answer, ...body };
      const made = { headers: answerHeaders(answer.query, answer.meta), bytes: body };
      parts.held.set(answer.query.etag, made);
      await answer.close();
      return made;
    } catch (error) {
      await answer.close();
      throw error;
    }
  } finally {
    release();
  }
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

/** Reads a body whole; returns it in pieces, those that were read as the first, if it has more than `maxBytes`. */
async function readWhole({ first, pieces }: AnswerBody, maxBytes: number): Promise<Buffer | AnswerBody> {
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
