import { randomBytes } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { SignInConfig } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import { openIssuer } from '../../identity/issuer.ts';
import { createSession, SESSION_MS, sessionsBeside } from '../../identity/sessions.ts';
import { describeError } from '../protocol/errors.ts';
import { assertLocalHost } from '../protocol/host.ts';
import { logFailure } from '../protocol/log.ts';
import { SIGN_IN_PATH, sessionCookieName } from '../protocol/session-cookie.ts';
import { decideAbout } from '../protocol/session-readers.ts';
import { escapeText } from '../protocol/xml.ts';
import { registerSessionRoutes, type SignInParts } from './session-routes.ts';
import {
  attemptCookieName,
  attemptCookieNames,
  type BegunSignIn,
  cookieOptions,
  formatAttempt,
  MARK_COOKIE,
  MAX_BEGUN_SIGN_INS,
  parseAttempt,
  SIGN_IN_SECONDS,
} from './sign-in-cookies.ts';
import { callbackOperation, signInOperation } from './sign-in-operations.ts';

const CALLBACK_PATH = '/auth/callback';

/** The latest states that have come back, none of which is taken again. Unit: states. */
const MAX_USED_STATES = 10_000;

/** Adds the sign-in at an OpenID Connect issuer: the code flow with PKCE, nonce and state (S1). */
export async function registerSignIn(app: FastifyInstance, parts: SignInParts, config: SignInConfig): Promise<void> {
  const issuer = openIssuer(config);
  const sessionsFile = sessionsBeside(parts.config.tokens);
  const used = new LRUCache<string, true>({ max: MAX_USED_STATES });
  // A stop waits for no issuer.
  app.addHook('preClose', async () => issuer.close());
  await app.register(async (scope) => {
    await scope.register(fastifyCookie);
    const options = cookieOptions(config);
    const begin = { config: { operations: { [SIGN_IN_PATH]: { get: signInOperation } } } };
    scope.get<{ Querystring: { to?: string } }>(SIGN_IN_PATH, begin, async (request, reply) => {
      const base = baseOf(request, config);
      const secrets = { state: makeSecret(), nonce: makeSecret(), verifier: makeSecret() };
      const attempt: BegunSignIn = { ...secrets, to: pathWithin(base, request.query.to) };
      try {
        const address = await issuer.begin(attempt, new URL(CALLBACK_PATH, base));
        const begun = attemptCookieNames(config, request.cookies);
        if (begun.length >= MAX_BEGUN_SIGN_INS) for (const name of begun) reply.clearCookie(name, options);
        reply.setCookie(attemptCookieName(config, attempt.state), formatAttempt(attempt), {
          ...options,
          maxAge: SIGN_IN_SECONDS,
        });
        return await reply.header('cache-control', 'no-store').redirect(address.href);
      } catch (error) {
        return answerNotice(request, reply, error);
      }
    });
    const end = { config: { operations: { [CALLBACK_PATH]: { get: callbackOperation } } } };
    scope.get<{ Querystring: { state?: string } }>(CALLBACK_PATH, end, async (request, reply) => {
      const state = String(request.query.state ?? '');
      const name = attemptCookieName(config, state);
      const attempt = parseAttempt(request.cookies[name]);
      reply.header('cache-control', 'no-store').clearCookie(name, options);
      try {
        if (attempt?.state !== state || used.has(state)) throw overError();
        used.set(state, true);
        // Behind a proxy, neither the host nor the scheme of the request is that of the address in the browser.
        const answer = new URL(request.url, baseOf(request, config));
        return await finish(request, reply, answer, attempt);
      } catch (error) {
        return answerNotice(request, reply, error);
      }
    });
    const finish = async (
      { cookies }: FastifyRequest,
      reply: FastifyReply,
      answer: URL,
      attempt: BegunSignIn,
    ): Promise<FastifyReply> => {
      const { auth, accessLog, now } = parts;
      const rules = auth.access();
      const who = await issuer.finish(answer, attempt, rules?.claimNames ?? []);
      const { decision, refusal } = decideAbout(who.claims, rules);
      const reader = { subject: who.subject, email: decision?.email };
      if (!decision) {
        accessLog.note({ event: 'refused', ...reader });
        throw new AppError('forbidden', `No rule of access is for ${describe(who.claims, who.subject)}`, {
          hint: `${refusal}.`,
        });
      }
      const { text } = await createSession(sessionsFile, who, now(), cookies[sessionCookieName(config)]);
      await auth.look();
      accessLog.note({ event: 'sign-in', ...reader });
      const lasting = { ...options, maxAge: SESSION_MS / 1000 };
      reply.setCookie(sessionCookieName(config), text, lasting);
      reply.setCookie(MARK_COOKIE, '1', { ...lasting, httpOnly: false });
      return reply.redirect(attempt.to);
    };
    registerSessionRoutes(scope, parts, { issuer, signIn: config, sessionsFile });
  });
}

/** Answers a failed sign-in as a page: a browser shows it in place of the reports. */
function answerNotice(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, message } = describeError(error);
  if (status === 500) logFailure(request, error);
  else request.log.info({ request: request.id }, `sign-in: ${message}`);
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plumbline</title></head>
<body><main><h1>You are not signed in</h1><p role="alert">${escapeText(message)}</p><p><a href="${SIGN_IN_PATH}">Sign in again</a></p></main></body>
</html>
`);
}

function overError(): AppError {
  return new AppError('usage', 'This sign-in is over, or it began in another browser', { hint: 'Sign in again.' });
}

/** Returns the address of the page in browsers. @throws an error of status 421 for another name of this machine. */
function baseOf({ headers }: FastifyRequest, { publicUrl }: SignInConfig): URL {
  if (publicUrl) return publicUrl;
  assertLocalHost(headers.host);
  return new URL(`http://${headers.host}`);
}

/** Returns the path and query of an address of the page; its root for an address elsewhere, to which no sign-in may lead. */
function pathWithin(base: URL, to: string | undefined): string {
  if (to === undefined || !URL.canParse(to, base.href)) return '/';
  const { origin, pathname, search, hash } = new URL(to, base);
  return origin === base.origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/';
}

function describe({ email }: { readonly email?: unknown }, subject: string): string {
  return typeof email === 'string' ? email : subject;
}

/** Makes a secret of 256 bits. */
function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}
