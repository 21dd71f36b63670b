import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readTokens } from '../../src/doors/identity/tokens.ts';
import { makeFolder, run } from '../errors/gallery.ts';

async function openTokens() {
  const folder = await makeFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens.json');
  return {
    file,
    create: (only: string, ...more: string[]) =>
      run(['token', 'create', '--label', 'lead', '--only', only, ...more, '--tokens', file]),
  };
}

it('makes and lists a token of a part', async () => {
  const { file, create } = await openTokens();
  const made = await create(' department_id=3,4  project_manager=12', '--scopes', 'reports,rates');
  expect(made.stderr).toContain('(lead: reports, rates, only department_id=3,4 project_manager=12)');
  expect(await readTokens(file)).toMatchObject([{ only: { department_id: [3, 4], project_manager: [12] } }]);
  const { stdout } = await run(['token', 'list', '--tokens', file]);
  expect(stdout).toContain('reports,rates (only department_id=3,4 project_manager=12)  lead');
});

it.each([
  ['', '--only: "" names no part of the data'],
  ['role_id=3', '--only: "role_id=3" names no part of the data'],
  ['client_id', '--only: "client_id" names no part of the data'],
  ['client_id=x', '--only: "client_id=x" names no part of the data'],
  ['client_id=1,', '--only: "client_id=1," names no part of the data'],
  ['client_id=1=2', '--only: "client_id=1=2" names no part of the data'],
  ['client_id=1 client_id=2', '--only: "client_id=1 client_id=2" names no part of the data'],
])('refuses %j, and says what to give', async (only, message) => {
  const { file, create } = await openTokens();
  const { exitCode, stderr } = await create(only);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).toContain('department_id, people_id, client_id, project_id, project_manager');
  expect(await readTokens(file)).toEqual([]);
});

it('refuses more ids than a part may have, by their number', async () => {
  const { create } = await openTokens();
  const idsOf = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',');
  expect((await create(`people_id=${idsOf(1_000)}`)).exitCode).toBe(0);
  const { exitCode, stderr } = await create(`client_id=1 people_id=${idsOf(1_001)}`);
  expect([exitCode, stderr.split('\n')[0]]).toEqual([2, 'Error: --only: people_id has 1001 ids, more than 1000']);
  expect(stderr).toContain('Name the departments, clients or managers that have them');
});

it.each(['sql', 'preview', 'write', 'close', 'load', 'deliver'])(
  'refuses the scope %s, which is about all data',
  async (scope) => {
    const { stderr } = await (await openTokens()).create('client_id=1', '--scopes', `reports,${scope}`);
    expect(stderr).toContain(`--only: the scope ${scope} is about all data`);
  },
);
