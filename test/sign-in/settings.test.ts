import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readSignInConfig } from '../../src/base/config/sign-in-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-sign-in-'));
const secret = join(folder, 'secret');
writeFileSync(secret, 'a-secret\n');
afterAll(() => rmSync(folder, { recursive: true }));

const GIVEN = {
  'oidc-issuer': 'https://login.example.com/realms/main',
  'oidc-client-id': 'plumbline',
  'oidc-client-secret-file': secret,
  access: 'access.yaml',
  'public-url': 'https://plumbline.example.com',
};

it('a sign-in has an issuer, a client, rules and an address', () => {
  expect(readSignInConfig({}, {}, true)).toBeUndefined();
  expect(readSignInConfig(GIVEN, {}, false)).toMatchObject({
    clientSecret: 'a-secret',
    scopes: 'openid profile email',
  });
  const { 'public-url': _, ...local } = GIVEN;
  expect(readSignInConfig(local, {}, true)?.publicUrl).toBeUndefined();
  expect(() => readSignInConfig(local, {}, false)).toThrow('--oidc-issuer is given without --public-url');
});

it.each(Object.keys(GIVEN).filter((flag) => flag !== 'public-url'))('it is refused without --%s', (flag) => {
  const rest = { ...GIVEN, [flag]: undefined };
  const message =
    flag === 'oidc-issuer' ? 'is given without --oidc-issuer' : `--oidc-issuer is given without --${flag}`;
  expect(() => readSignInConfig(rest, {}, true)).toThrow(message);
});

it.each([
  ['oidc-issuer', 'http://login.example.com', 'is not an https address'],
  ['oidc-issuer', 'login', 'is not an https address'],
  ['public-url', 'http://plumbline.example.com', 'is not an https address'],
  ['public-url', 'https://a:b@plumbline.example.com', 'is not an https address'],
  ['public-url', 'https://example.com/plumbline', 'has a path'],
  ['oidc-scopes', 'email', 'lacks openid'],
  ['oidc-client-secret-file', join(folder, 'none'), 'no such file or directory'],
])('--%s %s is refused', (flag, text, message) => {
  expect(() => readSignInConfig({ ...GIVEN, [flag]: text }, {}, true)).toThrow(message);
});
