import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProcess } from '../../errors/program.ts';

/** Loads a table of people with unknown columns. */
async function loadWide(columns: number, rows: number, flags: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'plumbline-wide-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'data');
  mkdirSync(folder);
  const names = Array.from({ length: columns }, (_, index) => `unknown_${index}`);
  const records = Array.from({ length: rows }, (_, index) => `${index + 1},P${',1'.repeat(columns)}`);
  writeFileSync(join(folder, 'people.csv'), `people_id,name,${names.join(',')}\n${records.join('\n')}\n`);
  return runProcess(['load', folder, '--database', join(root, 'wide.duckdb'), ...flags]);
}

// Where the engine's memory ran out inside list_distinct, that ended the process by a signal.
it.each([100, 300, 400])('a table of 620 unknown columns loads or is refused with %i MiB of memory', async (memory) => {
  const run = await loadWide(620, 8000, ['--memory-limit', String(memory)]);
  expect(run.exitCode, run.stderr).toBeOneOf([0, 1]);
  if (run.exitCode === 0) expect(run.stderr).toMatch(/people +8000 +8000 +0 +0/);
  else expect(run.stderr).toContain('needs more memory than it may use');
});

it('a load that was refused for its memory succeeds with the limit that the error asks for', async () => {
  const refused = await loadWide(2_700, 1_500, ['--memory-limit', '400']);
  expect(refused.exitCode, refused.stderr).toBe(1);
  expect(refused.stderr).toContain('Raise --memory-limit');
  const loaded = await loadWide(2_700, 1_500, ['--memory-limit', '2048']);
  expect(loaded.exitCode, loaded.stderr).toBe(0);
});
