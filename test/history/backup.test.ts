import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyKeptCompany, runCommand } from './kept-company.ts';

const NOW = '2026-04-03T16:20:05Z';

it('a backup takes kept states along, and a restore puts them in place, verified', {
  tags: ['slow'],
  timeout: 400_000,
}, async () => {
  const company = await copyKeptCompany();
  await company.run(NOW, 'keep', 'plan');
  const before = await company.report();
  await company.load(2);
  const backup = join(company.folder, 'backup');
  expect((await company.run(NOW, 'backup', backup)).stderr).toContain('company.closings, 5 files of kept states');

  const elsewhere = join(company.folder, 'elsewhere', 'acme.duckdb');
  mkdirSync(join(company.folder, 'elsewhere'));
  const restore = () => runCommand(NOW, ['restore', backup, '--replace', '--database', elsewhere]);
  expect((await restore()).code).toBe(0);
  expect((await runCommand(NOW, ['verify', '--database', elsewhere])).stdout).toContain('1 kept state verified.');
  const kept = join(company.folder, 'elsewhere', 'acme.closings', 'plan@1', 'company.duckdb');
  expect(await company.report(kept)).toBe(before);

  expect((await restore()).stderr).toContain('acme.closings.replaced-');
  appendFileSync(join(backup, 'company.closings', 'plan@1', 'totals.csv'), 'x');
  const refused = await restore();
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('totals.csv is not the file that was backed up'),
  ]);
  expect(await company.report(kept)).toBe(before);
});
