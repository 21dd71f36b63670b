import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder, run } from '../errors/gallery.ts';
import { type LoadedCompany, loadCompany } from '../sql/company.ts';

const ACCESS = `rules:
  - {claim: groups, has: finance, scopes: [reports, sql], all: true}
  - {claim: groups, has: leads, scopes: [reports, rates], only: {department_id: [1, 9]}}
  - {claim: email, ends: "@example.com", scopes: [reports], only: mine}
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
  [{ groups: ['finance'] }, 1, 2, 'reports, sql', 'all'],
  [{ groups: ['leads'] }, 2, 3, 'reports, rates', 'department_id=1,9: Delivery'],
  [verified('ada'), 3, 4, 'reports', 'mine (people_id=11 or project_manager=31): Ada, Ada Lovelace'],
  [verified('eve'), 3, 4, 'reports', 'mine (people_id= or project_manager=): nobody and nothing of that name'],
  [{ ...verified('bob'), groups: ['finance'] }, 1, 2, 'reports, sql', 'department_id=1 by department_filter: Delivery'],
])('claims %j are decided by a rule, with the rows of the data', async (claims, rule, line, scopes, rows) => {
  const { stdout, stderr, exitCode } = await check(claims);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`Rule ${rule}, in line ${line}, decides.\nScopes: ${scopes}\nRows: ${rows}`);
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
