import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageDirectory } from '../src/config/config.ts';

it('npm run demo prints the story, leaves a workbook, and shows the serve command', () => {
  // Runs in a folder of links to its inputs, so that the package stays unchanged.
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-demo-'));
  for (const name of ['dist', 'fixtures']) symlinkSync(join(packageDirectory, name), join(folder, name));
  const script = join(packageDirectory, 'scripts', 'demo.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  expect(stdout.match(/^\$ plumbline \w+/gm)).toEqual([
    '$ plumbline load',
    '$ plumbline report',
    '$ plumbline report',
    '$ plumbline report',
  ]);
  expect(stdout).toContain('npx plumbline serve --database demo/company.duckdb');
  expect(readFileSync(join(folder, 'demo', 'projects.xlsx')).toString('latin1', 0, 2)).toBe('PK');
  rmSync(folder, { recursive: true });
}, 60_000);
