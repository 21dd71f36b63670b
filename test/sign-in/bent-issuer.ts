import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { CLIENT } from './real-issuer.ts';

/** The key that a token is signed with: the issuer's, another of the same name, or none. */
type SigningKey = 'own' | 'other' | 'none';

/** Ways not to answer: nothing at all, the head alone, or one byte after another without an end. */
export type StallWay = 'silent' | 'head' | 'dripping';

/** An issuer whose tokens can be wrong. */
export interface BentIssuer {
  readonly url: URL;
  /** Claims in place of the right ones; undefined removes one. */
  bend: Readonly<Record<string, unknown>>;
  key: SigningKey;
  /** A path at which no whole answer comes. */
  stalled: { readonly path: string; readonly way: StallWay } | undefined;
  /** Signs a token of a sign-out, with claims in place of the right ones. */
  signLogout(claims: Readonly<Record<string, unknown>>, key?: SigningKey): Promise<string>;
  close(): Promise<void>;
}

const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** Starts an issuer of one person. @param port That of an issuer that was there before; any free one by default. */
export async function startBentIssuer(claims: Readonly<Record<string, unknown>>, port = 0): Promise<BentIssuer> {
  const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: '1', alg: 'ES256', use: 'sig' };
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const now = () => Math.floor(Date.now() / 1000);
  const sign = (bent: Readonly<Record<string, unknown>>, key: SigningKey) => {
    const right = { iss: url.origin, aud: CLIENT.id, iat: now(), exp: now() + 60 };
    const payload = JSON.parse(JSON.stringify({ ...right, ...bent })) as JWTPayload;
    if (key === 'none') return new UnsecuredJWT(payload).encode();
    const { privateKey } = key === 'own' ? own : other;
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: '1' }).sign(privateKey);
  };
  const issuer: BentIssuer = {
    url,
    bend: {},
    key: 'own',
    stalled: undefined,
    signLogout: async (bent, key = 'own') => sign({ jti: randomUUID(), events: LOGOUT, ...bent }, key),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  let nonce: string | null = null;
  server.on('request', async (request, response) => {
    const { pathname, searchParams: sent } = new URL(request.url ?? '', url);
    const send = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    if (pathname === issuer.stalled?.path) return stall(response, issuer.stalled.way);
    if (pathname === '/.well-known/openid-configuration')
      return send({
        issuer: url.origin,
        authorization_endpoint: `${url.origin}/authorize`,
        token_endpoint: `${url.origin}/token`,
        jwks_uri: `${url.origin}/keys`,
        userinfo_endpoint: `${url.origin}/userinfo`,
        id_token_signing_alg_values_supported: ['ES256', 'none'],
      });
    if (pathname === '/userinfo') return send({ sub: claims['sub'] });
    if (pathname === '/keys') return send({ keys: [jwk] });
    if (pathname === '/token') {
      const id_token = await sign({ ...claims, nonce, ...issuer.bend }, issuer.key);
      return send({ access_token: 'a', token_type: 'Bearer', id_token });
    }
    nonce = sent.get('nonce');
    const back = new URL(sent.get('redirect_uri') ?? '');
    back.searchParams.set('state', sent.get('state') ?? '');
    back.searchParams.set('code', 'a-code');
    return response.writeHead(302, { location: back.href }).end();
  });
  return issuer;
}

function stall(response: ServerResponse, way: StallWay): void {
  if (way === 'silent') return;
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  if (way === 'head') return;
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}
