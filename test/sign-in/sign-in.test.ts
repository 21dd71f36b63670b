import { readFileSync, statSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { LIMITS } from '../../src/doors/http/protocol/limits.ts';
import { openAuth } from '../../src/doors/http/protocol/open-auth.ts';
import { readSessions, revokeSession, sessionsBeside } from '../../src/doors/identity/sessions.ts';
import type { Generations } from '../../src/store/generation/generations.ts';
import type { LiveSource } from '../../src/store/live/live-source.ts';
import { NOW } from '../http/served.ts';
import { buildCompany } from '../sql/company.ts';
import { type RealIssuer, startIssuer } from './real-issuer.ts';
import { COMPANY, HOURS, namesIn, RULES, type SignedInServer, serveSignIn } from './signed-in-server.ts';

const PAGE = { 'x-plumbline-page': '1' };

let issuer: RealIssuer;
let served: SignedInServer;
beforeAll(async () => {
  issuer = await startIssuer({
    anna: { email: 'Anna@example.com', email_verified: true, groups: ['staff'] },
    eve: { email: 'anna@example.com', email_verified: false },
    flo: { email: 'flo@example.com', email_verified: true, groups: ['finance', 'staff'] },
    max: {
      email: 'max@example.com',
      email_verified: true,
      groups: Array.from({ length: 200 }, (_, at) => `g${at}`).concat('finance'),
    },
    sam: { email: 'sam@other.example', email_verified: true },
    tim: {},
  });
  served = await serveSignIn(issuer.url);
});
afterAll(async () => {
  await served.close();
  await issuer.close();
});

const sessionOf = async (browser: ReturnType<SignedInServer['browser']>) =>
  JSON.parse((await browser.send('/v3/session')).text).session;

/** Signs somebody in, in a new browser. */
async function signIn(person: string, { to = '/?screen=people', at = served } = {}) {
  issuer.person = person;
  const browser = at.browser();
  const shown = await browser.go(`/auth/sign-in?to=${encodeURIComponent(to)}`);
  return { browser, shown };
}

it('somebody signs in behind a proxy with another host, and sees the part of the rule', async () => {
  const { browser, shown } = await signIn('anna');
  expect(shown.url.href).toBe('https://plumbline.example.com/?screen=people');
  expect([...browser.cookies.keys()]).toEqual(['__Host-plumbline', 'plumbline-signed-in']);
  expect(namesIn(await browser.send(HOURS))).toEqual(['Anna']);
  expect(await sessionOf(browser)).toMatchObject({
    name: 'anna@example.com',
    subject: 'anna',
    scopes: ['reports'],
    refusal: null,
  });
  const { browser: other } = await signIn('flo');
  expect(namesIn(await other.send(HOURS))).toEqual(['Anna', 'Ben']);
});

it('a cookie is for this host alone, for no script, and no longer than the session', async () => {
  issuer.person = 'anna';
  const browser = served.browser();
  const back = await browser.go('/auth/sign-in', '/auth/callback');
  const { headers } = await browser.send(`${back.url.pathname}${back.url.search}`);
  const [cookie] = [headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('__Host-plumbline='));
  expect(cookie).toMatch(
    /^__Host-plumbline=pls_[0-9a-f]{8}_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const file = sessionsBeside(served.tokens);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain(browser.cookies.get('__Host-plumbline')?.slice(-43));
});

it('answers of two readers have two versions, and a session its own unchanged answer', async () => {
  const [one, two] = [(await signIn('anna')).browser, (await signIn('flo')).browser];
  const first = await one.send(HOURS);
  expect(first.headers['vary']).toContain('Authorization, Cookie');
  const etag = String(first.headers['etag']);
  for (let time = 0; time < 2; time += 1) {
    expect((await one.send(HOURS, 'GET', { 'if-none-match': etag })).status).toBe(304);
    expect((await two.send(HOURS, 'GET', { 'if-none-match': etag })).status).toBe(200);
  }
});

it.each([
  ['an unverified email', 'eve'],
  ['an email of another company', 'sam'],
  ['a claim that is missing', 'tim'],
])('%s lets nobody in, and says whom to ask', async (_, person) => {
  const { browser, shown } = await signIn(person);
  expect(shown.status).toBe(403);
  expect(shown.text).toContain('Ask finance@example.com.');
  expect([...browser.cookies.keys()]).toEqual([]);
});

it('200 groups are all of a reader’s groups', async () => {
  const { browser } = await signIn('max');
  expect((await sessionOf(browser)).scopes).toContain('rates');
});

it('two tabs sign in beside each other', async () => {
  issuer.person = 'anna';
  const browser = served.browser();
  const [one, two] = [
    await browser.go('/auth/sign-in?to=/?a', '/auth/callback'),
    await browser.go('/auth/sign-in?to=/?b', '/auth/callback'),
  ];
  expect((await browser.go(one.url)).url.search).toBe('?a');
  expect((await browser.go(two.url)).url.search).toBe('?b');
  expect(namesIn(await browser.send(HOURS))).toEqual(['Anna']);
});

it('a state and its code are taken once, and only in the browser that began', async () => {
  issuer.person = 'anna';
  const browser = served.browser();
  const { url } = await browser.go('/auth/sign-in', '/auth/callback');
  const begun = new Map(browser.cookies);
  expect((await served.browser().go(url)).status).toBe(400);
  expect((await browser.go(url)).status).toBe(200);
  const thief = served.browser();
  for (const [name, value] of begun) thief.cookies.set(name, value);
  const shown = await thief.go(url);
  expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('This sign-in is over')]);
});

it('no sign-in leads to another site', async () => {
  for (const to of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
    expect((await signIn('anna', { to })).shown.url.href).toBe('https://plumbline.example.com/');
});

it('a sign-out ends the session at once, also for who has stolen the cookie', async () => {
  const { browser } = await signIn('anna');
  const thief = served.browser();
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  expect((await thief.send(HOURS)).status).toBe(200);
  expect((await browser.send('/auth/sign-out', 'POST', PAGE)).status).toBe(204);
  expect([...browser.cookies.keys()]).toEqual([]);
  expect((await thief.send(HOURS)).status).toBe(401);
});

it('a revoked session, and a reader who is taken out of the rules, are out', async () => {
  const { browser } = await signIn('anna');
  const { browser: other } = await signIn('flo');
  const { subject } = await sessionOf(browser);
  const file = sessionsBeside(served.tokens);
  for (const session of (await readSessions(file)).filter((each) => each.subject === subject))
    await revokeSession(file, session.id);
  await expect.poll(async () => (await browser.send(HOURS)).status).toBe(401);
  expect((await other.send(HOURS)).status).toBe(200);
  served.allow('contact: Ask Max\nrules:\n  - { claim: groups, has: nobody, scopes: [reports], all: true }\n');
  await expect.poll(async () => (await other.send(HOURS)).status).toBe(403);
  expect(await sessionOf(other)).toMatchObject({
    scopes: [],
    refusal: 'No rule of access is for flo. Ask Max',
  });
  served.allow('rules: wrong');
  await expect.poll(async () => (await sessionOf(other)).refusal).toContain("can't be read");
  served.allow(RULES);
  await expect.poll(async () => (await other.send(HOURS)).status).toBe(200);
});

it('a session holds over a restart, and its reader signs in again when rules ask for another claim', async () => {
  const { browser } = await signIn('flo');
  const cookie = `__Host-plumbline=${browser.cookies.get('__Host-plumbline')}`;
  const files = { tokens: served.tokens, signIn: served.config };
  const reader = async (signInConfig = files.signIn) => {
    const auth = await openAuth(
      { ...files, signIn: signInConfig },
      LIMITS,
      false,
      () => NOW,
      () => undefined,
    );
    await auth.close();
    return auth.identify({ cookie })?.label;
  };
  expect(await reader()).toBe('flo@example.com');
  expect(await reader({ ...files.signIn, issuer: new URL('https://other.example') })).toBeUndefined();
  served.allow(RULES.replace('rules:', 'rules:\n  - { claim: contractor, is: "yes", scopes: [reports], only: mine }'));
  expect(await reader()).toBeUndefined();
  served.allow(RULES);
});

it('who signs in before the first load sees the own part after it', { tags: ['slow'] }, async () => {
  const { browser } = await signIn('anna');
  const cookie = `__Host-plumbline=${browser.cookies.get('__Host-plumbline')}`;
  const auth = await openAuth(
    { tokens: served.tokens, signIn: served.config },
    LIMITS,
    false,
    () => NOW,
    () => undefined,
  );
  const database = await buildCompany(COMPANY);
  const generation = { company: { dataVersion: '1' }, database: () => database };
  const lease = { open: async () => generation, release: () => undefined };
  const [current, latest] = [() => generation, () => generation];
  const loaded = { current, latest, lease: () => lease } as unknown as Generations;
  const partIn = async (generations?: Generations) => (await auth.settle({ cookie }, generations))?.part;
  expect(await partIn()).toEqual({ people_id: [] });
  expect(await partIn(loaded)).toEqual({ mine: { people_id: [1], project_manager: [] } });
  await database.close();
  await auth.close();
});

it('a session has the part of the newest records, and ends while no numbers can be read', {
  tags: ['slow'],
}, async () => {
  let source: LiveSource | undefined;
  const prepareSource = (opened: LiveSource) => {
    source = opened;
    return opened;
  };
  const live = await serveSignIn(issuer.url, { write: true, inMemory: true, prepareSource });
  onTestFinished(() => void live.close());
  const { header } = await live.token(['write']);
  const change = async (id: number, fields: object) => {
    const headers = { authorization: header, 'content-type': 'application/json' };
    const sent = { method: 'PATCH', headers, body: JSON.stringify(fields) };
    const patch = async () => (await fetch(new URL(`/v3/people/${id}`, live.url), sent)).status;
    await expect.poll(patch).toBe(200);
  };
  const { browser } = await signIn('anna', { at: live });
  expect(namesIn(await browser.send(HOURS))).toEqual(['Anna']);
  await change(1, { email: null });
  expect(namesIn(await browser.send(HOURS))).toEqual([]);
  await change(2, { email: 'anna@example.com' });
  expect(namesIn(await browser.send(HOURS))).toEqual(['Ben']);
  // The checks run with the next change.
  await source?.database.run('UPDATE source.logged_time SET hours = hours + 1');
  await change(1, { name: 'Ann' });
  expect((await browser.send(HOURS)).status).toBe(500);
  expect((await browser.send('/auth/sign-out', 'POST', PAGE)).status).toBe(204);
});

it('a session only reads, and posts where only reading happens with the header of the page', async () => {
  const { browser } = await signIn('flo');
  const post = (path: string, body: object, headers = {}) =>
    browser.send(path, 'POST', { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
  const sql = { sql: 'SELECT COUNT(*) AS n FROM marts.people' };
  expect((await post('/v3/sql', sql)).status).toBe(403);
  expect((await post('/v3/sql', sql, { ...PAGE, origin: 'https://evil.example' })).status).toBe(403);
  expect((await post('/v3/sql', sql, PAGE)).status).toBe(200);
  for (const path of ['/v3/people', '/mcp', '/v3/closings', '/v3/deliveries/a/run', '/auth/nothing'])
    expect((await post(path, { name: 'Eve' }, PAGE)).status, path).toBe(403);
  expect((await browser.send('/v3/people/1', 'DELETE', PAGE)).status).toBe(403);
});

it('a browser without a session is told where to sign in, and asked for no password', async () => {
  const browser = served.browser();
  const { status, headers, text } = await browser.send(HOURS, 'GET', PAGE);
  expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="plumbline"']);
  expect(JSON.parse(text).message).toContain('sign in at /auth/sign-in');
  expect(headers['link']).toBe('</auth/sign-in>; rel="sign-in"');
  expect(JSON.parse((await browser.send('/v3/session')).text)).toEqual({ session: null, sign_in: '/auth/sign-in' });
  expect((await browser.send(HOURS)).headers['www-authenticate']).toContain('Basic');
});

it('the description of a server with an issuer is valid, and has its routes and the cookie', async () => {
  const document = (await served.get('/openapi.json')).json();
  expect(await new Validator().validate(document)).toEqual({ valid: true });
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      '/auth/sign-in',
      '/auth/callback',
      '/auth/sign-out',
      '/auth/back-channel-logout',
      '/v3/session',
    ]),
  );
  expect(document.components.securitySchemes.session).toMatchObject({ in: 'cookie', name: '__Host-plumbline' });
});

it('tokens work beside sessions, and a token that is sent decides alone', async () => {
  const { header } = await served.token(['reports']);
  const { browser } = await signIn('anna');
  await expect
    .poll(async () => namesIn(await browser.send(HOURS, 'GET', { authorization: header })))
    .toEqual(['Anna', 'Ben']);
  expect((await browser.send(HOURS, 'GET', { authorization: 'Bearer plb_00000000_x' })).status).toBe(401);
});

it('the log of accesses has sign-ins, refusals and exports by reader and path, and no secret is in any log', async () => {
  const { browser } = await signIn('anna');
  await browser.send(HOURS.replace('people?', 'people.csv?'));
  await browser.send('/v3/people');
  const file = served.database.replace('.duckdb', '.access.ndjson');
  const events = () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .slice(-3);
  await expect.poll(events).toMatchObject([
    { event: 'sign-in', subject: 'anna', email: 'anna@example.com' },
    {
      event: 'export',
      subject: 'anna',
      email: 'anna@example.com',
      path: '/v3/reports/people.csv',
      type: 'text/csv; charset=utf-8',
    },
    { event: 'refused', subject: 'anna', path: '/v3/people' },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(served.log()).not.toMatch(/pls_[0-9a-f]{8}_|code=|a-secret/);
});
