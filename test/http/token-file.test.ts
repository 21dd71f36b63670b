import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../src/doors/http/protocol/limits.ts';
import { openAuth } from '../../src/doors/http/protocol/open-auth.ts';
import { createToken, readTokens } from '../../src/doors/identity/tokens.ts';
import { serve } from './served.ts';

/** A user without rights, on most systems `nobody`. */
const SERVICE = 65_534;

const isRoot = process.geteuid?.() === 0;
const token = { label: 'dashboards', scopes: ['reports' as const], expires: null };

let folder = '';
let file = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-tokens-'));
  file = join(folder, 'tokens.json');
  await createToken(file, token, new Date());
  if (!isRoot) return;
  chmodSync(folder, 0o755);
  chownSync(folder, SERVICE, SERVICE);
});
afterAll(() => rmSync(folder, { recursive: true }));

// Only root can be another user for a while.
it.runIf(isRoot).each([
  ['read', () => readTokens(file), 'tokens.json'],
  ['changed', () => createToken(file, token, new Date()), 'tokens.json'],
])(
  "tokens that root has made and a server's user can't read are told as such when they are %s",
  async (_, work, name) => {
    process.seteuid?.(SERVICE);
    try {
      await expect(work()).rejects.toMatchObject({
        code: 'storage',
        message: `Can't use the tokens in ${file}: ${join(folder, name)} belongs to root, and this program runs as the user with the id ${SERVICE}`,
        hint: expect.stringContaining('sudo -u USER plumbline token create'),
      });
    } finally {
      process.seteuid?.(0);
    }
  },
);

it('looks for a new token once for all who ask while a look waits, such as requests with wrong ones', async () => {
  const auth = await openAuth(
    { tokens: file, signIn: undefined },
    { ...LIMITS, pollMs: 3_600_000 },
    false,
    () => new Date(),
    () => undefined,
  );
  try {
    const looks = Array.from({ length: 200 }, () => auth.look());
    expect(new Set(looks).size).toBe(1);
    await looks[0];
    const { token: text } = await createToken(file, token, new Date());
    const headers = { authorization: `Bearer ${text}` };
    expect(auth.identify(headers)).toBeUndefined();
    await auth.look();
    expect(auth.identify(headers)?.label).toBe('dashboards');
  } finally {
    await auth.close();
  }
});

it('gives whoever sends a new token its rights at once, and whoever sends the first one those alone', {
  tags: ['slow'],
}, async () => {
  const server = await serve({ data: 'nothing', write: true, inMemory: true, limits: { pollMs: 3_600_000 } });
  try {
    expect((await server.get('/v3/reports')).json().abilities).toContain('write');
    const { header } = await server.token(['reports']);
    const given = await server.get('/v3/reports', { authorization: header });
    expect(given.json().abilities).not.toContain('write');
    expect((await server.get('/v3/reports')).status).toBe(401);
    const second = await server.token(['reports', 'write']);
    expect((await server.get('/v3/reports', { authorization: second.header })).json().abilities).toContain('write');
  } finally {
    await server.close();
  }
});
