import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { assertHost } from '../http/protocol/host.ts';

export const ROOT = '/odata/v4';

/**
 * Returns the root URL of the service, as its client sees it: clients want absolute links.
 * A TLS proxy tells the scheme and the host by X-Forwarded-Proto and X-Forwarded-Host.
 */
export function rootUrl(headers: IncomingHttpHeaders): string {
  const [forwarded, proto] = [firstOf(headers['x-forwarded-host']), firstOf(headers['x-forwarded-proto'])];
  const host = forwarded ?? headers.host ?? '';
  assertHost(forwarded === undefined ? 'Host' : 'X-Forwarded-Host', host);
  return `${proto === 'https' ? 'https' : 'http'}://${host}${ROOT}/`;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return (
    String(header ?? '')
      .split(',')[0]
      ?.trim()
      .toLowerCase() || undefined
  );
}

/** Returns the URL of the next page: that of this one, from another place on. */
export function nextLink({ url }: FastifyRequest, root: string, token: string): string {
  const [path = '', queryString = ''] = url.split(/\?(.*)/s);
  const options = new URLSearchParams(queryString);
  for (const name of ['$top', '$skip']) options.delete(name);
  options.set('$skiptoken', token);
  const query = String(options).replaceAll('%24', '$').replaceAll('+', '%20');
  return `${root}${path.slice(`${ROOT}/`.length)}?${query}`;
}
