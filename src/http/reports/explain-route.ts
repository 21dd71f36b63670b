import type { FastifyInstance } from 'fastify';
import { explainRequest } from '../../report/explain/explain-request.ts';
import { choosesNumber } from '../../report/request/number.ts';
import { describeExplanation } from '../../write/explanation.ts';
import { hasRates, requires } from '../protocol/auth.ts';
import { CACHING, isSame, makeEtag } from '../protocol/headers.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { answerInTurn, openContext } from '../protocol/turn.ts';
import { parseSent } from './answer-query.ts';
import { AS_OF, attachCompared, readReportData, versionOf } from './asked-data.ts';
import { explainOperation } from './explain-operation.ts';

/** Adds GET /v3/explain: why a number is what it is, or a line. */
export function registerExplain(app: FastifyInstance, parts: ServerParts): void {
  const config = { operations: { '/v3/explain': { get: explainOperation(parts.catalogues.full) } } };
  app.get('/v3/explain', { ...requires('reports'), config }, async (request, reply) => {
    const { catalogues, definitions, semaphores, limits, now } = parts;
    const [, queryString = ''] = request.url.split(/\?(.*)/s);
    const all = parseSent(queryString);
    const { [AS_OF]: _, ...given } = all;
    const data = await readReportData(parts, undefined, all, true);
    const { generation } = data;
    const sent = 'line_id' in given ? given : data.fill(given, choosesNumber);
    const version = [definitions, ...versionOf(generation, data), generation.today(now()), hasRates(request)];
    const etag = makeEtag([...version, sent]);
    reply.headers({ ...CACHING, etag, 'x-data-version': generation.company.dataVersion });
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const explanation = await answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn) => {
      const lease = turn.lease(data, generation);
      const { context } = await openContext(turn, lease, [semaphores.open, semaphores.running], parts);
      return explainRequest(await attachCompared(turn, context, data), catalogues, sent);
    });
    if (!explanation) return reply.hijack();
    const { meta } = explanation;
    return reply.header('x-data-version', meta.data_version).send({ explain: describeExplanation(explanation), meta });
  });
}
