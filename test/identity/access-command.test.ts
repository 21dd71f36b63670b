import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTokensFile } from '../../src/base/config/config.ts';
import { keepLink, linksBeside } from '../../src/doors/identity/account-links.ts';
import { makeFolder, run } from '../errors/gallery.ts';
import { type LoadedCompany, loadCompany } from '../sql/company.ts';

const ACCESS = `rules:
  - {claim: groups, has: finance, scopes: [reports, sql], all: true}
  - {claim: groups, has: leads, scopes: [reports, rates], only: {department_id: [1, 9]}}
  - {claim: email, ends: "@example.com", scopes: [reports], only: mine, otherwise: mine}
`;

const verified = (name: string) => ({ email: `${name}@example.com`, email_verified: true });

let folder: string;
let company: LoadedCompany;
beforeAll(async () => {
  folder = await makeFolder();
  company = await loadCompany({
    departments: [{ department_id: 1, name: 'Delivery' }],
    accounts: [
      { account_id: 31, name: 'Ada Lovelace', email: 'ada@example.com' },
      { account_id: 32, name: 'Bob', email: 'bob@example.com', department_filter: [1] },
    ],
    people: [{ people_id: 11, name: 'Ada', email: 'ada@example.com', people_type_id: 1, department_id: 1 }],
    projects: [{ project_id: 51, name: 'Bridge', project_manager: 31 }],
  });
  writeFileSync(join(folder, 'access.yaml'), ACCESS);
  const links = linksBeside(readTokensFile({ database: company.file }, {}));
  const issuer = 'https://login.example.com/';
  for (const [subject, account_id] of [
    ['b-1', 32],
    ['gone', 99],
  ] as const)
    await keepLink(links, { issuer, subject, account_id, email: 'bob@example.com' }, new Date('2026-06-15T12:00:00Z'));
});
afterAll(() => {
  company.remove();
  rmSync(folder, { recursive: true });
});

function check(claims: unknown, database = company.file) {
  writeFileSync(join(folder, 'claims.json'), typeof claims === 'string' ? claims : JSON.stringify(claims));
  const files = [join(folder, 'access.yaml'), '--claims', join(folder, 'claims.json'), '--database', database];
  return run(['access', 'check', ...files]);
}

it.each([
  [
    { groups: ['finance'] },
    'Rule 1, in line 2, decides.\nScopes: reports, sql',
    'none: the issuer vouches for no email, and accounts have limits, so otherwise decides: none',
    'none',
  ],
  [
    { ...verified('ada'), groups: ['leads'] },
    'Rule 2, in line 3, decides.\nScopes: reports, rates',
    '31, by the email',
    'department_id=1,9: Delivery',
  ],
  [
    verified('ada'),
    'Rule 3, in line 4, decides.\nScopes: reports',
    '31, by the email',
    'mine (people_id=11 or project_manager=31): Ada, Ada Lovelace',
  ],
  [
    verified('eve'),
    'Rule 3, in line 4, decides.\nScopes: reports',
    'none: no account has the email eve@example.com, and accounts have limits, so otherwise decides: mine',
    'mine (people_id= or project_manager=): nobody and nothing of that name in the data, so none',
  ],
  [
    { ...verified('bob'), groups: ['finance'] },
    'Rule 1, in line 2, decides.\nScopes: reports, sql',
    '32, by the email',
    'department_id=1 by department_filter: Delivery',
  ],
  [
    { iss: 'https://login.example.com', sub: 'b-1', groups: ['finance'] },
    'Rule 1, in line 2, decides.\nScopes: reports, sql',
    '32, kept for the issuer and subject',
    'department_id=1 by department_filter: Delivery',
  ],
  [
    { iss: 'https://login.example.com', sub: 'gone', groups: ['finance'] },
    'Rule 1, in line 2, decides.\nScopes: reports, sql',
    'none: the account 99 is archived or gone, and accounts have limits, so otherwise decides: none',
    'none',
  ],
])(
  'claims %j are decided by a rule, with the account and the rows of the data',
  async (claims, rule, account, rows) => {
    const { stdout, stderr, exitCode } = await check(claims);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`${rule}\nAccount: ${account}\nRows: ${rows}\n`);
  },
);

it('kept accounts are listed, and forgotten by their id', async () => {
  const list = async () => (await run(['access', 'list', '--database', company.file])).stdout.trim().split('\n');
  const [head, , gone = ''] = await list();
  expect(head).toMatch(/^id +linked +account +email +subject +issuer$/);
  const [id = ''] = gone.split(' ');
  expect(gone).toMatch(/2026-06-15T12:00:00.* +99 +bob@example.com +gone +https:\/\/login.example.com\/$/);
  const forget = () => run(['access', 'forget', id, '--database', company.file]);
  expect(await forget()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`Forgot the account ${id}.`) });
  expect(await list()).toHaveLength(2);
  expect(await forget()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`There is no account "${id}"`) });
});

it('without a database the rows are those of the rule', async () => {
  const { stdout } = await check(verified('ada'), join(folder, 'none.duckdb'));
  expect(stdout).toContain('Rows: mine. There is no database');
});

it('nobody comes in without a rule that matches, and is told why the email does not count', async () => {
  const { exitCode, stderr } = await check({ email: 'ada@example.com' });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('matches these claims, so nobody comes in')]);
  expect(stderr).toContain('Of the claims that rules need, they have email.');
  const { stderr: told } = await check({ email: 'ada@example.com', groups: ['finance'] });
  expect(told).toContain('The email does not count: the issuer does not say email_verified');
});

it.each([
  ['[]', 'it is no object'],
  ['{', 'JSON'],
])('claims that are no claims are refused: %s', async (claims, message) => {
  const { exitCode, stderr } = await check(claims);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
});

it('a file alone is checked, and wrong arguments are refused', async () => {
  expect((await run(['access', 'check', join(folder, 'access.yaml')])).stdout).toContain('is right, and has 3 rules.');
  expect((await run(['access', 'check', join(folder, 'no.yaml')])).stderr).toContain("Can't read the access");
  expect(await run(['access', 'grant'])).toMatchObject({ exitCode: 2 });
});
