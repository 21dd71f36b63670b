import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Headers that keep browsers from guessing types, framing answers or sharing them with other sites. */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Headers that let a client cache an answer if it revalidates it each time. */
export const CACHING = {
  'cache-control': 'private, no-cache',
  vary: 'Accept, Accept-Encoding, Authorization, Cookie, Origin',
};

/** The rights of pages of other sites to call the server, if they are listed at all. */
export const CORS = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-None-Match',
    'If-Range',
    'Last-Event-ID',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Protocol-Version',
    'OData-MaxVersion',
    'OData-Version',
    'Prefer',
    'Range',
    'X-Request-Id',
  ],
  exposedHeaders: [
    'Accept-Ranges',
    'Content-Disposition',
    'Content-Range',
    'ETag',
    'Link',
    'Location',
    'OData-Version',
    'Preference-Applied',
    'Retry-After',
    'X-Data-Version',
    'X-Ignored-Fields',
    'X-Ignored-Parameters',
    'X-Pagination-Current-Page',
    'X-Pagination-Has-More',
    'X-Pagination-Next-Cursor',
    'X-Pagination-Page-Count',
    'X-Pagination-Per-Page',
    'X-Pagination-Total-Count',
    'X-Request-Id',
    'X-Truncated',
  ],
  /** The longest that browsers keep an answer to a preflight. Unit: s. */
  maxAge: 7_200,
};

/** Returns the id of a request: a plain X-Request-Id from the client or a proxy, else a new one. */
export function readRequestId({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && /^[\w.:-]{1,64}$/.test(id) ? id : randomUUID();
}

/** Length at which digests don't collide. Unit: characters of base64. */
const ETAG_CHARACTERS = 27;

/** Returns whether an If-None-Match header names a version; "*" names any. */
export function isSame(header: string | undefined, etag: string): boolean {
  return header === '*' || (header?.includes(etag) ?? false);
}

export function makeEtag(parts: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, ETAG_CHARACTERS)}"`;
}

/** Returns the headers of a page. @param total Rows on all pages. */
export function pageHeaders(page: number, perPage: number, total: number): Record<string, string> {
  const shown = Math.min(perPage, Math.max(0, total - (page - 1) * perPage));
  return {
    'x-pagination-total-count': String(total),
    'x-pagination-page-count': String(Math.ceil(total / perPage)),
    'x-pagination-current-page': String(page),
    'x-pagination-per-page': String(shown),
  };
}

/** Returns the links to other pages of a list, in the form of RFC 8288. @param url The path and the query of this one. */
export function pageLinks(url: string, page: number, perPage: number, total: number): string {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const [path = '', query = ''] = url.split('?');
  const linkTo = (to: number, relation: string) => {
    const sent = new URLSearchParams(query);
    sent.set('page', String(to));
    return `<${path}?${sent}>; rel="${relation}"`;
  };
  return [
    linkTo(1, 'first'),
    ...(page > 1 ? [linkTo(Math.min(page - 1, pages), 'prev')] : []),
    ...(page < pages ? [linkTo(page + 1, 'next')] : []),
    linkTo(pages, 'last'),
  ].join(', ');
}
