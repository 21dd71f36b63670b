import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyKeptCompany } from './kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

it('a damaged description of one state hides no other', { timeout: 400_000 }, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'keep', 'good');
  await company.run(NOW, 'keep', 'bad');
  appendFileSync(join(company.folder, 'company.closings', 'bad@1', 'closing.json'), 'x');
  const ask = (reference: string) =>
    company.run(NOW, 'report', 'projects', '--period', '2026-03', '--as-of', reference, '--format', 'csv');

  expect((await ask('good')).code).toBe(0);
  for (const reference of ['bad', '2026-04-03']) {
    const refused = await ask(reference);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('bad@1/closing.json is not the file')]);
  }
  expect((await company.run(NOW, 'close', '2026-03')).code).toBe(0);
  const { closings, kept, damaged } = JSON.parse((await company.run(NOW, 'closings')).stdout);
  expect([closings.length, kept.length]).toEqual([1, 1]);
  expect(damaged).toMatchObject([{ name: 'bad', number: 1, message: expect.stringContaining('SHA-256') }]);
  expect((await company.run(NOW, 'closings', '--format', 'table')).stdout).toMatch(/^bad@1 +damaged$/m);
});
