import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { copyLoaded } from '../loaded.ts';

/** Hides the optional packages from a program, as where they aren't installed. */
const HIDE = `
export async function resolve(name, context, next) {
  if (!name.startsWith('@aws-sdk/') && !/^pg(-copy-streams)?$/.test(name)) return next(name, context);
  throw Object.assign(new Error("Cannot find package '" + name + "' imported from x.js"), { code: 'ERR_MODULE_NOT_FOUND' });
}`;

const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** Runs the program without the optional packages on a database. @returns its status and what it says. */
function runWithout(args: string, database: string) {
  const hooks = asModule(`import { register } from 'node:module'; register(${JSON.stringify(asModule(HIDE))});`);
  const command = ['--import', hooks, 'dist/program/main.js', ...args.split(' '), '--database', database];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stderr };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-peers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('a load with a lake in a bucket says which packages it needs, and how to install them', { tags: ['slow'] }, () => {
  const cluster =
    '--engine trino --server http://127.0.0.1:9 --catalog lake --schema-prefix a_ --lake s3://bucket/lake';
  expect(runWithout(`load fixtures/company ${cluster}`, join(makeFolder(), 'company.duckdb'))).toEqual({
    status: 2,
    stderr: `Error: A lake in a bucket needs the package @aws-sdk/client-s3, which isn't installed
Run: npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3
`,
  });
});

it('marts for PostgreSQL say which packages they need, and how to install them', { tags: ['slow'] }, async () => {
  const folder = join(makeFolder(), 'data');
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  expect(runWithout('export marts --to postgres://127.0.0.1:9/warehouse', join(folder, 'company.duckdb'))).toEqual({
    status: 2,
    stderr: `Error: Marts in PostgreSQL need the package pg, which isn't installed
Run: npm install pg@8 pg-copy-streams@7
`,
  });
});
