import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { isSame, makeEtag } from '../protocol/headers.ts';
import type { Paths } from '../protocol/operations.ts';

export interface OperationParts {
  /** Makes the OpenAPI document; called after all routes are added. */
  readonly describe: () => object;
  /** Returns why no report can be read now; undefined when one can. */
  readonly findObstacle: () => string | undefined;
  readonly metrics: { readonly contentType: string; read(): Promise<string> };
}

/** Returns the options of a route without rate limit, because machines poll it. */
function unlimited(path: string, summary: string, mediaType: string, more: object = {}) {
  return { config: { rateLimit: false as const, operations: describeRoute(path, summary, mediaType, more) } };
}

function describeRoute(path: string, summary: string, mediaType: string, more: object = {}): Paths {
  const responses = { '200': { description: summary, content: { [mediaType]: { schema: {} } } }, ...more };
  const operationId = path.replace(/^\/|\..*/gs, '');
  return { [path]: { get: { tags: ['Operations'], operationId, summary, security: [], responses } } };
}

/** Policy of the documentation's page: only its own files. Swagger UI sets styles on elements. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds /healthz, /readyz, /metrics, /openapi.json and /docs. */
export async function registerOperations(app: FastifyInstance, parts: OperationParts): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // Only a proxy in front of the server can determine whether the client's connection is encrypted.
    strictTransportSecurity: false,
  });
  app.get('/healthz', unlimited('/healthz', 'The server runs.', 'application/json'), async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  const notReady = { '503': { description: 'No report can be read now, for the reason in the message.' } };
  app.get(
    '/readyz',
    unlimited('/readyz', 'A loaded database is open.', 'application/json', notReady),
    async (_request, reply) => {
      const obstacle = parts.findObstacle();
      reply.header('cache-control', 'no-store');
      return obstacle === undefined
        ? reply.send({ status: 'ready' })
        : reply.code(503).send({ status: 'not ready', message: obstacle });
    },
  );
  app.get(
    '/metrics',
    unlimited('/metrics', 'Counters and times, for Prometheus.', 'text/plain'),
    async (_request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .type(parts.metrics.contentType)
        .send(await parts.metrics.read()),
  );
  const operations = describeRoute('/openapi.json', 'This document.', 'application/json');
  app.get('/openapi.json', { config: { operations } }, async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
  const document = parts.describe();
  const text = `${JSON.stringify(document, null, 2)}\n`;
  const etag = makeEtag(text);
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    theme: { title: 'Plumbline API' },
    // Hides the bar with the library's name and its box for another API.
    uiConfig: { layout: 'BaseLayout' },
  });
}
