import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BentIssuer, startBentIssuer } from './bent-issuer.ts';
import { CLIENT } from './real-issuer.ts';
import { HOURS, type SignedInServer, serveSignIn } from './signed-in-server.ts';

const ANNA = { sub: 'anna', sid: 's1', email: 'anna@example.com', email_verified: true };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let issuer: BentIssuer;
let served: SignedInServer;
beforeAll(async () => {
  issuer = await startBentIssuer(ANNA);
  served = await serveSignIn(issuer.url);
});
beforeEach(() => {
  issuer.bend = {};
  issuer.key = 'own';
});
afterAll(async () => {
  await served.close();
  await issuer.close();
});

const soon = () => Math.floor(Date.now() / 1000) + 300;
const longAgo = () => Math.floor(Date.now() / 1000) - 3_600;

async function signIn() {
  const browser = served.browser();
  return { browser, shown: await browser.go('/auth/sign-in') };
}

it('the right token is taken', async () => {
  const { browser, shown } = await signIn();
  expect(shown.url.pathname).toBe('/');
  expect((await browser.send(HOURS)).status).toBe(200);
});

it.each([
  ['another issuer', { iss: 'https://evil.example' }],
  ['another audience', { aud: 'another-client' }],
  ['several audiences of which another is meant', { aud: [CLIENT.id, 'other'], azp: 'other' }],
  ['a time that is over', { exp: longAgo(), iat: longAgo() - 60 }],
  ['another sign-in', { nonce: 'another' }],
  ['nobody', { sub: undefined }],
])('a token of %s is refused', async (_, bend) => {
  issuer.bend = bend;
  const { browser, shown } = await signIn();
  expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('The sign-in at')]);
  expect(browser.cookies.size).toBe(0);
});

it.each([
  ['an empty name', { sub: '' }, 'sent a token whose sub is empty'],
  ['the future', { iat: soon(), exp: soon() + 60 }, 'sent a token that is made'],
])('a token of %s is refused, and the reason is told', async (_, bend, reason) => {
  issuer.bend = bend;
  const { browser, shown } = await signIn();
  expect([shown.status, shown.text]).toEqual([403, expect.stringContaining(reason)]);
  expect(browser.cookies.size).toBe(0);
});

it('a second sign-in in a browser ends the session before', async () => {
  const { browser } = await signIn();
  const before = { cookie: `__Host-plumbline=${browser.cookies.get('__Host-plumbline')}` };
  expect((await served.get(HOURS, before)).status).toBe(200);
  await browser.go('/auth/sign-in');
  expect((await browser.send(HOURS)).status).toBe(200);
  expect((await served.get(HOURS, before)).status).toBe(401);
});

it('a token of a sign-out is taken once', async () => {
  const logout_token = await issuer.signLogout({ sub: 'anna' });
  const body = new URLSearchParams({ logout_token }).toString();
  const send = async () => (await served.browser().send('/auth/back-channel-logout', 'POST', FORM, body)).status;
  expect(await send()).toBe(200);
  const { browser } = await signIn();
  expect(await send()).toBe(403);
  expect((await browser.send(HOURS)).status).toBe(200);
});

it.each(['other', 'none'] as const)('a token signed with a key that is %s is refused', async (key) => {
  issuer.key = key;
  const { browser, shown } = await signIn();
  expect([shown.status, browser.cookies.size]).toEqual([403, 0]);
});

it('groups that the issuer leaves out are a sentence, not no groups', async () => {
  issuer.bend = { _claim_names: { groups: 'src1' } };
  const { shown } = await signIn();
  expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('left out the claim groups')]);
});

it('a sign-out at the issuer ends the sessions that it names at once', async () => {
  const [one, two] = [
    (await signIn()).browser,
    await (async () => {
      issuer.bend = { sub: 'anna', sid: 's2' };
      return (await signIn()).browser;
    })(),
  ];
  const end = async (claims: object) => {
    const logout_token = await issuer.signLogout({ ...claims });
    const body = new URLSearchParams({ logout_token }).toString();
    return (await served.browser().send('/auth/back-channel-logout', 'POST', FORM, body)).status;
  };
  const statuses = async () => [(await one.send(HOURS)).status, (await two.send(HOURS)).status];
  expect(await statuses()).toEqual([200, 200]);
  expect(await end({ sub: 'anna', sid: 's1' })).toBe(200);
  expect(await statuses()).toEqual([401, 200]);
  expect(await end({ sub: 'anna' })).toBe(200);
  expect(await statuses()).toEqual([401, 401]);
});

it.each([
  ['of another issuer', { iss: 'https://evil.example' }, 'own'],
  ['of another audience', { aud: 'other' }, 'own'],
  ['of an hour ago', { iat: longAgo() }, 'own'],
  ['that is over', { exp: longAgo() }, 'own'],
  ['without a time', { iat: undefined }, 'own'],
  ['without an id', { jti: undefined }, 'own'],
  ['without its event', { events: {} }, 'own'],
  ['with a nonce, as that of a sign-in', { nonce: 'n' }, 'own'],
  ['about nobody', { sub: undefined }, 'own'],
  ['about an empty name', { sub: '' }, 'own'],
  ['of the future', { iat: soon() }, 'own'],
  ['of another key', {}, 'other'],
  ['without a signature', {}, 'none'],
] as const)('a token of a sign-out %s is refused', async (_, claims, key) => {
  const { browser } = await signIn();
  const logout_token = await issuer.signLogout({ sub: 'anna', ...claims }, key);
  const body = new URLSearchParams({ logout_token }).toString();
  expect((await served.browser().send('/auth/back-channel-logout', 'POST', FORM, body)).status).toBe(403);
  expect((await browser.send(HOURS)).status).toBe(200);
});

it('a server whose issuer is gone starts, says so, and signs in when it is back', { tags: ['slow'] }, async () => {
  const gone = await startBentIssuer(ANNA);
  await gone.close();
  const other = await serveSignIn(gone.url);
  const shown = await other.browser().go('/auth/sign-in');
  expect([shown.status, shown.text]).toEqual([502, expect.stringContaining(`${gone.url.href} can't be asked now`)]);
  expect((await other.get('/readyz')).status).toBe(200);
  const back = await startBentIssuer(ANNA, Number(gone.url.port));
  const browser = other.browser();
  expect((await browser.go('/auth/sign-in')).status).toBe(200);
  expect((await browser.send(HOURS)).status).toBe(200);
  await other.close();
  await back.close();
});
