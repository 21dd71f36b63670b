import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

const TYPE = /^(?:export )?(?:declare )?(?:interface|type) (?<name>\w+)/gm;

/** Returns the names that occur more than once, with the files that have them. */
function findTwice(named: readonly (readonly [name: string, file: string])[]): string[] {
  const names = new Map<string, string[]>();
  for (const [name, file] of named) names.set(name, [...(names.get(name) ?? []), file]);
  return [...names].filter(([, found]) => found.length > 1).map(([name, found]) => `${name}: ${found.join(', ')}`);
}

it('no file of src has the name of another', () => {
  expect(findTwice(files.map((file) => [basename(file), file]))).toEqual([]);
});

it('no type of src has the name of another', () => {
  const types = files.flatMap((file) => {
    const found = [...readFileSync(join('src', file), 'utf8').matchAll(TYPE)];
    return found.map(({ groups = {} }) => [groups['name'] ?? '', file] as const);
  });
  expect(types.length).toBeGreaterThan(100);
  expect(findTwice(types)).toEqual([]);
});

it('names that occur twice are found', () => {
  expect(
    findTwice([
      ['Place', 'a.ts'],
      ['Part', 'b.ts'],
      ['Place', 'c.ts'],
    ]),
  ).toEqual(['Place: a.ts, c.ts']);
});
