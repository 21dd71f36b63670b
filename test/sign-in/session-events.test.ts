import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createToken } from '../../src/doors/identity/tokens.ts';
import { type RealIssuer, startIssuer } from './real-issuer.ts';
import { COMPANY, type SignedInServer, serveSignIn } from './signed-in-server.ts';

/** Anna's account has no limit until a test gives it one. */
const DATA = {
  ...COMPANY,
  departments: [{ department_id: 1, name: 'Delivery' }],
  accounts: [{ account_id: 31, name: 'Anna', email: 'anna@example.com' }],
};

const rules = (scopes: string) => `rules: [{ claim: groups, has: staff, scopes: [${scopes}], all: true }]\n`;
const DAY_MS = 86_400_000;

let at = new Date('2026-06-15T12:00:00Z');
let issuer: RealIssuer;
let served: SignedInServer;
let authorization: string;
beforeAll(async () => {
  issuer = await startIssuer({});
  const limits = { heartbeatMs: 100, refreshDelayMs: 50 };
  served = await serveSignIn(issuer.url, { data: DATA, write: true, inMemory: true, limits, now: () => at });
  authorization = (await served.token(['write'])).header;
});
beforeEach(() => served.allow(rules('reports')));
afterAll(async () => {
  await served.close();
  await issuer.close();
});

/** Turns the clock of the server on by a day. */
function turnOn(): void {
  at = new Date(at.getTime() + DAY_MS);
}

async function patch(path: string, fields: object): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = await fetch(new URL(path, served.url), { method: 'PATCH', headers, body: JSON.stringify(fields) });
  expect(sent.status).toBe(200);
}

/** Signs Anna in, and opens a stream of events with her session. */
async function open() {
  issuer.people['anna'] = { groups: ['staff'], email: 'anna@example.com', email_verified: true };
  issuer.person = 'anna';
  const browser = served.browser();
  expect((await browser.go('/auth/sign-in', '/')).status).toBe(0);
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const stop = new AbortController();
  const response = await fetch(new URL('/v3/events', served.url), { headers: { cookie }, signal: stop.signal });
  expect(response.status).toBe(200);
  const told = { text: '', hasEnded: false };
  const read = async () => {
    for await (const piece of response.body ?? []) told.text += Buffer.from(piece).toString();
    told.hasEnded = true;
  };
  void read().catch(() => undefined);
  const versions = () => told.text.match(/^id: .*/gm)?.length ?? 0;
  await expect.poll(versions).toBe(1);
  return { browser, told, versions, close: () => stop.abort() };
}

it('a session hears of new data while others get tokens', { tags: ['slow'] }, async () => {
  const { told, versions, close } = await open();
  await patch('/v3/people/1', { name: 'Anne' });
  await expect.poll(versions).toBe(2);
  await createToken(served.tokens, { label: 'other', scopes: ['reports'], expires: null }, at);
  const before = told.text.length;
  await expect.poll(() => told.text.length).toBeGreaterThan(before + 12);
  expect(told.hasEnded).toBe(false);
  close();
});

it.each([
  ['when its account gets a limit', () => patch('/v3/accounts/31', { department_filter: [1] })],
  ['when the rules give no reports any more', async () => served.allow(rules('sql'))],
  ['when the session is over', async () => turnOn()],
])('a stream of a session ends %s, and tells nothing more', async (_when, change) => {
  const { told, versions } = await open();
  await change();
  await expect.poll(() => told.hasEnded).toBe(true);
  expect(versions()).toBe(1);
  await patch('/v3/accounts/31', { department_filter: null });
});

it('a stream of a session ends when it signs out', async () => {
  const { browser, told } = await open();
  const out = await browser.send('/auth/sign-out', 'POST', { 'x-plumbline-page': '1' });
  expect(out.status).toBeLessThan(400);
  await expect.poll(() => told.hasEnded).toBe(true);
});
