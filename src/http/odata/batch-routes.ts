import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BatchForm, JSON_FORM, multipartForm } from '../../odata/batch-answer.ts';
import { parseJsonBatch } from '../../odata/batch-body.ts';
import { parseMultipartBatch } from '../../odata/batch-multipart.ts';
import { assertLinked } from '../../odata/batch-request.ts';
import { wrongPart } from '../../odata/odata-error.ts';
import { chooseOffer } from '../protocol/accept.ts';
import { answerInTurn } from '../protocol/answer-in-turn.ts';
import { readBodiesAs } from '../protocol/bodies.ts';
import { httpError } from '../protocol/errors.ts';
import { type FairSemaphore, makeFairSemaphore } from '../protocol/fair-semaphore.ts';
import type { Limits } from '../protocol/limits.ts';
import { METHODS, methodError } from '../protocol/methods.ts';
import { streamAnswer } from '../protocol/stream-answer.ts';
import { runBatch } from './batch-run.ts';
import { parseContinueOnError, speaks401 } from './odata-headers.ts';
import { ROOT } from './odata-links.ts';
import { batchOperation } from './odata-operations.ts';

/** Batches answered at once; each has an answer in memory until its client has read it. Unit: batches. */
const MAX_OPEN_BATCHES = 8;

/** Batches answered at once for one reader. Unit: batches. */
const MAX_OPEN_BATCHES_EACH = 4;

/** The media type of a batch of parts. */
const MULTIPART = 'multipart/mixed';

const ALLOWED = 'POST';

/** Adds POST $batch to the routes of OData. @param authorize Checks the reader and the version. */
export function registerBatch(
  app: FastifyInstance,
  limits: Limits,
  authorize: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const semaphore = makeFairSemaphore({
    permits: MAX_OPEN_BATCHES,
    permitsEach: MAX_OPEN_BATCHES_EACH,
    queueLength: limits.waitingRequests,
    queueLengthEach: limits.waitingRequestsEach,
    activeMs: limits.activeReaderMs,
    retryAfterSeconds: limits.retryAfterSeconds,
  });
  readBodiesAs(app, MULTIPART, (text) => text);
  const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
    const { method } = request;
    if (method !== ALLOWED) throw methodError(method, ALLOWED);
    authorize(request, reply);
  };
  const handler = (request: FastifyRequest, reply: FastifyReply) => answerBatch(request, reply, semaphore, limits);
  const url = `${ROOT}/$batch`;
  app.post(url, { preParsing, config: { operations: { [url]: { post: batchOperation } } } }, handler);
  app.route({ method: METHODS.filter((each) => each !== ALLOWED), url, preParsing, handler });
}

async function answerBatch(
  request: FastifyRequest,
  reply: FastifyReply,
  semaphore: FairSemaphore,
  limits: Limits,
): Promise<FastifyReply> {
  const { prefer, 'content-type': sentType = '' } = request.headers;
  if (request.url.includes('?')) throw wrongPart('query', '$batch has no options, but each of its requests has');
  const isMultipart = sentType.toLowerCase().startsWith(MULTIPART);
  const items = isMultipart ? parseMultipartBatch(String(request.body ?? ''), sentType) : parseJsonBatch(request.body);
  assertLinked(items);
  const form = chooseBatchForm(request.headers, isMultipart);
  const preferred = parseContinueOnError(prefer);
  // The standard stops at an error in parts, and not in JSON.
  const continuesOnError = preferred ?? !isMultipart;
  const { handlerTimeoutMs: timeoutMs } = limits;
  const answered = await answerInTurn(request, reply, timeoutMs, async (turn, begin) => {
    await turn.take(semaphore);
    begin();
    reply.headers({ 'cache-control': 'no-store', 'content-type': form.mediaType });
    if (preferred !== undefined) reply.header('preference-applied', `odata.continue-on-error=${preferred}`);
    const pieces = runBatch(request, { items, form, continuesOnError, timeoutMs, signal: turn.signal });
    return streamAnswer(request, reply, { pieces, first: await pieces.next() }, limits);
  });
  return answered ?? reply.hijack();
}

/**
 * Returns the form of an answer by Accept, or else that of the request.
 * In OData 4.0, parts are answered in parts: its clients send the Accept of all their requests.
 * @throws an error of status 406.
 */
function chooseBatchForm(headers: IncomingHttpHeaders, isMultipart: boolean): BatchForm {
  // A boundary that nobody knows beforehand is in no answer.
  const parts = multipartForm(`batch_${randomUUID()}`);
  if (isMultipart && !speaks401(headers)) return parts;
  const chosen = chooseOffer(headers.accept, isMultipart ? [parts, JSON_FORM] : [JSON_FORM, parts]);
  if (chosen) return chosen;
  throw httpError(406, `Accept asks for no available form. Batches are application/json and ${MULTIPART}`);
}
