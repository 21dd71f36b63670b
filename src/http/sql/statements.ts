import type { FastifyRequest } from 'fastify';
import { AppError } from '../../error.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { MAX_WAITING, MAX_WAITING_EACH, PROCESSES } from '../../sandbox/sandbox-limits.ts';
import { answerInTurn } from '../protocol/answer-in-turn.ts';
import { httpError } from '../protocol/errors.ts';
import { type FairSemaphore, makeFairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';
import type { StatementFiles, StatementRunner } from '../protocol/server-parts.ts';

export interface SharedSandbox {
  readonly sandbox: Sandbox;
  readonly semaphore: FairSemaphore;
}

/** Where a statement runs, and the semaphore whose permit it needs. */
interface StatementPlace extends Pick<Sandbox, 'query'> {
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

/** Answers computed or sent at once; each is in memory until its client has read it. Unit: answers. */
const MAX_OPEN_ANSWERS = 24;

/** Answers computed or sent at once for one reader. Unit: answers. */
const MAX_OPEN_ANSWERS_EACH = 18;

/** The delay that Retry-After gives a refused client. Unit: s. */
const RETRY_AFTER_SECONDS = 2;

/** Makes a runner, whose limits hold for all routes that share it. */
export function makeStatementRunner(
  placeOf: (request: FastifyRequest, files: StatementFiles | undefined) => StatementPlace,
): StatementRunner {
  const takeAnswer = limitAnswers();
  return (request, reply, query, files) =>
    answerInTurn(request, reply, undefined, async (turn) => {
      // Fastify's own events may come when the body is read, or not when the client disconnects.
      reply.raw.once('close', takeAnswer(turn.reader));
      const place = placeOf(request, files);
      await turn.take(place.semaphore);
      return place.query({ ...query, signal: turn.signal });
    }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'busy' ? busyError(error.message) : error;
    });
}

/** Returns a function that counts an answer of a reader until it is given back. @throws an error of status 503. */
function limitAnswers(): (reader: string) => () => void {
  const answers = new Map<string, number>();
  let open = 0;
  return (reader) => {
    const own = answers.get(reader) ?? 0;
    if (open >= MAX_OPEN_ANSWERS) throw busyError(`${open} statements are being answered`);
    if (own >= MAX_OPEN_ANSWERS_EACH) throw busyError(`${own} statements of the same reader are being answered`);
    open += 1;
    answers.set(reader, own + 1);
    return () => {
      open -= 1;
      const left = (answers.get(reader) ?? 1) - 1;
      if (left > 0) answers.set(reader, left);
      else answers.delete(reader);
    };
  };
}

/** Makes an error of status 503, because a full sandbox is free again in a moment. */
function busyError(message: string): Error {
  return httpError(503, `${message}. Try again in a moment`, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
