import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadSmallCompany, makeFolder, readState, run, writeFiles } from './gallery.ts';

let folder = '';
let scratch = '';
beforeAll(async () => {
  folder = await makeFolder();
  scratch = join(folder, 'scratch');
  await loadSmallCompany(folder);
  mkdirSync(scratch);
  await writeFiles(folder, { 'less/people.csv': 'people_id,name\n9,Zoe\n', 'broken/people.json': '[{' });
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['that would succeed', 'data', 0],
  ['that the guard would stop', 'less', 1],
  ['that would fail', 'broken', 1],
])('a dry run of a load %s ends like it and leaves no file, elsewhere neither', async (_, directory, exitCode) => {
  vi.stubEnv('TMPDIR', scratch);
  const before = await readState(folder);
  const names = readdirSync(folder);
  const dry = ['load', join(folder, directory), '--dry-run', '--database', join(folder, 'company.duckdb')];
  expect((await run(dry)).exitCode).toBe(exitCode);
  expect(await readState(folder)).toEqual(before);
  expect(readdirSync(folder)).toEqual(names);
  expect(readdirSync(scratch)).toEqual([]);
  vi.unstubAllEnvs();
});
