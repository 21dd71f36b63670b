import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const RULES = 'D1 D2 D3 D4 D5 D6 D7 D8 D9 S1 S2 R1 R2 R3 R4 R5 A1 A2 A3 A4'.split(' ');

/** Tests of the oracle, an independent implementation: they prove nothing about the program. */
const ORACLE_TESTS = join('oracle', 'self.test.ts');

const TITLE = /\b(?:test|it|describe)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])(?<title>.*?[^\\])\1/gs;

const titles = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file !== ORACLE_TESTS)
  .flatMap((file) => [...readFileSync(join('test', file), 'utf8').matchAll(TITLE)])
  .map(({ groups }) => groups?.['title'] ?? '');

it.each(RULES)('the title of a test names the rule %s', (rule) => {
  const word = new RegExp(`\\b${rule}\\b`);
  expect(titles.filter((title) => word.test(title))).not.toEqual([]);
});
