import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { isSame, makeEtag } from '../protocol/etag.ts';
import type { Paths } from '../protocol/operations.ts';

/** What the routes for operators and for programs that learn the API work with. */
export interface OperationParts {
  /** Makes the OpenAPI document, when all routes are there. */
  readonly describe: () => object;
  /** Why no report can be read now; undefined when one can. */
  readonly findObstacle: () => string | undefined;
  readonly metrics: { readonly contentType: string; read(): Promise<string> };
}

/** Options of a route that machines ask again and again, so that it doesn't count against the limit on requests. */
function unlimited(path: string, summary: string, mediaType: string, more: object = {}) {
  return { config: { rateLimit: false as const, operations: describeRoute(path, summary, mediaType, more) } };
}

function describeRoute(path: string, summary: string, mediaType: string, more: object = {}): Paths {
  const responses = { '200': { description: summary, content: { [mediaType]: { schema: {} } } }, ...more };
  const operationId = path.replace(/^\/|\..*$/g, '');
  return { [path]: { get: { tags: ['Operations'], operationId, summary, security: [], responses } } };
}

/** What the page of the documentation may load: its own files alone. Swagger UI sets styles on elements. */
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
    // Whether the way to the client is encrypted, only what stands before the server knows.
    strictTransportSecurity: false,
  });
  app.get('/healthz', unlimited('/healthz', 'The server runs.', 'application/json'), async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  const notReady = { '503': { description: 'No report can be read now; the message says why.' } };
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
    // Without the bar of the library's own name, and its box for another API.
    uiConfig: { layout: 'BaseLayout' },
  });
}
