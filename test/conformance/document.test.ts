import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { heldElsewhere, resources } from './field-table.ts';

const FOLDER = join('test', 'conformance');
const LONG_FOLDER = join('test', 'long', 'doors');
const LONG_PREFIX = 'conformance-';
const DOCUMENT = join('docs', 'conformance.md');
const UNTESTED = 'not tested: ';

/** Patterns of the id of a sentence and the id of a field. */
const SENTENCE = /\b(?:API|S|IN) \d+(?:\.\d+)?-\d+\b/g;
const FIELD = /\bIN [a-z_]+\.[a-z_]+\b/g;

const document = readFileSync(DOCUMENT, 'utf8');
const rows = [...document.matchAll(/^\| ((?:API|S|IN) [\d.]+-\d+) \| (.+) \| (.+) \|$/gm)].map(
  ([, id = '', sentence = '', heldBy = '']) => ({ id, sentence, heldBy }),
);
const fields = [...document.matchAll(/^\| ([a-z_]+) \| ([a-z_, ]+) \|$/gm)].flatMap(([, resource = '', names = '']) =>
  (names === 'fields' ? [] : names.split(', ')).map((name) => `${resource}.${name}`),
);

/** Text of the test files by name; titles contain the ids. */
const titles = new Map([...readTests(FOLDER, ''), ...readTests(LONG_FOLDER, LONG_PREFIX)]);
titles.delete('document');
const filesOf = (id: string) =>
  [...titles].filter(([, text]) => [...text.matchAll(SENTENCE)].some(([named]) => named === id)).map(([name]) => name);

describe('docs/conformance.md', () => {
  it('numbers its sentences without gaps', () => {
    const counts = new Map<string, number>();
    const expected = rows.map(({ id }) => {
      const group = id.slice(0, id.lastIndexOf('-'));
      counts.set(group, (counts.get(group) ?? 0) + 1);
      return `${group}-${counts.get(group)}`;
    });
    expect(rows.map(({ id }) => id)).toEqual(expected);
    expect(rows.length).toBeGreaterThan(300);
  });

  it.each(rows)('$id names the files of its tests, or the reason for having none', ({ id, heldBy }) => {
    const files = heldBy.startsWith(UNTESTED) ? [] : heldBy.split(', ');
    expect(filesOf(id).sort()).toEqual(files.sort());
    if (files.length === 0) expect(heldBy.length).toBeGreaterThan(UNTESTED.length + 10);
  });

  it('has every id of the tests', () => {
    const named = [...titles.values()].flatMap((text) => text.match(SENTENCE) ?? []);
    const documented = new Set(rows.map(({ id }) => id));
    expect(named.filter((id) => !documented.has(id))).toEqual([]);
  });

  it('has exactly the tested fields', () => {
    const table = resources.flatMap((resource) => resource.fields.map(({ field }) => `${resource.file}.${field}`));
    expect([...fields].sort()).toEqual([...table, ...heldElsewhere].sort());
  });

  it('names the fields with a test of their own', () => {
    const named = new Set([...titles.values()].flatMap((text) => text.match(FIELD) ?? []));
    expect([...named].sort()).toEqual(heldElsewhere.map((name) => `IN ${name}`).sort());
  });
});

/** Returns the texts of a folder's test files with a prefix, by name without it. */
function readTests(folder: string, prefix: string): [string, string][] {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith('.test.ts'));
  return names.map((name) => [name.slice(prefix.length, -'.test.ts'.length), readFileSync(join(folder, name), 'utf8')]);
}
