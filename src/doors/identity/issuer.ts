import type * as OpenId from 'openid-client';
import { isLoopback, type SignInConfig } from '../../base/config/index.ts';
import { AppError, isObject, messageOf } from '../../base/index.ts';
import type { Claims } from './access.ts';
import type { IssuerSignOut, SignedIn } from './sessions.ts';

/** A sign-in that has begun: its secrets, which the browser keeps until it comes back. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect issuer at which readers sign in. */
export interface Issuer {
  /** Begins a sign-in. @returns the address to go to. @throws AppError source if the issuer can't be reached. */
  begin(attempt: SignInAttempt, callback: URL): Promise<URL>;
  /**
   * Ends a sign-in: exchanges the code, and checks the token about who it is.
   * @param answer The address with the issuer's answer.
   * @throws AppError forbidden if the issuer refuses it or its token is wrong, source if it can't be reached.
   */
  finish(answer: URL, attempt: SignInAttempt, claimNames: readonly string[]): Promise<SignedIn>;
  /** Checks the token of a sign-out. @throws AppError forbidden for a wrong one, source as `begin`. */
  readLogout(token: string): Promise<IssuerSignOut>;
  /** Gives up all that the issuer is asked. */
  close(): void;
}

/** The longest wait for each whole answer of the issuer: its addresses, a token, the claims, its keys. Unit: s. */
const ISSUER_TIMEOUT_SECONDS = 10;

/** The difference of the issuer's clock that is allowed. Unit: s. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** The oldest token of a sign-out that is taken. Unit: s. */
const MAX_LOGOUT_AGE_SECONDS = 120;

/** The claims of one reader that are kept. Unit: characters of JSON. */
const MAX_CLAIM_CHARACTERS = 65_536;

/** The time for which the token of a sign-out can be sent: its age, and the difference of clocks on either side. Unit: ms. */
export const LOGOUT_TOKEN_MS = 180_000;

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface Discovered {
  readonly openid: typeof OpenId;
  readonly configuration: OpenId.Configuration;
  readLogout(token: string): Promise<Claims>;
}

/**
 * Opens an issuer, which is asked for its addresses when somebody first signs in, and again after a failure.
 * @param timeoutSeconds The longest wait for each whole answer.
 */
export function openIssuer(config: SignInConfig, timeoutSeconds = ISSUER_TIMEOUT_SECONDS): Issuer {
  const closing = new AbortController();
  let found: Promise<Discovered> | undefined;
  const discover = () => {
    found ??= readIssuer(config, timeoutSeconds, closing.signal).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
  return {
    async begin({ state, nonce, verifier }, callback) {
      const { openid, configuration } = await discover();
      return openid.buildAuthorizationUrl(configuration, {
        redirect_uri: callback.href,
        scope: config.scopes,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async finish(answer, { state, nonce, verifier }, claimNames) {
      const { openid, configuration } = await discover();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      };
      const tokens = await openid
        .authorizationCodeGrant(configuration, answer, checks)
        .catch((error: unknown) => Promise.reject(issuerError(config, error)));
      const told = tokens.claims();
      if (!told) throw new AppError('forbidden', `The issuer ${config.issuer.href} sent no token about who signs in`);
      assertSound(told, config.issuer);
      const claims = await completeClaims({ openid, configuration }, tokens.access_token, told, claimNames).catch(
        (error: unknown) => Promise.reject(issuerError(config, error)),
      );
      const sid = typeof told['sid'] === 'string' ? { sid: told['sid'] } : {};
      return {
        issuer: config.issuer.href,
        subject: told.sub,
        ...sid,
        asked: claimNames,
        claims: pickClaims(claims, claimNames),
      };
    },
    async readLogout(token) {
      const { readLogout } = await discover();
      const claims = await readLogout(token).catch((error: unknown) => Promise.reject(issuerError(config, error)));
      return understandLogout(config.issuer.href, claims);
    },
    close: () => closing.abort(),
  };
}

/** Refuses what the library takes: nobody's name, and a token of the future. @throws AppError forbidden. */
function assertSound({ sub, iat }: Pick<OpenId.IDToken, 'sub' | 'iat'>, { href }: URL): void {
  const ahead = iat - Date.now() / 1000;
  if (sub === '') throw new AppError('forbidden', `The issuer ${href} sent a token whose sub is empty`);
  if (ahead <= CLOCK_TOLERANCE_SECONDS) return;
  throw new AppError('forbidden', `The issuer ${href} sent a token that is made ${Math.ceil(ahead)} s from now`, {
    hint: `Its clock and that of this server may differ by ${CLOCK_TOLERANCE_SECONDS} s. Set them right.`,
  });
}

async function readIssuer(
  { issuer, clientId, clientSecret }: SignInConfig,
  timeout: number,
  closing: AbortSignal,
): Promise<Discovered> {
  // Both libraries take long to import, and a server may run for days before somebody signs in.
  const [openid, jose] = await Promise.all([import('openid-client'), import('jose')]);
  const authenticate: OpenId.ClientAuth = (server, ...rest) => {
    const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    const method = isPost ? openid.ClientSecretPost(clientSecret) : openid.ClientSecretBasic(clientSecret);
    return method(server, ...rest);
  };
  const execute = [openid.enableNonRepudiationChecks];
  if (isLoopback(issuer.hostname)) execute.push(openid.allowInsecureRequests);
  const send = (url: string, { signal, ...options }: RequestInit) =>
    fetch(url, { ...options, signal: signal ? AbortSignal.any([signal, closing]) : closing });
  const client = { client_id: clientId, [openid.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  try {
    const options = { timeout, execute, [openid.customFetch]: send as OpenId.CustomFetch };
    const configuration = await openid.discovery(issuer, clientId, client, authenticate, options);
    const { issuer: name, jwks_uri: keys = '' } = configuration.serverMetadata();
    const keySet = jose.createRemoteJWKSet(new URL(keys), {
      timeoutDuration: timeout * 1000,
      [jose.customFetch]: send,
    });
    const readLogout = async (token: string) => {
      const { payload } = await jose.jwtVerify(token, keySet, {
        issuer: name,
        audience: clientId,
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: MAX_LOGOUT_AGE_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload;
    };
    return { openid, configuration, readLogout };
  } catch (error) {
    throw unreachableError(issuer, error);
  }
}

/** Adds the claims that the issuer tells only when asked for them. */
async function completeClaims(
  { openid, configuration }: Pick<Discovered, 'openid' | 'configuration'>,
  accessToken: string,
  told: OpenId.IDToken,
  names: readonly string[],
): Promise<Claims> {
  const isComplete = names.every((name) => Object.hasOwn(told, name));
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return told;
  return { ...(await openid.fetchUserInfo(configuration, accessToken, told.sub)), ...told };
}

/** Keeps the claims that rules of access are about. @throws AppError limit if they are too long. */
function pickClaims(claims: Claims, names: readonly string[]): Claims {
  const picked = Object.fromEntries(
    names.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]),
  );
  const { length } = JSON.stringify(picked);
  if (length <= MAX_CLAIM_CHARACTERS) return picked;
  throw new AppError(
    'limit',
    `The issuer tells ${length} characters of claims; at most ${MAX_CLAIM_CHARACTERS} are kept`,
    {
      hint: 'Let it send the groups of this application alone.',
    },
  );
}

function understandLogout(issuer: string, { events, nonce, sub, sid, jti }: Claims): IssuerSignOut {
  const [subject, session, id] = [sub, sid, jti].map((each) => (typeof each === 'string' && each ? each : undefined));
  const isLogout = isObject(events) && isObject(events[LOGOUT_EVENT]) && nonce === undefined;
  if (isLogout && id !== undefined && (subject ?? session) !== undefined) return { issuer, id, subject, sid: session };
  throw new AppError('forbidden', 'The token is not one of a sign-out');
}

/** Returns the error of an exchange: the issuer's refusal or a wrong token, or else that it can't be reached. */
function issuerError({ issuer }: SignInConfig, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof TypeError || isGivenUp(error)) return unreachableError(issuer, error);
  const { error_description: said = messageOf(error) } = error as { error_description?: string };
  return new AppError('forbidden', `The sign-in at ${issuer.href} failed: ${said}`, {
    hint: 'Sign in again.',
    cause: error,
  });
}

/** Tests whether an answer was waited for too long, or the server stops, wherever in the answer that was. */
function isGivenUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOne =
    ['TimeoutError', 'AbortError'].includes(error.name) || ('code' in error && error.code === 'ERR_JWKS_TIMEOUT');
  return isOne || isGivenUp(error.cause);
}

function unreachableError(issuer: URL, cause: unknown): AppError {
  const { cause: reason = cause } = cause as { cause?: unknown };
  return new AppError('source', `The issuer ${issuer.href} can't be asked now: ${messageOf(reason)}`, {
    hint: 'Try again in a moment. Whoever runs this server finds its address in --oidc-issuer.',
    cause,
  });
}
