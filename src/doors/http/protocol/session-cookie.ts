import type { SignInConfig } from '../../../base/config/index.ts';

export const SIGN_IN_PATH = '/auth/sign-in';

export const SIGN_OUT_PATH = '/auth/sign-out';

/**
 * Returns the name of the cookie of a session. Browsers take one that begins with __Host- from this very host alone, so a
 * page beside it can't put its own in place; on this machine, which has no TLS, they would take none.
 */
export function sessionCookieName({ publicUrl }: SignInConfig): string {
  return publicUrl?.protocol === 'https:' ? '__Host-plumbline' : 'plumbline';
}
