import { AppError } from '../../error.ts';
import { httpError } from './errors.ts';

/** The names of this machine that nobody else answers to. */
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether an address is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Without tokens everything is allowed, so nobody else may reach the server. @throws AppError usage for an address that others reach. */
export function assertLoopback(flag: string, host: string, tokensFile: string): void {
  if (isLoopback(host)) return;
  throw new AppError(
    'usage',
    `${flag}: ${host} can be reached from other machines, and there are no tokens in ${tokensFile}`,
    {
      hint: 'Make a token first: plumbline token create --label NAME --scopes reports,rates. Without tokens the server listens on 127.0.0.1 alone.',
    },
  );
}

/**
 * A page of another site can lead its own name to this machine and then read what is open here, but the browser still sends that name.
 * @throws an error of status 421 for any name but this machine's.
 */
export function assertLocalHost(header: string | undefined): void {
  if (isLoopback((header ?? '').replace(/:\d+$/, ''))) return;
  throw httpError(421, 'Without tokens this server answers to localhost, 127.0.0.1 and [::1] alone');
}
