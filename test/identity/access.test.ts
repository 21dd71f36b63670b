import { expect, it } from 'vitest';
import { type Claims, parseAccess } from '../../src/doors/identity/access.ts';
import { ACCESS_SCHEMA } from '../../src/doors/identity/access-schema.ts';

const GOOD = `contact: Ask finance@example.com
rules:
  - {claim: groups, has: finance, scopes: [reports, rates, sql], all: true}
  - {claim: groups, has: leads, scopes: [reports, rates], only: {department_id: [3, 4], client_id: 7}}
  - {claim: email, is: Boss@example.com, scopes: [reports], all: true}
  - {claim: email, ends: "@Example.com", scopes: [reports, reports], only: mine}
`;

const parse = (text: string) => parseAccess(text, 'access.yaml');

/** Returns the rule that decides about claims, by its place. */
const ruleOf = (claims: Claims, text = GOOD) => parse(text).decide(claims)?.rule;

it('the first rule that matches decides about scopes and rows together', () => {
  const { contact, claimNames, decide } = parse(GOOD);
  expect(contact).toBe('Ask finance@example.com');
  expect([...claimNames].sort()).toEqual(['_claim_names', 'email', 'email_verified', 'groups', 'hasgroups']);
  const ada = { email: 'Ada@Example.com', email_verified: true };
  const given = { scopes: ['reports'], only: 'mine', otherwise: 'none', email: 'ada@example.com' };
  expect(decide(ada)).toEqual({ rule: 4, line: 6, ...given });
  expect(decide({ ...ada, groups: ['leads', 'finance'] })).toMatchObject({ rule: 1, line: 3, only: undefined });
  expect(decide({ groups: ['x', 'leads'] })).toMatchObject({
    rule: 2,
    only: { department_id: [3, 4], client_id: [7] },
  });
  expect(decide({ ...ada, email: 'boss@example.com' })).toMatchObject({ rule: 3, scopes: ['reports'] });
  expect(decide({ groups: ['Finance', 'finance '], email: 'eve@example.org', email_verified: true })).toBeUndefined();
});

it.each([
  ['mine', 'mine'],
  ['all', 'all'],
  ['none', 'none'],
  ['{department_id: 3}', { department_id: [3] }],
])('a rule says what somebody without an account sees: otherwise: %s', (written, otherwise) => {
  const text = GOOD.replace('all: true}', `all: true, otherwise: ${written}}`);
  expect(parse(text).decide({ groups: 'finance' })).toMatchObject({ only: undefined, otherwise });
});

it('a claim that is missing matches nothing, and one text is a list of one', () => {
  expect(ruleOf({})).toBeUndefined();
  expect(ruleOf({ groups: 'finance' })).toBe(1);
  expect(ruleOf({ groups: 'finance, leads' })).toBeUndefined();
  expect(ruleOf({ groups: null })).toBeUndefined();
  const inherited = GOOD.replace('claim: groups, has: finance', 'claim: toString, has: finance');
  expect(ruleOf({}, inherited)).toBeUndefined();
});

it.each([
  [{ email: 'eve@example.com' }, 'no email_verified'],
  [{ email: 'eve@example.com', email_verified: false }, 'one that is not verified'],
  [{ email: 'eve@example.com', email_verified: 'false' }, 'one that is not verified, as a text'],
  [{ email: ['eve@example.com'], email_verified: true }, 'a list'],
  [{ email: 'eve@evil.org@example.com', email_verified: true }, 'two "@"'],
  [{ email: 'eve@sub.example.com', email_verified: true }, 'a domain below'],
  [{ email: 'eve@notexample.com', email_verified: true }, 'a domain with the same end'],
  [{ email: 'boss@example.com\u0000', email_verified: true }, 'more after the domain'],
] as readonly (readonly [Claims, string])[])('the email %j does not count: %s', (claims) => {
  expect(ruleOf(claims)).toBeUndefined();
});

it('an email of an issuer of one tenant counts by trust_email', () => {
  expect(ruleOf({ email: 'eve@example.com' }, `trust_email: true\n${GOOD}`)).toBe(4);
});

it('letters that only look like those of an address are others', () => {
  const text = GOOD.replace('Boss@example.com', 'kim@example.com').replace('ends: "@Example.com"', 'is: x@y.z');
  expect(ruleOf({ email: 'KIM@example.com', email_verified: true }, text)).toBe(3);
  expect(ruleOf({ email: '\u212Aim@example.com', email_verified: true }, text)).toBeUndefined();
});

it.each([{ _claim_names: { groups: 'src1' }, _claim_sources: {} }, { hasgroups: true }, { hasgroups: 'true' }])(
  'groups that the issuer left out are an error, not no groups: %j',
  (claims) => {
    expect(() => ruleOf(claims)).toThrow('The issuer has left out the claim groups, because it has too many values');
    const first = GOOD.replace('rules:\n', 'rules:\n  - {claim: sub, is: ada, scopes: [reports], all: true}\n');
    expect(ruleOf({ ...claims, sub: 'ada' }, first)).toBe(1);
  },
);

/** Returns what is wrong with a text. */
function faultsOf(text: string): string {
  try {
    parse(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it.each([
  [', all: true}', '}', 'access.yaml:3: rules[1] has no rows; write only: with a part, or all: true'],
  ['only: mine', 'only: mine, all: true', 'access.yaml:6: rules[4] has only and all'],
  ['all: true', 'all: false', 'access.yaml:3: rules[1].all is false, not one of true'],
  ['only: mine', 'only: theirs', 'access.yaml:6: rules[4].only is "theirs". The part that is seen: mine, or'],
  ['only: mine', 'only: {}', 'access.yaml:6: rules[4].only is {}'],
  ['client_id: 7', 'client_id: x', 'access.yaml:4: rules[2].only.client_id is "x", not integer or array'],
  ['client_id: 7', 'client: 7', 'rules[2].only.client is unknown; here are allowed department_id, people_id'],
  ['all: true', 'all: true, otherwise: true', 'rules[1].otherwise is true, not object or string'],
  ['all: true', 'all: true, otherwise: some', 'rules[1].otherwise is "some". Where accounts have a department_filter'],
  ['all: true', 'all: true, otherwise: {client: 7}', 'rules[1].otherwise.client is unknown; here are allowed'],
  ['[3, 4]', '[]', 'rules[2].only.department_id is []'],
  ['[reports, rates]', '[reports, sql]', 'rules[2].scopes[2] is sql, which is about all data; with only, give reports'],
  ['sql]', 'write]', 'rules[1].scopes[3] is "write", not one of reports, rates, sql'],
  ['has: finance, ', '', 'rules[1] has no condition; write one of has, is, ends'],
  ['has: finance', 'has: finance, is: finance', 'rules[1] has has and is'],
  ['has: finance', 'ends: "@example.com"', 'rules[1].ends belongs to the claim email; groups takes has or is'],
  ['"@Example.com"', 'example.com', 'rules[4].ends is "example.com". The end of an email, from its "@"'],
  ['has: finance', 'has: 12', 'rules[1].has is 12, not string'],
  ['claim: groups, has: finance', 'has: finance', 'rules[1] has no claim'],
  ['contact:', 'contakt:', 'access.yaml:1: contakt is unknown; here are allowed contact, trust_email, rules'],
  ['rules:\n', 'rules: [\n', 'access.yaml:'],
])('%s, written as %s, is told with its line', (change, to, fault) => {
  expect(GOOD).toContain(change);
  expect(faultsOf(GOOD.replace(change, to))).toContain(fault);
});

it('aliases are refused', () => {
  expect(faultsOf('contact: &ask Ask Ada\nrules: *ask')).toContain('access.yaml: Alias resolution is disabled');
});

it('a file without rules lets nobody in, and says so', () => {
  expect(faultsOf('')).toContain('access.yaml:1: has no rules');
  expect(faultsOf('rules: []')).toContain('access.yaml:1: rules is [], which must NOT have fewer than 1 items');
});

it('editors get the schema by which the file is read', async () => {
  await expect(`${JSON.stringify(ACCESS_SCHEMA, null, 1)}\n`).toMatchFileSnapshot('../../docs/access.schema.json');
});
