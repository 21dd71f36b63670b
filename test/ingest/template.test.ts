import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { template } from '../../src/doors/command/template-command.ts';
import type { Output } from '../../src/doors/command/terminal.ts';
import { leastTables } from '../../src/doors/template/template-tables.ts';
import { expectTemplateLoads, run } from './own-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-template-'));
afterAll(() => rmSync(folder, { recursive: true }));

function makeFolder(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

it('has files whose least ones load as they are, with two records of each', async () => {
  const directory = join(folder, 'new', 'own');
  const { code, output } = await run('template', directory);
  expect(code, output).toBe(0);
  expect(readdirSync(directory).sort()).toEqual(['all', 'fields.md', 'least', 'template.xlsx']);
  await expectTemplateLoads(join(directory, 'least'), leastTables());
});

it.each([
  ['has files', () => writeFileSync(join(makeFolder('full'), 'a.txt'), 'kept'), ['full', 'full/a.txt']],
  ['is a file', () => writeFileSync(join(folder, 'full'), 'kept'), ['full']],
])('is refused in a directory that %s, which stays as it is', async (_what, prepare, names) => {
  rmSync(join(folder, 'full'), { recursive: true, force: true });
  prepare();
  const { code, output } = await run('template', join(folder, 'full'));
  expect(code).toBe(2);
  expect(output).toContain('Name a new or empty directory.');
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.startsWith('full'));
  expect(found.sort()).toEqual(names);
});

it.each([
  ['a new directory', () => join(folder, 'failed', 'own'), false],
  ['an empty directory', () => makeFolder('empty'), true],
])('leaves nothing in %s if a write fails', async (_what, prepare, isKept) => {
  const directory = prepare();
  const output = { print: () => undefined } as unknown as Output;
  const now = () => {
    // The workbook is written last.
    mkdirSync(join(directory, 'template.xlsx'));
    return new Date();
  };
  await expect(template.run([directory], {}, { stdout: output, stderr: output, doors: [], now })).rejects.toMatchObject(
    {
      code: 'storage',
      message: expect.stringContaining(`Can't write ${directory}: `),
    },
  );
  expect(existsSync(directory)).toBe(isKept);
  if (isKept) expect(readdirSync(directory)).toEqual([]);
  else expect(existsSync(join(folder, 'failed'))).toBe(false);
});
