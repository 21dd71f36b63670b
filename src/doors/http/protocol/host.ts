import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import { httpError } from './errors.ts';

/** A name or an address of a host, perhaps with a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Refuses public addresses without tokens, because every client may then do everything.
 * @throws AppError usage
 */
export function assertLoopback(flag: string, host: string, tokensFile: string): void {
  if (isLoopback(host)) return;
  throw new AppError(
    'usage',
    `${flag}: ${host} can be reached from other machines, and there are no tokens in ${tokensFile}`,
    {
      hint: 'Make a token first: plumbline token create --label NAME --scopes reports,rates. Without tokens the server only listens on 127.0.0.1.',
    },
  );
}

/**
 * Refuses a name that can't be the host of a URL (RFC 9110, 7.2). An absent or empty one is none.
 * @param header The header that has it.
 * @throws AppError usage
 */
export function assertHost(header: string, host: string | undefined): void {
  if (!host || (HOST.test(host) && URL.canParse(`http://${host}`))) return;
  const message = `${header}: ${JSON.stringify(host)} is not the name of a host`;
  throw new AppError('usage', message, { fields: [{ field: header, message }] });
}

/**
 * Refuses foreign host names without tokens, against DNS rebinding by a page of another site.
 * @throws an error of status 421 for any name but this machine's.
 */
export function assertLocalHost(header: string | undefined): void {
  if (isLoopback((header ?? '').replace(/:\d+$/, ''))) return;
  throw httpError(421, 'Without tokens this server only answers requests to localhost, 127.0.0.1 and [::1]');
}

/** Methods that change nothing; a browser shows their answers only to pages that may call the server. */
export const SAFE_METHODS: readonly unknown[] = ['GET', 'HEAD', 'OPTIONS'];

/** Values of Sec-Fetch-Site, which only browsers can set, for requests of no page and of the server's own pages. */
const OWN_SITES: readonly unknown[] = [undefined, 'none', 'same-origin'];

/**
 * Refuses requests of pages of other sites that could change something: browsers send forms, and with them the
 * password of Basic authentication, without asking the server first. Clients other than browsers send no Origin.
 * @param request A request whose Host is a valid one. Headers of proxies are not read, because clients can send them too.
 * @param allowed The origins whose pages may call the server.
 * @throws an error of status 403.
 */
export function assertOwnPage({ method, headers }: IncomingMessage, allowed: readonly string[]): void {
  const { origin, host } = headers;
  if (SAFE_METHODS.includes(method)) return;
  if (origin !== undefined && allowed.includes(origin)) return;
  const isOwnOrigin = origin === undefined || ownOrigins(host).includes(origin);
  if (isOwnOrigin && OWN_SITES.includes(headers['sec-fetch-site'])) return;
  throw httpError(
    403,
    `Pages of ${isOwnOrigin ? 'another site' : origin} may not send ${method} to this server. --cors-origin lists the sites whose pages may`,
  );
}

/** Returns the origins of the server's own pages, as browsers write them: a TLS proxy in front adds the second. */
function ownOrigins(host: string | undefined): string[] {
  return host ? [new URL(`http://${host}`).origin, new URL(`https://${host}`).origin] : [];
}
