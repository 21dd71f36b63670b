import type { CookieSerializeOptions } from '@fastify/cookie';
import type { SignInConfig } from '../../../base/config/index.ts';
import { isObject } from '../../../base/index.ts';
import type { SignInAttempt } from '../../identity/issuer.ts';
import { sessionCookieName } from '../protocol/session-cookie.ts';

/** A sign-in that has begun in a browser, and the address to show after it. */
export interface BegunSignIn extends SignInAttempt {
  readonly to: string;
}

/** A cookie without a secret, by which the page knows that there is a session: no script reads that of the session. */
export const MARK_COOKIE = 'plumbline-signed-in';

/** The time that a sign-in may take. Unit: s. */
export const SIGN_IN_SECONDS = 600;

/** Sign-ins that one browser may have begun at once, such as in several tabs; with more, the earlier ones are given up. Unit: sign-ins. */
export const MAX_BEGUN_SIGN_INS = 10;

/** The part of a state that names its cookie. Unit: characters. */
const STATE_CHARACTERS = 12;

/** Returns the name of the cookie of a sign-in, so that those of several tabs have their own. */
export function attemptCookieName(config: SignInConfig, state: string): string {
  return `${attemptPrefix(config)}${state.slice(0, STATE_CHARACTERS)}`;
}

export function attemptCookieNames(config: SignInConfig, cookies: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(cookies).filter((name) => name.startsWith(attemptPrefix(config)));
}

function attemptPrefix(config: SignInConfig): string {
  return `${sessionCookieName(config)}-sign-in-`;
}

/** Returns the attributes of every cookie: no script reads it, and other sites send it only by links. */
export function cookieOptions({ publicUrl }: SignInConfig): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: publicUrl?.protocol === 'https:' };
}

export function formatAttempt(attempt: BegunSignIn): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

/** Parses the cookie of a sign-in; undefined for anything else. */
export function parseAttempt(text: string | undefined): BegunSignIn | undefined {
  try {
    const attempt: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'));
    if (!isObject(attempt)) return undefined;
    const { state, nonce, verifier, to } = attempt;
    const isWhole = [state, nonce, verifier, to].every((each) => typeof each === 'string' && each !== '');
    return isWhole ? (attempt as unknown as BegunSignIn) : undefined;
  } catch {
    return undefined;
  }
}
