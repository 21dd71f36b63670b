import type { FastifyRequest } from 'fastify';
import { AppError } from '../../error.ts';
import type { BatchForm, ItemAnswer } from '../../odata/batch-answer.ts';
import { type BatchCall, type BatchItem, resolveCall } from '../../odata/batch-request.ts';
import { failedDependency } from '../../odata/odata-error.ts';
import type { Piece } from '../../write/answer-spool.ts';
import { httpError } from '../protocol/errors.ts';
import { formatODataError } from './odata-errors.ts';
import { ODATA_VERSION } from './odata-headers.ts';
import { rootUrl } from './odata-links.ts';

/** Bodies of all answers of a batch. Unit: bytes. */
const MAX_BATCH_ANSWER_BYTES = 16_777_216;

/** Headers of a request in a batch that reach its answer: all that a request below the root reads for itself. */
const OWN_HEADERS = ['accept', 'odata-maxversion', 'odata-version', 'prefer'];

/** Headers that every request of a batch has from the batch: who asks, and where. */
const SHARED_HEADERS = ['authorization', 'host', 'x-forwarded-host', 'x-forwarded-proto'];

/** Headers of an answer that concern it, and not its connection. */
const ANSWER_HEADERS = [
  'allow',
  'content-type',
  'odata-version',
  'preference-applied',
  'retry-after',
  'www-authenticate',
  'x-data-version',
];

export interface Batch {
  readonly items: readonly BatchItem[];
  readonly form: BatchForm;
  /** True to answer the requests after one that failed, too. */
  readonly continuesOnError: boolean;
  /** The time in which the last request begins. Unit: ms. */
  readonly timeoutMs: number;
  /** Ends the request being answered. */
  readonly signal: AbortSignal;
}

/** Answers the requests of a batch one after the other, each as if it came alone, and yields the answer's pieces. */
export async function* runBatch(request: FastifyRequest, batch: Batch): AsyncGenerator<Piece> {
  const { items, form, continuesOnError } = batch;
  const failed = new Set<string>();
  const endsAt = performance.now() + batch.timeoutMs;
  let bytesLeft = MAX_BATCH_ANSWER_BYTES;
  yield form.begin;
  for (const [index, item] of items.entries()) {
    const answering = async () => {
      const { call, dependsOn } = item;
      const culprit = dependsOn.find((name) => failed.has(name));
      if (culprit !== undefined)
        throw failedDependency(`The request or group ${culprit} failed, on which this one depends`);
      if (call instanceof Error) throw call;
      if (performance.now() > endsAt)
        throw httpError(503, `The batch takes longer than ${batch.timeoutMs / 1000} s. Send the rest in another`);
      return ask(request, call, bytesLeft, batch.signal);
    };
    const answer = await answering().catch((error: unknown) => describeFailure(error, request, batch.signal));
    bytesLeft -= answer.body.length;
    yield* form.write(item, answer, index);
    if (answer.status < 400) continue;
    for (const name of [item.id, item.atomicityGroup]) if (name !== undefined) failed.add(name);
    if (!continuesOnError) break;
  }
  yield form.end;
}

/** Sends a GET to the server itself, so that it meets all rules and limits of requests. */
async function ask(
  request: FastifyRequest,
  call: BatchCall,
  maxBytes: number,
  signal: AbortSignal,
): Promise<ItemAnswer> {
  const own = OWN_HEADERS.map((name) => [name, call.headers.get(name)] as const);
  const shared = SHARED_HEADERS.map((name) => [name, request.headers[name]] as const);
  const sent = [...own, ...shared, ['x-request-id', request.id] as const].filter(([, value]) => value !== undefined);
  const response = await request.server.inject({
    method: 'GET',
    url: resolveCall(call, rootUrl(request.headers)),
    headers: Object.fromEntries(sent),
    remoteAddress: request.ip,
    payloadAsStream: true,
    signal,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.stream()) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      response.raw.res.destroy();
      throw new AppError('limit', `The answers of the batch have more than ${MAX_BATCH_ANSWER_BYTES} bytes`, {
        hint: 'Send this request alone, or ask for smaller pages with Prefer: odata.maxpagesize.',
      });
    }
    chunks.push(chunk);
  }
  const kept = ANSWER_HEADERS.map((name) => [name, response.headers[name]] as const);
  const headers = kept.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: Buffer.concat(chunks) };
}

/** Returns the answer to a request that failed. @throws the error if the client has gone. */
function describeFailure(error: unknown, request: FastifyRequest, { aborted }: AbortSignal): ItemAnswer {
  if (aborted) throw error;
  const isStopping = (error as { code?: unknown }).code === 'FST_ERR_REOPENED_CLOSE_SERVER';
  const cause = isStopping ? httpError(503, 'The server is stopping. Send this request again') : error;
  const { status, headers, body } = formatODataError(cause, request);
  const { 'content-type': type = '', ...others } = headers;
  return {
    status,
    headers: { 'content-type': type, 'odata-version': ODATA_VERSION, ...others },
    body: Buffer.from(body),
  };
}
