import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';

const script = join(packageDirectory, 'scripts', 'demo.js');

/** Makes a folder of links to the inputs of the demo, so that the package stays unchanged. */
function linkInputs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-demo-'));
  for (const name of ['dist', 'fixtures']) symlinkSync(join(packageDirectory, name), join(folder, name));
  return folder;
}

it('npm run demo prints the story, leaves a workbook, and shows the serve command', () => {
  const folder = linkInputs();
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

it.each([
  ['given as a flag after others', ['--rate-limit', '600', '--port', '0'], {}],
  ['set in the environment, with other flags', ['--rate-limit', '600'], { PLUMBLINE_PORT: '0' }],
])(
  'npm run demo -- --serve prints the address of the page, its port %s',
  async (_, flags, env) => {
    const folder = linkInputs();
    const demo = spawn(process.execPath, [script, '--serve', ...flags], {
      cwd: folder,
      env: { ...process.env, ...env },
    });
    const ended = once(demo, 'exit');
    const pages: string[] = [];
    for await (const line of createInterface({ input: demo.stdout })) {
      const [, story] = /until Ctrl\+C: (\S+)/.exec(line) ?? [];
      if (story === undefined) continue;
      expect(new URL(story).search).toBe('?start_date=2026-01-01&end_date=2026-06-30&cutoff_date=2026-05-31');
      pages.push(await (await fetch(story)).text());
      demo.kill();
    }
    expect(pages).toEqual([expect.stringContaining('<title>Plumbline</title>')]);
    expect(await ended).toEqual([0, null]);
    rmSync(folder, { recursive: true });
  },
  60_000,
);
