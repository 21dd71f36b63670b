import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Generation, Generations } from '../../generation/generations.ts';
import { hasRates, readerKeyOf, requires, requiresUncounted } from '../protocol/auth.ts';
import { isSame } from '../protocol/etag.ts';
import { CACHING } from '../protocol/headers.ts';
import { streamAnswer } from '../protocol/stream-answer.ts';
import { beginAnswer } from './answer.ts';
import { answerHeaders } from './answer-headers.ts';
import { type AnswerQuery, makeAnswerQueryParser, type ReportRequest } from './answer-query.ts';
import { openDeadline } from './deadline.ts';
import { type HeldParts, holdAnswer, makeHeldAnswers, needsHolding, sendHeld } from './held-answers.ts';
import { listReports } from './report-list.ts';
import { describeReportList, describeReports } from './report-operations.ts';
import type { Unchanged } from './unchanged.ts';

export interface ReportParts extends Omit<HeldParts, 'parseQuery' | 'held'> {
  /** Digest of the definitions. */
  readonly definitions: string;
  readonly generations: Generations;
  readonly unchanged: Unchanged;
  readonly now: () => Date;
}

/** Adds the list of reports, and the reports. */
export function registerReports(app: FastifyInstance, parts: ReportParts): void {
  const { catalogues, definitions, limits } = parts;
  const lists = {
    full: listReports(catalogues.full, definitions),
    withoutRates: listReports(catalogues.withoutRates, definitions),
  };
  const list = { config: { operations: { '/v3/reports': { get: describeReportList() } } } };
  app.get('/v3/reports', { ...requires('reports'), ...list }, async (request, reply) => {
    const { text, etag } = hasRates(request) ? lists.full : lists.withoutRates;
    reply.headers(CACHING).header('etag', etag);
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
  const guard = requiresUncounted('reports');
  const parseQuery = makeAnswerQueryParser(catalogues, definitions, limits.cachedQueries);
  const held = makeHeldAnswers(limits);
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/v3/reports/:name',
    exposeHeadRoute: false,
    ...guard,
    config: { ...guard.config, operations: describeReports(catalogues.full) },
    handler: (request, reply) => answerRequest(request, reply, { ...parts, parseQuery, held }),
  });
}

async function answerRequest(
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
  parts: ReportParts & HeldParts,
): Promise<FastifyReply> {
  const asked: ReportRequest = {
    name: request.params.name,
    url: request.url,
    accept: request.headers.accept,
    acceptEncoding: request.headers['accept-encoding'],
    seesRates: hasRates(request),
    reader: readerKeyOf(request),
    now: parts.now(),
  };
  let [generation, query]: [Generation?, AnswerQuery?] = [];
  try {
    // Only a generation with every write can tell whether an answer is unchanged.
    if (request.headers['if-none-match']) await parts.generations.settle();
    generation = parts.generations.current();
    query = parts.parseQuery(asked, generation);
  } catch (error) {
    await request.server.countRequest(request, reply);
    throw error;
  }
  reply.headers(CACHING).header('etag', query.etag);
  if (isSame(request.headers['if-none-match'], query.etag)) {
    const { reader, routeOptions } = request;
    const version = {
      etag: query.etag,
      route: routeOptions.url ?? '',
      reader,
      generation,
      day: generation.today(asked.now),
    };
    parts.unchanged.remember(request.raw, version);
    return reply.code(304).send();
  }
  await request.server.countRequest(request, reply);
  const held = parts.held.get(query.etag);
  if (held) return sendHeld(request, reply, held);
  const deadline = openDeadline(reply.raw, parts.limits.handlerTimeoutMs);
  const lease = parts.generations.lease(generation);
  const begun = needsHolding(request, query)
    ? holdAnswer(parts, asked, query, lease, deadline.signal)
    : beginAnswer(parts, asked, query.format, lease, deadline.signal);
  const answer = await begun
    .catch((error: unknown) => {
      if (reply.raw.destroyed) return undefined;
      throw error;
    })
    .finally(deadline.meet);
  if (!answer) return reply.hijack();
  if ('bytes' in answer) return sendHeld(request, reply, answer);
  try {
    reply.headers(answerHeaders(answer.query, answer.meta));
    return await streamAnswer(request, reply, answer, parts.limits);
  } finally {
    await answer.close();
  }
}
