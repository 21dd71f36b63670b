import { expect, it } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { formatForeign } from '../../src/base/foreign-text.ts';
import { addSecret, MAX_SECRETS, MIN_SECRET_CHARACTERS, maskSecrets } from '../../src/base/secrets.ts';

const TOKEN = 'Pl+mb/Secret=="\\42';
addSecret(TOKEN);
const base64 = Buffer.from(TOKEN).toString('base64');

it.each([
  ['as it is', TOKEN],
  ['in capitals', TOKEN.toUpperCase()],
  ['in small letters', TOKEN.toLowerCase()],
  ['in an address', encodeURIComponent(TOKEN)],
  ['in a form', new URLSearchParams({ TOKEN }).toString().slice('TOKEN='.length)],
  ['in an address, each character', [...TOKEN].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')],
  ['in JSON', JSON.stringify(TOKEN).slice(1, -1)],
  ['in base64', base64],
  ['in base64 without its padding', base64.replace(/=+$/, '')],
])('masks a secret %s', (_, form) => {
  expect(maskSecrets(`before ${form} after`)).toMatch(/^before \*\*\*=* after$/);
});

it('masks the user and the password of an address', () => {
  expect(maskSecrets('to https://ada:pass@word@example.com/a@b')).toBe('to https://***@example.com/a@b');
});

it('masks a secret before a text is cut off', () => {
  expect(formatForeign(`abc ${TOKEN}`, 6)).toBe('abc **…');
});

it('masks secrets in the texts of an error', () => {
  const error = new AppError('source', `no ${TOKEN}`, { hint: `not ${TOKEN}`, evidence: TOKEN });
  expect([error.message, error.hint, error.evidence]).toEqual(['no ***', 'not ***', '***']);
});

it('masks the longer one of two secrets that begin alike', () => {
  for (const secret of ['password', 'password-of-ada']) addSecret(secret);
  expect(maskSecrets('password-of-ada, password')).toBe('***, ***');
});

it('leaves texts alone that are too short for a secret', () => {
  addSecret('a'.repeat(MIN_SECRET_CHARACTERS - 1));
  addSecret(undefined);
  expect(maskSecrets('aaaaaa')).toBe('aaaaaa');
});

it('forgets the oldest of too many secrets, and not one that is still used', () => {
  const [first, second, ...others] = Array.from({ length: MAX_SECRETS + 1 }, (_, number) => `token-${1000 + number}`);
  for (const secret of [first, second, ...others]) addSecret(secret);
  expect(maskSecrets(`${first} ${second}`)).toBe(`${first} ***`);
  addSecret(second);
  addSecret('one-more-token');
  expect(maskSecrets(`${second} ${others[0]} ${others[1]}`)).toBe(`*** ${others[0]} ***`);
});
