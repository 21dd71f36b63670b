import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../error.ts';
import type { Sandbox, SqlQuery, SqlResult } from '../../sandbox/sandbox.ts';
import { MAX_WAITING, MAX_WAITING_EACH, PROCESSES } from '../../sandbox/sandbox-limits.ts';
import { readerKeyOf } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import { type FairSemaphore, makeFairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';

/** A sandbox with a semaphore for its processes. */
export interface SharedSandbox {
  readonly sandbox: Sandbox;
  readonly semaphore: FairSemaphore;
}

export function shareSandbox(sandbox: Sandbox, { activeReaderMs: activeMs, retryAfterSeconds }: Limits): SharedSandbox {
  const semaphore = makeFairSemaphore({
    permits: PROCESSES,
    permitsEach: 1,
    queueLength: MAX_WAITING,
    queueLengthEach: MAX_WAITING_EACH,
    activeMs,
    retryAfterSeconds,
  });
  return { sandbox, semaphore };
}

/**
 * Runs a statement for a request, in the sandbox of the file that its reader may see.
 * @returns undefined if the client disconnected.
 * @throws AppError as the sandbox, and an error of status 503 when too many statements wait or are answered.
 */
export type StatementRunner = (
  request: FastifyRequest,
  reply: FastifyReply,
  query: Omit<SqlQuery, 'signal'>,
) => Promise<SqlResult | undefined>;

/** Answers computed or sent at once; each is in memory until its client has read it. Unit: answers. */
const MAX_OPEN_ANSWERS = 24;

/** Answers computed or sent at once for one reader. Unit: answers. */
const MAX_OPEN_ANSWERS_EACH = 18;

/** The delay that Retry-After gives a refused client. Unit: s. */
const RETRY_AFTER_SECONDS = 2;

/** Makes a runner, whose limits hold for all routes that share it. */
export function makeStatementRunner(sandboxOf: (request: FastifyRequest) => SharedSandbox): StatementRunner {
  const answers = new Map<string, number>();
  let openAnswers = 0;
  return async (request, reply, query) => {
    const reader = readerKeyOf(request);
    const own = answers.get(reader) ?? 0;
    if (openAnswers >= MAX_OPEN_ANSWERS) throw busyError(`${openAnswers} statements are being answered`);
    if (own >= MAX_OPEN_ANSWERS_EACH) throw busyError(`${own} statements of the same reader are being answered`);
    openAnswers += 1;
    answers.set(reader, own + 1);
    const gone = new AbortController();
    reply.raw.once('close', () => {
      openAnswers -= 1;
      const left = (answers.get(reader) ?? 1) - 1;
      if (left > 0) answers.set(reader, left);
      else answers.delete(reader);
      // Fastify's own signal may abort when the body is read, or not when the client disconnects.
      gone.abort(new Error('The client closed the connection'));
    });
    const { sandbox, semaphore } = sandboxOf(request);
    const turn = async () => {
      const release = await semaphore.acquire(reader, gone.signal);
      return sandbox.query({ ...query, signal: gone.signal }).finally(release);
    };
    return turn().catch((error: unknown) => {
      if (gone.signal.aborted) return undefined;
      throw error instanceof AppError && error.code === 'busy' ? busyError(error.message) : error;
    });
  };
}

/** Makes an error of status 503, because a full sandbox is free again in a moment. */
function busyError(message: string): Error {
  return httpError(503, `${message}. Try again in a moment`, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
