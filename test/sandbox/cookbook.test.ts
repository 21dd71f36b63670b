import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openSandbox, type Sandbox } from '../../src/doors/sandbox/sandbox.ts';
import { type LoadedCompany, loadBundled } from '../sql/company.ts';

const text = readFileSync(join(packageDirectory, 'docs', 'cookbook.md'), 'utf8');

const queries = [...text.matchAll(/^### (.*?)\n.*?```sql\n(.*?)```/gms)].map(
  ([, question = '', sql = '']) => [question, sql] as const,
);

let company: LoadedCompany;
let sandbox: Sandbox;
beforeAll(async () => {
  company = await loadBundled();
  sandbox = openSandbox(company.file, { schemas: ['marts', 'reports'], size: 1 });
});
afterAll(async () => {
  await sandbox.close();
  company.remove();
});

it('answers at least 20 questions', () => expect(queries.length).toBeGreaterThanOrEqual(20));

it.each(queries)('%s', async (question, sql) => {
  const { columns, rows } = await sandbox.query({ sql });
  expect(rows).not.toEqual([]);
  const lines = [columns.map(({ name }) => name), ...rows].map((values) => `${JSON.stringify(values)}\n`);
  const name = question.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  await expect(lines.join('')).toMatchFileSnapshot(join(import.meta.dirname, 'expected', 'cookbook', `${name}.ndjson`));
});
