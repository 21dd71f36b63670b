import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPageFiles } from '../../src/doors/http/page/page-files.ts';
import { type Served, serve } from '../http/served.ts';

/** The most that all files of the page may take, compressed. Unit: bytes. */
const MAX_PAGE_BYTES = 155_000;

let server: Served;
beforeAll(async () => {
  server = await serve({ scopes: ['reports'] });
});
afterAll(() => server.close());

const readAssets = (html: string) => [...html.matchAll(/(?:href|src)="([^"?]+)"/g)].map(([, path = '']) => path);

it('answers / with the page, without a token, under a policy that allows its own files alone', async () => {
  const page = await server.get('/');
  expect(page.status, 'run npm run build first').toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const again = await server.get('/', { 'if-none-match': page.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
});

it('answers files that the page names, for ever the same', async () => {
  const paths = readAssets((await server.get('/')).text);
  expect(paths.map((path) => path.replace(/-[0-9a-f]{16}/, ''))).toEqual(['/icon.svg', '/style.css', '/main.js']);
  for (const path of paths) {
    const { status, headers } = await server.get(path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  }
});

it.each(['br', 'gzip', 'identity'] as const)('sends the same files as %s', async (encoding) => {
  for (const { path, forms } of readPageFiles()) {
    const { headers, text } = await server.get(path, { 'accept-encoding': encoding });
    expect(headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(headers.get('vary')).toContain('Accept-Encoding');
    expect(text === forms.identity.body.toString()).toBe(true);
    expect(headers.get('etag')).toBe(forms[encoding].etag);
  }
});

it('has another version in each coding, and takes no coding that a client refuses', async () => {
  for (const { path, forms } of readPageFiles()) {
    expect(new Set(Object.values(forms).map(({ etag }) => etag)).size).toBe(3);
    const { headers } = await server.get(path, { 'accept-encoding': 'br ; q = 0, gzip' });
    expect(headers.get('content-encoding')).toBe('gzip');
    const other = await server.get(path, { 'accept-encoding': 'br', 'if-none-match': headers.get('etag') ?? '' });
    expect(other.status).toBe(200);
  }
});

it(`fits in ${MAX_PAGE_BYTES} bytes as gzip`, () => {
  const bytes = readPageFiles().reduce((sum, { forms }) => sum + forms.gzip.body.length, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(MAX_PAGE_BYTES);
});

it('has no file to answer with before it is built', () => {
  expect(readPageFiles('no such folder')).toEqual([]);
});
