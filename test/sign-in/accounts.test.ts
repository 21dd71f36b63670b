// @module-tag slow
import { statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { forgetLink, linksBeside, readLinks } from '../../src/doors/identity/account-links.ts';
import { type RealIssuer, startIssuer } from './real-issuer.ts';
import { COMPANY, HOURS, namesIn, type SignedInServer, serveSignIn } from './signed-in-server.ts';

/** Anna is of the department 1, to which her account is limited, and Ben of 2. Cleo's account has no limit. */
const LIMITED = {
  ...COMPANY,
  departments: [1, 2].map((department_id) => ({ department_id, name: `Department ${department_id}` })),
  people: [
    { people_id: 1, name: 'Anna', email: 'anna@example.com', department_id: 1 },
    { people_id: 2, name: 'Ben', email: 'ben@example.com', department_id: 2 },
  ],
  accounts: [
    { account_id: 31, name: 'Anna', email: 'anna@example.com', department_filter: [1] },
    { account_id: 32, name: 'Cleo', email: 'cleo@example.com' },
  ],
};

const rules = (otherwise = '') => `contact: Ask finance
rules:
  - { claim: groups, has: staff, scopes: [reports, rates], all: true${otherwise} }
`;

const STAFF = { groups: ['staff'] };
const verified = (email: string) => ({ ...STAFF, email, email_verified: true });

let issuer: RealIssuer;
let served: SignedInServer;
beforeAll(async () => {
  issuer = await startIssuer({});
  served = await serveSignIn(issuer.url, { data: LIMITED });
});
beforeEach(() => served.allow(rules()));
afterAll(async () => {
  await served.close();
  await issuer.close();
});

/** Signs a subject in, with claims, in a new browser. */
async function signIn(subject: string, claims: Readonly<Record<string, unknown>>, at = served) {
  issuer.people[subject] = claims;
  issuer.person = subject;
  const browser = at.browser();
  const { status } = await browser.go('/auth/sign-in', '/');
  expect(status).toBe(0);
  return browser;
}

/** Returns the people whom a subject with claims sees. */
async function seenBy(subject: string, claims: Readonly<Record<string, unknown>>, at = served) {
  return namesIn(await (await signIn(subject, claims, at)).send(HOURS));
}

/** Returns why a subject with claims sees nothing. */
async function refusalOf(subject: string, claims: Readonly<Record<string, unknown>>, at = served) {
  const { status, text } = await (await signIn(subject, claims, at)).send(HOURS);
  expect(status).toBe(403);
  return JSON.parse(text).message as string;
}

const file = () => linksBeside(served.tokens);

/** Claims after the first sign-in of somebody. */
const LATER = [
  ['verified', verified('anna@example.com')],
  ['unverified', { ...STAFF, email: 'anna@example.com', email_verified: false }],
  ['missing', STAFF],
  ['changed', verified('anna.new@example.com')],
  ['that of another account', verified('cleo@example.com')],
] as const;

it('nobody lifts the limit of an account by another address', { tags: ['slow'] }, async () => {
  for (const [_, claims] of LATER) await signIn('stranger', claims);
  expect(await seenBy('anna', verified('Anna@example.com'))).toEqual(['Anna']);
  for (const [kind, claims] of LATER) expect([kind, await seenBy('anna', claims)]).toEqual([kind, ['Anna']]);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(await readLinks(file())).toContainEqual(
    expect.objectContaining({ issuer: issuer.url.href, subject: 'anna', account_id: 31, email: 'anna@example.com' }),
  );
});

it('an account is kept over a restart', { tags: ['slow'] }, async () => {
  const browser = await signIn('anna', verified('anna@example.com'));
  expect(namesIn(await browser.send(HOURS))).toEqual(['Anna']);
  const unverified = await signIn('anna', STAFF);
  expect(namesIn(await unverified.send(HOURS))).toEqual(['Anna']);
  const again = await serveSignIn(issuer.url, { data: LIMITED, tokens: served.tokens });
  onTestFinished(() => void again.close());
  again.allow(rules());
  const cookie = `__Host-plumbline=${unverified.cookies.get('__Host-plumbline')}`;
  const seen = async () => {
    const { status, text } = await again.get(HOURS, { cookie });
    return status === 200 ? JSON.parse(text).people.map(({ name }: { name: string }) => name) : status;
  };
  await expect.poll(seen).toEqual(['Anna']);
});

it('two subjects of one email have its account, and each keeps it', async () => {
  for (const subject of ['one', 'two']) {
    expect(await seenBy(subject, verified('anna@example.com'))).toEqual(['Anna']);
    expect(await seenBy(subject, verified('cleo@example.com'))).toEqual(['Anna']);
  }
  expect(await seenBy('three', verified('cleo@example.com'))).toEqual(['Anna', 'Ben']);
});

it.each([
  ['unverified', { ...STAFF, email: 'anna@example.com', email_verified: false }, 'the issuer vouches for no email'],
  ['missing', STAFF, 'the issuer vouches for no email'],
  ['foreign', verified('eve@other.example'), 'no account has the email eve@other.example'],
])(
  'somebody without an account, whose email is %s, sees what the rule gives otherwise',
  async (kind, claims, reason) => {
    const subject = `stranger-${kind}`;
    const name = 'email' in claims && kind === 'foreign' ? claims.email : subject;
    const refusal = `Accounts have limits, and none is found for ${name}: ${reason}. Ask finance`;
    expect(await refusalOf(subject, claims)).toBe(refusal);
    const browser = await signIn(subject, claims);
    expect(JSON.parse((await browser.send('/v3/session')).text).session).toMatchObject({
      scopes: [],
      refusal,
    });
    for (const [otherwise, names] of [
      ['{ department_id: 2 }', ['Ben']],
      ['all', ['Anna', 'Ben']],
      ['mine', []],
    ] as const) {
      served.allow(rules(`, otherwise: ${otherwise}`));
      await expect.poll(async () => (await browser.send(HOURS)).status).toBe(200);
      await expect.poll(async () => namesIn(await browser.send(HOURS))).toEqual(names);
    }
  },
);

it('where no account has a limit, nobody needs one', { tags: ['slow'] }, async () => {
  const accounts = LIMITED.accounts.map((account) => ({ ...account, department_filter: null }));
  const free = await serveSignIn(issuer.url, { data: { ...LIMITED, accounts } });
  onTestFinished(() => void free.close());
  free.allow(rules());
  for (const [kind, claims] of [...LATER, ['foreign', verified('eve@other.example')]] as const)
    expect([kind, await seenBy(`free-${kind}`, claims, free)]).toEqual([kind, ['Anna', 'Ben']]);
});

it('accounts that can’t be read let nobody in by a session, until they can be', async () => {
  const browser = await signIn('anna', verified('anna@example.com'));
  const [link] = await readLinks(file());
  writeFileSync(file(), '{"accounts": [{}]}');
  await expect.poll(async () => (await browser.send(HOURS)).status).toBe(403);
  expect((await browser.send(HOURS)).text).toContain("The accounts of readers can't be read");
  await expect.poll(() => served.log()).toContain("Can't use the accounts in");
  writeFileSync(file(), JSON.stringify({ accounts: [link] }));
  await expect.poll(async () => (await browser.send(HOURS)).status).toBe(200);
});

it('the account of another issuer, and a forgotten one, are found by the email again', async () => {
  const browser = await signIn('moved', verified('anna@example.com'));
  expect(namesIn(await browser.send(HOURS))).toEqual(['Anna']);
  const link = (await readLinks(file())).find(({ subject }) => subject === 'moved');
  writeFileSync(file(), JSON.stringify({ accounts: [{ ...link, issuer: 'https://other.example/' }] }));
  const changed = await signIn('moved', verified('cleo@example.com'));
  await expect.poll(async () => namesIn(await changed.send(HOURS))).toEqual(['Anna', 'Ben']);
  const kept = await readLinks(file());
  expect(kept.map(({ account_id }) => account_id)).toEqual([31, 32]);
  await forgetLink(file(), kept[1]?.id ?? '');
  issuer.people['moved'] = {};
  await expect.poll(async () => (await readLinks(file())).length).toBe(1);
});

it('a session follows the account: its limit, its email, its archiving', { tags: ['slow'] }, async () => {
  const live = await serveSignIn(issuer.url, { data: LIMITED, write: true, inMemory: true });
  onTestFinished(() => void live.close());
  live.allow(rules());
  const { header } = await live.token(['write']);
  const change = async (id: number, fields: object) => {
    const headers = { authorization: header, 'content-type': 'application/json' };
    const sent = { method: 'PATCH', headers, body: JSON.stringify(fields) };
    const patch = async () => (await fetch(new URL(`/v3/accounts/${id}`, live.url), sent)).status;
    await expect.poll(patch).toBe(200);
  };
  const browser = await signIn('anna', verified('anna@example.com'), live);
  const seen = async () => {
    const { status, text } = await browser.send(HOURS);
    return status === 200 ? namesIn({ status, text } as never) : JSON.parse(text).message;
  };
  expect(await seen()).toEqual(['Anna']);
  await change(31, { department_filter: [2] });
  expect(await seen()).toEqual(['Ben']);
  // The email moves to an account without a limit: the account of the subject is the one before.
  await change(31, { email: 'former@example.com' });
  await change(32, { email: 'anna@example.com' });
  expect(await seen()).toEqual(['Ben']);
  await change(32, { email: 'cleo@example.com', department_filter: [1] });
  await change(31, { department_filter: null });
  expect(await seen()).toEqual(['Anna', 'Ben']);
  await change(31, { active: false });
  expect(await seen()).toBe(
    'Accounts have limits, and none is found for anna@example.com: the account 31 is archived or gone. Ask finance',
  );
  // With another account of the verified email there is one again.
  await change(32, { email: 'anna@example.com' });
  expect(await seen()).toEqual(['Anna']);
  await expect
    .poll(async () => (await readLinks(linksBeside(live.tokens))).map(({ account_id }) => account_id))
    .toEqual([32]);
});
