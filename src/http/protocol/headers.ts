import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Headers that keep browsers from guessing types, framing answers or sharing them with other sites. */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Headers that let a client cache an answer if it revalidates it each time. */
export const CACHING = { 'cache-control': 'private, no-cache', vary: 'Accept, Authorization' };

/** Returns the id of a request: a plain X-Request-Id from the client or a proxy, else a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : randomUUID();
}
