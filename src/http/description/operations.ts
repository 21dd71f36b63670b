import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { isSame, makeEtag } from '../protocol/etag.ts';

/** What the routes for operators and for programs that learn the API work with. */
export interface OperationParts {
  /** The OpenAPI document. */
  readonly document: object;
  /** Why no report can be read now; undefined when one can. */
  readonly findObstacle: () => string | undefined;
  readonly metrics: { readonly contentType: string; read(): Promise<string> };
}

/** Routes that are asked again and again by machines, so they don't count against the limit on requests. */
const UNLIMITED = { config: { rateLimit: false as const } };

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
  app.get('/healthz', UNLIMITED, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', UNLIMITED, async (_request, reply) => {
    const obstacle = parts.findObstacle();
    reply.header('cache-control', 'no-store');
    return obstacle === undefined
      ? reply.send({ status: 'ready' })
      : reply.code(503).send({ status: 'not ready', message: obstacle });
  });
  app.get('/metrics', UNLIMITED, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(parts.metrics.contentType)
      .send(await parts.metrics.read()),
  );
  const text = `${JSON.stringify(parts.document, null, 2)}\n`;
  const etag = makeEtag(text);
  app.get('/openapi.json', async (request, reply) => {
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
  await app.register(swagger, { mode: 'static', specification: { document: parts.document as never } });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: DOCS_POLICY,
    theme: { title: 'Plumbline API' },
    // Without the bar of the library's own name, and its box for another API.
    uiConfig: { layout: 'BaseLayout' },
  });
}
