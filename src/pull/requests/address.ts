import { isLoopback } from '../../base/config/index.ts';
import { AppError, formatForeign } from '../../base/index.ts';

/**
 * Parses the address of a service into the root of its API, which ends with /v3.
 * @throws AppError usage for anything but HTTPS, or HTTP to this machine.
 */
export function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new AppError('usage', `"${formatForeign(text)}" is not the address of a service`, {
      hint: 'Write it whole, as in https://api.example.com/v3.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError('usage', `The address of ${url.host} holds a user name or a password`, {
      hint: 'Leave them out: the token is read from an environment variable, and never from the address.',
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new AppError('usage', `The address of ${url.host} ends with a query or a fragment`, {
      hint: `Give the root of the API alone: ${url.origin}${url.pathname}.`,
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new AppError('usage', `${url.origin} is not encrypted, and would show the token to everyone on the way`, {
      hint: `Give https://${url.host}. Plain HTTP is possible to this machine only.`,
    });
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  return new URL(`${url.origin}${path.endsWith('/v3') ? path : `${path}/v3`}`);
}
