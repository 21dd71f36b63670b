import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Answers are data, never a page: a browser may neither guess what they are, nor show them in a frame or to another site. */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A client may keep an answer if it asks each time whether it still stands. */
export const CACHING = { 'cache-control': 'private, no-cache', vary: 'Accept, Authorization' };

/** The id of a request: what a client or a proxy gave, if it is a plain one; else a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : randomUUID();
}
