import type { FastifyInstance } from 'fastify';
import { explainRequest } from '../../report/explain/explain-request.ts';
import { describeExplanation } from '../../write/explanation.ts';
import { hasRates, requires } from '../protocol/auth.ts';
import { CACHING, isSame, makeEtag } from '../protocol/headers.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { answerInTurn, openContext } from '../protocol/turn.ts';
import { parseSent } from './answer-query.ts';
import { explainOperation } from './explain-operation.ts';

/** Adds GET /v3/explain: why a number is what it is, or a line. */
export function registerExplain(app: FastifyInstance, parts: ServerParts): void {
  const config = { operations: { '/v3/explain': { get: explainOperation(parts.catalogues.full) } } };
  app.get('/v3/explain', { ...requires('reports'), config }, async (request, reply) => {
    const { catalogues, generations, definitions, semaphores, limits, now } = parts;
    await generations.settle();
    const generation = generations.current();
    const sent = parseSent(request.url.split(/\?(.*)/s)[1] ?? '');
    const { dataVersion, syncedAt } = generation.company;
    const version = [definitions, dataVersion, syncedAt, generation.today(now()), hasRates(request)];
    const etag = makeEtag([...version, sent]);
    reply.headers({ ...CACHING, etag, 'x-data-version': dataVersion });
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const explanation = await answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn) => {
      const lease = turn.lease(generations, generation);
      const { context } = await openContext(turn, lease, [semaphores.open, semaphores.running], parts);
      return explainRequest(context, catalogues, sent);
    });
    if (!explanation) return reply.hijack();
    const { meta } = explanation;
    return reply.header('x-data-version', meta.data_version).send({ explain: describeExplanation(explanation), meta });
  });
}
