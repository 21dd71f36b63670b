import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../error.ts';
import { httpError } from './errors.ts';

/** Names that only this machine answers to. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Returns whether an address is reached only from this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

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
 * Refuses foreign host names without tokens, against DNS rebinding by a page of another site.
 * @throws an error of status 421 for any name but this machine's.
 */
export function assertLocalHost(header: string | undefined): void {
  if (isLoopback((header ?? '').replace(/:\d+$/, ''))) return;
  throw httpError(421, 'Without tokens this server only answers requests to localhost, 127.0.0.1 and [::1]');
}

/**
 * Refuses requests of pages of other sites, which a browser may send before it asks for permission.
 * @param allowed The origins whose pages may call the server.
 * @throws an error of status 403.
 */
export function assertOrigin({ origin, host }: IncomingHttpHeaders, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin)) return;
  // With tokens or on a local host, a page of the server itself can't be a page of another site.
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw httpError(403, `Pages of ${origin} may not call this server. --cors-origin lists the sites whose pages may`);
}
