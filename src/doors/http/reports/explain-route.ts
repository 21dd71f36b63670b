import type { FastifyInstance } from 'fastify';
import { explainRequest } from '../../../numbers/report/explain/explain-request.ts';
import { partKey } from '../../../numbers/report/source/index.ts';
import { describeExplanation } from '../../../numbers/write/index.ts';
import { contextBefore, findStates, openStates, queryKeyOf, versionOf } from '../../../store/ask/index.ts';
import { answerInTurn } from '../protocol/answer-in-turn.ts';
import { hasRates, requiresOfPart, seenPartOf } from '../protocol/auth.ts';
import { CACHING, isSame, makeEtag } from '../protocol/headers.ts';
import { policyOf } from '../protocol/semaphores.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { parseSent } from './answer-query.ts';
import { explainOperation } from './explain-operation.ts';

/** Adds GET /v3/explain: why a number is what it is, or a line. */
export function registerExplain(app: FastifyInstance, parts: ServerParts): void {
  const config = { operations: { '/v3/explain': { get: explainOperation(parts.catalogues.full) } } };
  app.get('/v3/explain', { ...requiresOfPart('reports'), config }, async (request, reply) => {
    const { catalogues, definitions, states, limits, now } = parts;
    const [, queryString = ''] = request.url.split(/\?(.*)/s);
    const part = seenPartOf(request);
    const asked = await findStates(states, catalogues, { sent: parseSent(queryString) }, { part });
    const { state, sent } = asked;
    const { company } = state.generation;
    const keys = [...versionOf(company, asked.beside), ...queryKeyOf(contextBefore(asked, now()))];
    const version = [definitions, ...keys, hasRates(request), partKey(part)];
    const etag = makeEtag([...version, sent]);
    reply.headers({ ...CACHING, etag, 'x-data-version': company.dataVersion });
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const explanation = await answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn) => {
      const { context } = await openStates(turn, asked, policyOf(parts));
      return explainRequest(context, catalogues, sent);
    });
    if (!explanation) return reply.hijack();
    const { meta } = explanation;
    return reply.header('x-data-version', meta.data_version).send({ explain: describeExplanation(explanation), meta });
  });
}
