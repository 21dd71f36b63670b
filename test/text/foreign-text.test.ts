import { expect, it } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { escapeLine, escapeLines, formatForeign, MAX_FOREIGN_CHARACTERS } from '../../src/base/foreign-text.ts';

it.each([
  ['a color', '\u001b[31mred', '\\u001b[31mred'],
  ['a bell', 'ding\u0007', 'ding\\u0007'],
  ['a command of 8 bits', '\u009b2J', '\\u009b2J'],
  ['a line break', 'one\r\ntwo', 'one\\r\\ntwo'],
  ['separators of lines', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
  ['an override', 'a\u202etxt.exe', 'a\\u202etxt.exe'],
  ['isolates', '\u2066a\u2069\u2067b\u2069', '\\u2066a\\u2069\\u2067b\\u2069'],
  ['marks of direction', '\u200ea\u200f\u061c', '\\u200ea\\u200f\\u061c'],
  ['characters without a width', 'a\u200bb\ufeffc\u2060d\u00ade', 'a\\u200bb\\ufeffc\\u2060d\\u00ade'],
  ['letters as tags', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['half a character', 'a\ud800', 'a\\ud800'],
  ['a joiner that hides', 'to\u200dken\u200c', 'to\\u200dken\\u200c'],
])('writes out %s', (_, text, shown) => {
  expect(escapeLine(text)).toBe(shown);
});

it.each([
  ['a name', 'Zoë Müller-Łukasiewicz, 株式会社'],
  ['right-to-left letters', 'שלום عليكم'],
  ['a joiner in Persian', 'می‌خواهم'],
  ['emoji of several characters', '👩‍💻 ❤️ 🏳️‍🌈'],
  ['a form of a Japanese letter', '葛\u{e0100}城'],
])('shows %s as it is', (_, text) => {
  expect(escapeLine(text)).toBe(text);
});

it('keeps line breaks of own texts', () => {
  expect(escapeLines('one\n  two\r')).toBe('one\n  two\\r');
});

it.each([
  ['a text', ' down for maintenance\n', 'down for maintenance'],
  ['nothing', undefined, ''],
  ['null', null, ''],
  ['a number', 42, '42'],
  ['lists that are nested too deep', JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)), '…'],
  ['an object', { a: '\u001b' }, '{"a":"\\u001b"}'],
  ['a text that is too long', 'x'.repeat(MAX_FOREIGN_CHARACTERS + 1), `${'x'.repeat(MAX_FOREIGN_CHARACTERS)}…`],
])('formats %s from outside', (_, value, shown) => {
  expect(formatForeign(value)).toBe(shown);
});

it('cuts no character in two', () => {
  expect(formatForeign('ab😀cd', 3)).toBe('ab…');
});

it('the texts of an error are safe wherever they are shown', () => {
  const error = new AppError('input', 'name \u001b[2J', { hint: 'to \u202e', evidence: 'at\nline \u0007' });
  expect([error.message, error.hint, error.evidence]).toEqual(['name \\u001b[2J', 'to \\u202e', 'at\nline \\u0007']);
});
