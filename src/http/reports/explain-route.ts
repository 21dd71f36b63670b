import type { FastifyInstance } from 'fastify';
import type { Generations } from '../../generation/generations.ts';
import type { Catalogues } from '../../report/catalogue/definitions.ts';
import { explainRequest } from '../../report/explain/explain-request.ts';
import { describeExplanation } from '../../write/explanation.ts';
import { hasRates, readerKeyOf, requires } from '../protocol/auth.ts';
import { isSame, makeEtag } from '../protocol/etag.ts';
import { CACHING } from '../protocol/headers.ts';
import { parseSent } from './answer-query.ts';
import { openDeadline } from './deadline.ts';
import { explainOperation } from './explain-operation.ts';
import { readInTurn, type TurnParts } from './turn.ts';

export interface ExplainParts extends TurnParts {
  readonly catalogues: Catalogues;
  /** Digest of the definitions. */
  readonly definitions: string;
  readonly generations: Generations;
}

/** Adds GET /v3/explain: why a number is what it is, or a line. */
export function registerExplain(app: FastifyInstance, parts: ExplainParts): void {
  const config = { operations: { '/v3/explain': { get: explainOperation(parts.catalogues.full) } } };
  app.get('/v3/explain', { ...requires('reports'), config }, async (request, reply) => {
    const { catalogues, generations, definitions, limits, now } = parts;
    await generations.settle();
    const generation = generations.current();
    const sent = parseSent(request.url.split(/\?(.*)/s)[1] ?? '');
    const { dataVersion, syncedAt } = generation.company;
    const version = [definitions, dataVersion, syncedAt, generation.today(now()), hasRates(request)];
    const etag = makeEtag([...version, sent]);
    reply.headers({ ...CACHING, etag, 'x-data-version': dataVersion });
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const deadline = openDeadline(reply.raw, limits.handlerTimeoutMs);
    const turn = { reader: readerKeyOf(request), seesRates: hasRates(request), signal: deadline.signal };
    const explanation = await readInTurn(parts, turn, generations.lease(generation), (context) =>
      explainRequest(context, catalogues, sent),
    ).finally(deadline.meet);
    const { meta } = explanation;
    return reply.header('x-data-version', meta.data_version).send({ explain: describeExplanation(explanation), meta });
  });
}
