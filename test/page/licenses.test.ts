import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve } from '../http/served.ts';

/** The entry of a package: its name, version and license, then its text. */
const ENTRY = /^(\S+) \S+, (.+)\n\n([\s\S]+)$/;

/** The least length of a license's text, with its permission and its disclaimer. Unit: characters. */
const LEAST_TEXT = 400;

const RULE = `\n\n${'-'.repeat(80)}\n\n`;

/** Returns the packages of a file of licenses. @throws an error for one without a text. */
function readEntries(text: string): string[] {
  return text.split(RULE).map((entry) => {
    const [, name = entry, , license = ''] = ENTRY.exec(entry.trim()) ?? [];
    expect(license.length, name).toBeGreaterThan(LEAST_TEXT);
    expect(license, name).toMatch(/copyright/i);
    return name;
  });
}

let server: Served;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.close());

it('the page serves the license of each package in its bundle', async () => {
  const { metafile } = await build({
    ...{ entryPoints: ['page/main.tsx'], bundle: true, write: false, metafile: true, outdir: 'none' },
    ...{ format: 'esm', jsx: 'automatic', jsxImportSource: 'preact' },
  });
  const { status, headers, text } = await server.get('/licenses.txt');
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'no-cache',
  ]);
  const entries = readEntries(text);
  expect(entries).toEqual(expect.arrayContaining(['preact', '@preact/signals', '@observablehq/plot', 'd3-array']));
  const bundled = Object.keys(metafile.inputs).filter((file) => file.startsWith('node_modules/'));
  expect(bundled.length).toBeGreaterThan(100);
  expect(bundled.filter((file) => !entries.some((name) => file.startsWith(`node_modules/${name}/`)))).toEqual([]);
});

it('the program has the text of each package in it', () => {
  expect(readEntries(readFileSync('dist/program/licenses.txt', 'utf8')).length).toBeGreaterThan(50);
});
