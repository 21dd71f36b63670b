import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProcess } from '../errors/program.ts';

/** Where the engine's memory ran out inside a function of it, that ended the process by a signal. */
it.each([100, 300, 400])('a table of 620 unknown columns loads or is refused with %i MiB of memory', async (memory) => {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-wide-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'data');
  mkdirSync(folder);
  const names = Array.from({ length: 620 }, (_, index) => `unknown_field_number_${index}`);
  const rows = Array.from({ length: 8000 }, (_, index) => `${index + 1},P${',1'.repeat(names.length)}`);
  writeFileSync(join(folder, 'people.csv'), ['people_id,name', names].join(',').concat('\n', rows.join('\n'), '\n'));
  const database = join(root, 'wide.duckdb');
  const run = await runProcess(['load', folder, '--database', database, '--memory-limit', String(memory)]);
  expect(run.exitCode, run.stderr).toBeOneOf([0, 1]);
  if (run.exitCode === 0) expect(run.stdout).toMatch(/people +8000 +8000 +0 +0/);
  else expect(run.stderr).toContain('needs more memory than it may use');
});
