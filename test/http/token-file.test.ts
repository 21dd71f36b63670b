import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToken, readTokens } from '../../src/identity/tokens.ts';

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
