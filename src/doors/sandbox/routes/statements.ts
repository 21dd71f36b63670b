import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../base/index.ts';
import { answerInTurn } from '../../http/protocol/answer-in-turn.ts';
import { httpError } from '../../http/protocol/errors.ts';
import { type FairSemaphore, makeFairSemaphore } from '../../http/protocol/fair-semaphore.ts';
import type { Limits } from '../../http/protocol/limits.ts';
import type { NamedStates } from '../attached-states.ts';
import type { Sandbox, SqlQuery, SqlResult } from '../sandbox.ts';
import { MAX_WAITING, MAX_WAITING_EACH, PROCESSES } from '../sandbox-limits.ts';

/** The databases of kept states that a statement reads. */
interface StatementFiles {
  /** The one in place of the published database, if any. */
  readonly main: string | undefined;
  /** Those beside it, by name. */
  readonly states: NamedStates;
}

/**
 * Runs a statement for a request, in the sandbox of the file that its reader may see.
 * @param files The databases of kept states that it reads; the published one without.
 * @returns undefined if the client disconnected.
 * @throws AppError as the sandbox, and an error of status 503 when too many statements wait or are answered.
 */
export type StatementRunner = (
  request: FastifyRequest,
  reply: FastifyReply,
  query: Omit<SqlQuery, 'signal'>,
  files?: StatementFiles,
) => Promise<SqlResult | undefined>;

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
