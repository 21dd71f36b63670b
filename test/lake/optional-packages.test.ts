import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Hides the packages of Amazon from a program, as where they aren't installed. */
const HIDE = `
export async function resolve(name, context, next) {
  if (!name.startsWith('@aws-sdk/')) return next(name, context);
  throw Object.assign(new Error("Cannot find package '" + name + "' imported from x.js"), { code: 'ERR_MODULE_NOT_FOUND' });
}`;

const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

it('a load with a lake in a bucket says which packages it needs, and how to install them', { tags: ['slow'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-peers-'));
  const hooks = asModule(`import { register } from 'node:module'; register(${JSON.stringify(asModule(HIDE))});`);
  const args =
    'load fixtures/company --engine trino --server http://127.0.0.1:9 --catalog lake --schema-prefix a_ --lake s3://bucket/lake'.split(
      ' ',
    );
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', hooks, 'dist/program/main.js', ...args, '--database', join(folder, 'company.duckdb')],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  expect(stderr).toBe(`Error: A lake in a bucket needs the package @aws-sdk/client-s3, which isn't installed
Run: npm install @aws-sdk/client-s3@3 @aws-sdk/lib-storage@3
`);
  expect(status).toBe(2);
});
