import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AskedStates, contextBefore, findStates, openStates } from '../../../store/ask/index.ts';
import { answerInTurn } from '../protocol/answer-in-turn.ts';
import { hasRates, requiresOfPart, requiresUncounted, seenPartOf } from '../protocol/auth.ts';
import { CACHING, isSame } from '../protocol/headers.ts';
import { policyOf } from '../protocol/semaphores.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { beginAnswer, streamAnswer, writeAhead } from '../protocol/stream-answer.ts';
import { abilitiesOf } from './abilities.ts';
import { runAnswer } from './answer.ts';
import {
  type AnswerQuery,
  type AnswerQueryParser,
  makeAnswerQueryParser,
  parseSent,
  type ReportRequest,
} from './answer-query.ts';
import { type HeldAnswers, makeHeldAnswers, needsHolding, readWhole, sendHeld } from './held-answers.ts';
import { listReports } from './report-list.ts';
import { describeReportList, describeReports } from './report-operations.ts';
import type { Unchanged } from './unchanged.ts';

interface ReportParts extends Pick<ServerParts, 'catalogues' | 'states' | 'semaphores' | 'limits' | 'now'> {
  readonly unchanged: Unchanged;
  readonly parseQuery: AnswerQueryParser;
  readonly held: HeldAnswers;
}

export function registerReports(app: FastifyInstance, parts: ServerParts, unchanged: Unchanged): void {
  const { catalogues, definitions, limits } = parts;
  const lists = {
    full: listReports(catalogues.full, definitions),
    withoutRates: listReports(catalogues.withoutRates, definitions),
  };
  const list = { config: { operations: { '/v3/reports': { get: describeReportList() } } } };
  app.get('/v3/reports', { ...requiresOfPart('reports'), ...list }, async (request, reply) => {
    const listFor = hasRates(request) ? lists.full : lists.withoutRates;
    const { text, etag } = listFor(abilitiesOf(request, parts));
    reply.headers(CACHING).header('etag', etag);
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
  const guard = requiresUncounted('reports');
  const parseQuery = makeAnswerQueryParser(catalogues, definitions, limits.cachedQueries);
  const own = { ...parts, unchanged, parseQuery, held: makeHeldAnswers(limits) };
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/v3/reports/:name',
    exposeHeadRoute: false,
    ...guard,
    config: { ...guard.config, operations: describeReports(catalogues.full) },
    handler: (request, reply) => answerReport(request, reply, own),
  });
}

/** Answers a request for a report in five steps: parse, reuse, wait, run, write. */
async function answerReport(
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
  parts: ReportParts,
): Promise<FastifyReply> {
  const { semaphores, limits, held } = parts;
  const now = parts.now();
  const { asked, data, query } = await parse(request, reply, parts, now);

  if (isSame(request.headers['if-none-match'], query.etag)) return answerSame(request, reply, parts, data, now);
  await request.server.countRequest(request, reply);
  const known = held.get(query.etag);
  if (known) return sendHeld(request, reply, known);

  const answered = await answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn, begin) => {
    const lease = turn.lease(data.state.lease);
    const endHolding = needsHolding(request, query) ? await turn.take(semaphores.wholes) : undefined;
    // The request before may have been for another part.
    const made = endHolding && held.get(query.etag);
    if (made) return sendHeld(request, reply, made);
    const { open, workbooks, running } = semaphores;
    await turn.take(open);
    const endWriting = query.format.isWorkbook ? await turn.take(workbooks) : undefined;
    const policy = { ...policyOf(parts), permits: [running], now: () => now };
    const { context, finish } = await openStates(turn, data, policy, lease);
    const answerQuery = parts.parseQuery(asked, { ...context, beside: data.beside });
    const { headers, pieces, isInParts } = await runAnswer(context, answerQuery, parts.catalogues);
    if (isInParts || endWriting) finish();
    if (headers['x-pagination-next-cursor'] !== undefined) data.state.hold?.();

    const body = isInParts ? await beginAnswer(turn, pieces) : await writeAhead(turn, pieces, endWriting ?? finish);
    const whole = endHolding ? await readWhole(body, limits.heldAnswerBytes).finally(endHolding) : body;
    begin();
    if (!Buffer.isBuffer(whole)) return streamAnswer(request, reply.headers(headers), whole, limits);
    held.set(headers['etag'] ?? '', { headers, bytes: whole });
    return sendHeld(request, reply, { headers, bytes: whole });
  });
  return answered ?? reply.hijack();
}

/** Parses a request, and finds the data that it is about; a wrong one counts against the rate limit. */
async function parse(
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
  parts: ReportParts,
  now: Date,
): Promise<{ asked: ReportRequest; data: AskedStates; query: AnswerQuery }> {
  const { headers, params, url } = request;
  try {
    const [, queryString = ''] = url.split(/\?(.*)/s);
    // Only a generation with every write can tell whether an answer is unchanged.
    const isExact = headers['if-none-match'] !== undefined;
    const [report = ''] = params.name.split('.');
    const wanted = { report, sent: parseSent(queryString), isExact };
    const part = seenPartOf(request);
    const data = await findStates(parts.states, parts.catalogues, wanted, { part });
    const asked = {
      name: params.name,
      url,
      accept: headers.accept,
      acceptEncoding: headers['accept-encoding'],
      seesRates: hasRates(request),
      part,
      sent: data.sent,
    };
    const query = parts.parseQuery(asked, { ...contextBefore(data, now), beside: data.beside });
    reply.headers(CACHING).header('etag', query.etag);
    return { asked, data, query };
  } catch (error) {
    await request.server.countRequest(request, reply);
    throw error;
  }
}

/** Answers that the client's answer is unchanged, and remembers it. */
function answerSame(
  request: FastifyRequest,
  reply: FastifyReply,
  { unchanged }: ReportParts,
  { state: { generation, closings }, beside }: AskedStates,
  now: Date,
): FastifyReply {
  const { reader, routeOptions } = request;
  const etag = String(reply.getHeader('etag'));
  const day = generation.today(now);
  // The name of another state may come to mean a newer one, while this generation is the latest.
  const version = { etag, route: routeOptions.url ?? '', reader, generation, day, closings: closings?.signature ?? '' };
  if (!beside) unchanged.remember(request.raw, version);
  return reply.code(304).send();
}
