import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtFile, packageDirectory } from '../../../src/base/config/package.ts';
import { FUNCTIONS_BY_SUBJECT, TABLE_FUNCTIONS } from '../../../src/doors/sandbox/admitted-functions.ts';
import * as limits from '../../../src/doors/sandbox/sandbox-limits.ts';
import { makeFolder, run } from '../../errors/gallery.ts';

const text = readFileSync(join(packageDirectory, 'docs', 'sql.md'), 'utf8');

it('docs/sql.md lists every function', () => {
  const [, listed = ''] = /<!-- functions -->\n([\s\S]*?)<!-- \/functions -->/.exec(text) ?? [];
  const expected = Object.entries(FUNCTIONS_BY_SUBJECT).map(([subject, names]) => {
    const name = subject.charAt(0).toUpperCase() + subject.slice(1);
    const marked = names.split(/\s+/).map((each) => `\`${each.replaceAll('|', '\\|')}\``);
    return `- ${name}: ${marked.join(' ')}\n`;
  });
  expect(listed.replaceAll('\\|', '|')).toBe(expected.join('').replaceAll('\\|', '|'));
  for (const name of TABLE_FUNCTIONS) expect(text).toContain(`\`${name}\``);
});

it('docs/sql.md lists every limit', () => {
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| ([\d,]+) \|/gm)].map(([, name, value = '']) => [
    name,
    Number(value.replaceAll(',', '')),
  ]);
  expect(rows).toEqual(Object.entries(limits));
});

describe('the examples of docs/sql.md', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await makeFolder();
    file = join(folder, 'company.duckdb');
    await run(['load', 'fixtures/company', '--database', file]);
    await run(['close', '2026-03', '--database', file]);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const commands = [...text.matchAll(/^ {4}plumbline sql (.*)$/gm)].map(([, command = '']) => command);
  const written = commands.filter((command) => !command.startsWith('- '));

  it('exist', () => expect(written.length).toBeGreaterThan(4));

  it.each(written)('%s', async (command) => {
    const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    const { exitCode, stderr, stdout } = await run(['sql', ...words, '--database', file]);
    expect(exitCode, stderr).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(2);
  });

  it('a statement on standard input', () => {
    const main = builtFile('main.js');
    const args = [main, 'sql', '-', '--format', 'csv', '--database', file];
    const input = "SELECT COUNT(*) AS people -- of the fixture's company\nFROM marts.people;\n";
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
    expect([stdout, stderr, status]).toEqual([expect.stringMatching(/^people\r\n\d+\r\n$/), '', 0]);
  });
});
