import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { SignInConfig } from '../../../base/config/index.ts';
import { AppError, isObject } from '../../../base/index.ts';
import { type Issuer, LOGOUT_TOKEN_MS } from '../../identity/issuer.ts';
import { endSessions, revokeSession } from '../../identity/sessions.ts';
import { nameInLog } from '../protocol/access-notes.ts';
import { readBodiesAs } from '../protocol/bodies.ts';
import { FORM, parseForm } from '../protocol/form-body.ts';
import type { ServerParts } from '../protocol/server-parts.ts';
import { SIGN_IN_PATH, SIGN_OUT_PATH, sessionCookieName } from '../protocol/session-cookie.ts';
import { cookieOptions, MARK_COOKIE } from './sign-in-cookies.ts';
import { logoutOperation, sessionOperation, signOutOperation } from './sign-in-operations.ts';

export type SignInParts = Pick<ServerParts, 'auth' | 'config' | 'now' | 'accessLog'>;

interface SessionParts {
  readonly issuer: Issuer;
  readonly signIn: SignInConfig;
  readonly sessionsFile: string;
}

/** The latest tokens of sign-outs at the issuer, none of which is taken again. Unit: tokens. */
const MAX_USED_LOGOUTS = 10_000;

/** Adds the session of a browser, its end, and the issuer's sign-outs. */
export function registerSessionRoutes(
  scope: FastifyInstance,
  { auth, accessLog }: SignInParts,
  { issuer, signIn, sessionsFile }: SessionParts,
): void {
  const told = { config: { operations: { '/v3/session': { get: sessionOperation } } } };
  scope.get('/v3/session', told, async ({ reader }, reply) => {
    const { label = '', scopes = [], session } = reader ?? {};
    const shown = session && {
      name: label,
      email: session.email ?? null,
      subject: session.subject,
      scopes: [...scopes],
      ends_at: new Date(session.endsAt).toISOString(),
      refusal: session.refusal ? `${session.refusal.message}. ${session.refusal.hint}` : null,
    };
    return reply.header('cache-control', 'no-store').send({ session: shown ?? null, sign_in: SIGN_IN_PATH });
  });

  const operations = { [SIGN_OUT_PATH]: { post: signOutOperation } };
  scope.post(SIGN_OUT_PATH, { config: { takesSession: true, operations } }, async ({ reader }, reply) => {
    if (reader?.session) {
      // Another tab may have ended it.
      await revokeSession(sessionsFile, reader.id).catch(ignoreUnknown);
      await auth.look();
      accessLog.note({ event: 'sign-out', ...nameInLog(reader) });
    }
    for (const name of [sessionCookieName(signIn), MARK_COOKIE]) reply.clearCookie(name, cookieOptions(signIn));
    return reply.code(204).header('cache-control', 'no-store').send();
  });

  const used = new LRUCache<string, true>({ max: MAX_USED_LOGOUTS, ttl: LOGOUT_TOKEN_MS });
  readBodiesAs(scope, FORM, parseForm);
  const logout = { config: { operations: { '/auth/back-channel-logout': { post: logoutOperation } } } };
  scope.post('/auth/back-channel-logout', logout, async ({ body }, reply) => {
    const token = isObject(body) ? body['logout_token'] : undefined;
    if (typeof token !== 'string') {
      const message = 'logout_token is missing: send the token of a sign-out as a form';
      throw new AppError('usage', message, { fields: [{ field: 'logout_token', message }] });
    }
    const ended = await issuer.readLogout(token);
    if (used.has(ended.id)) throw new AppError('forbidden', 'The token of this sign-out has been sent before');
    await endSessions(sessionsFile, ended);
    // Not before: an issuer sends it again if the sessions couldn't be ended.
    used.set(ended.id, true);
    await auth.look();
    accessLog.note({ event: 'sign-out', subject: ended.subject });
    return reply.header('cache-control', 'no-store').send({});
  });
}

function ignoreUnknown(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'unknown') throw error;
}
