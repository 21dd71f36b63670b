import type { FastifyInstance } from 'fastify';
import { chooseCoding } from '../protocol/content-coding.ts';
import { httpError } from '../protocol/errors.ts';
import { isSame } from '../protocol/headers.ts';
import type { PageFile } from './page-files.ts';

/** Policy of the page: its own files and the API of the same server, nothing inline, no other host. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Files whose names contain a digest of their content never change. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Adds the page at `/` and its files. They contain no data, so no token is needed.
 * @param files The built files; none if the page is not built.
 */
export function registerPage(app: FastifyInstance, files: readonly PageFile[]): void {
  if (files.length === 0) {
    app.get('/', async () => {
      throw httpError(404, 'The page is not built: npm run build builds it. The reports are listed at /v3/reports');
    });
  }
  for (const { path, mediaType, forms } of files) {
    app.get(path, async (request, reply) => {
      const coding = chooseCoding(request.headers['accept-encoding'], mediaType);
      const { etag, body } = forms[coding];
      reply.headers({
        'content-security-policy': PAGE_POLICY,
        'cache-control': /-[0-9a-f]{16}\./.test(path) ? IMMUTABLE : 'no-cache',
        vary: 'Accept-Encoding',
        etag,
      });
      if (isSame(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (coding !== 'identity') reply.header('content-encoding', coding);
      return reply.type(mediaType).send(body);
    });
  }
}
