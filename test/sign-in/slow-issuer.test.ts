// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { SignInConfig } from '../../src/base/config/sign-in-settings.ts';
import { openIssuer } from '../../src/doors/identity/issuer.ts';
import { type BentIssuer, type StallWay, startBentIssuer } from './bent-issuer.ts';
import { CLIENT, PUBLIC_URL } from './real-issuer.ts';
import { HOURS, serveSignIn } from './signed-in-server.ts';

const ANNA = { sub: 'anna', email: 'anna@example.com', email_verified: true };
const ATTEMPT = { state: 'a-state', nonce: 'a-nonce', verifier: 'v'.repeat(43) };
const CALLBACK = new URL('/auth/callback', PUBLIC_URL);
const WAYS: readonly StallWay[] = ['silent', 'head', 'dripping'];

let stand: BentIssuer;
let config: SignInConfig;
beforeAll(async () => {
  stand = await startBentIssuer(ANNA);
  config = {
    issuer: stand.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: 'openid email',
    access: 'access.yaml',
    publicUrl: PUBLIC_URL,
  };
});
beforeEach(() => {
  stand.stalled = undefined;
});
afterAll(() => stand.close());

/** Signs in, or out at the issuer. @param timeout The limit of time for each answer, in s. */
async function signIn(timeout?: number) {
  const issuer = openIssuer(config, timeout);
  const { location } = Object.fromEntries(
    (await fetch(await issuer.begin(ATTEMPT, CALLBACK), { redirect: 'manual' })).headers,
  );
  return issuer.finish(new URL(location ?? ''), ATTEMPT, ['email', 'groups']);
}

const signOut = async (timeout?: number) =>
  openIssuer(config, timeout).readLogout(await stand.signLogout({ sub: 'anna' }));

describe.each(WAYS)('an issuer that is %s', (way) => {
  it.each([
    ['its addresses', '/.well-known/openid-configuration', signIn],
    ['a token', '/token', signIn],
    ['its keys', '/keys', signIn],
    ['the claims', '/userinfo', signIn],
    ['its keys for a sign-out', '/keys', signOut],
  ])('about %s is given up', async (_, path, ask) => {
    stand.stalled = { path, way };
    const message = expect.stringContaining(`The issuer ${stand.url.href} can't be asked now: `);
    await expect(ask(0.25)).rejects.toMatchObject({ code: 'source', message });
    stand.stalled = undefined;
    await expect(ask()).resolves.toMatchObject({ subject: 'anna' });
  });
});

it('tokens work while a sign-in waits for its issuer, and a stop does not wait', { tags: ['slow'] }, async () => {
  const served = await serveSignIn(stand.url);
  let isOpen = true;
  onTestFinished(() => void (isOpen && served.close()));
  const { header } = await served.token(['reports']);
  const browser = served.browser();
  const back = await browser.go('/auth/sign-in', '/auth/callback');
  stand.stalled = { path: '/token', way: 'silent' };
  const waiting = browser.go(back.url);
  await expect.poll(async () => (await served.get(HOURS, { authorization: header })).status).toBe(200);
  const before = performance.now();
  isOpen = false;
  await served.close();
  expect(performance.now() - before).toBeLessThan(9_000);
  const { status, text } = await waiting;
  expect([status, text]).toEqual([502, expect.stringContaining("can't be asked now")]);
});
