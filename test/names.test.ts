import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const files = ['src', 'packages'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/[/\\]test[/\\]/.test(file))
    .map((file) => join(folder, file)),
);

/** Exported functions, and other values whose names begin with a small letter: some of them are functions. */
const FUNCTION = /^export (?:(?:async )?function\*?|const) (?<name>[a-z]\w*)/gm;

const TYPE = /^(?:export )?(?:declare )?(?:interface|type) (?<name>\w+)/gm;

/** Returns the names that occur more than once, with the files that have them. */
function findTwice(named: readonly (readonly [name: string, file: string])[]): string[] {
  const names = new Map<string, string[]>();
  for (const [name, file] of named) names.set(name, [...(names.get(name) ?? []), file]);
  return [...names].filter(([, found]) => found.length > 1).map(([name, found]) => `${name}: ${found.join(', ')}`);
}

it('no file of src and of packages has the name of another', () => {
  const named = files
    .map((file) => [basename(file), file] as const)
    // The index of a room, and the registration of a door, have the name of their folder.
    .filter(([name]) => name !== 'index.ts' && name !== 'door.ts');
  expect(findTwice(named)).toEqual([]);
});

/** Returns the names that a pattern finds in src and in packages, with their files. */
function findNames(pattern: RegExp): (readonly [name: string, file: string])[] {
  return files.flatMap((file) => {
    const found = [...readFileSync(file, 'utf8').matchAll(pattern)];
    return found.map(({ groups = {} }) => [groups['name'] ?? '', file] as const);
  });
}

it.each([
  ['type', TYPE, 100],
  ['exported function', FUNCTION, 1000],
] as const)('no %s of src and of packages has the name of another', (_kind, pattern, least) => {
  const names = findNames(pattern);
  expect(names.length).toBeGreaterThan(least);
  expect(findTwice(names)).toEqual([]);
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

/** A comment that begins like a clause, where English has a verb or a noun. */
const CLAUSE = /^[ \t]*(?:\/\*\*|\*|\/\/|--) (?:What|Who|Whoever|How|Whether|Of|For)\b.*/gm;

it('no comment begins like a clause', () => {
  const clausesOf = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // Types of a client are generated.
      .filter((file) => /\.(?:tsx?|js|sql)$/.test(file) && !file.endsWith('.d.ts'))
      .flatMap((file) => readFileSync(join(folder, file), 'utf8').match(CLAUSE) ?? []);
  expect(['src', 'packages', 'page', 'bench', 'scripts', 'sql', 'test'].flatMap(clausesOf)).toEqual([]);
});

it.each(['/**', ' *', '//', '--'])('comments after %s that begin like a clause are found', (mark) => {
  const begins = ['What', 'Whether', 'Forms', 'Returns'].filter((word) => `  ${mark} ${word} it is.`.match(CLAUSE));
  expect(begins).toEqual(['What', 'Whether']);
});
