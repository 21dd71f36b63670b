import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { MAX_CSV_COLUMNS } from '../../src/records/ingest/mapping/header.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { readJsonTables } from '../../src/records/ingest/reading/json-tables.ts';
import {
  MAX_JSON_RECORD_CHARACTERS,
  MAX_RECORD_DEPTH,
  MAX_RECORD_MEMBERS,
} from '../../src/records/ingest/reading/json-value-text.ts';
import { MAX_JSON_ENTRIES, openJsonEntries } from '../../src/records/ingest/reading/json-values.ts';
import { withDataset, withDirectory } from './dataset.ts';

/** Reads the lists of a JSON text, each with its records as texts. */
const tablesOf = (text: string, file = 't.json') =>
  withDirectory({ [file]: text }, async (directory) => {
    const { tables } = await readJsonTables(`${directory}/${file}`, file);
    return tables.map(({ list, rows }) => [
      list,
      ...rows.map((row) =>
        [...row].map(([name, { text, isJson }]) => `${name}=${isJson ? text : JSON.stringify(text)}`),
      ),
    ]);
  });

describe('JSON of another service', () => {
  it.each([
    ['a list', '[{"a": 1}, 2, {"b": "x"}]', [['', ['a=1'], ['b="x"']]]],
    ['a list in an object', '{"meta": {"page": 1}, "data": {"rows": [{"a": true}]}}', [['data.rows', ['a=true']]]],
    [
      'two lists',
      '{"x": [{"a": 1}], "y": [{"b": null, "c": 2}]}',
      [
        ['x', ['a=1']],
        ['y', ['c=2']],
      ],
    ],
    [
      'nested members and lists of texts',
      '[{"u": {"n": "A", "o": {"p": 1}}, "t": ["x", "y"]}]',
      [['', ['u.n="A"', 'u.o.p=1', 't="x, y"']]],
    ],
    [
      'all digits of numbers',
      '[{"h": 0.1234567890123456789, "n": -1.5e2}]',
      [['', ['h=0.1234567890123456789', 'n=-150']]],
    ],
    [
      'texts that look like numbers',
      String.raw`[{"h": "1", "n": "say \"5\" \\"}]`,
      [['', ['h="1"', String.raw`n="say \"5\" \\"`]]],
    ],
    ['no records', '{"a": [1, 2]}', []],
  ])('is read as %s', async (_, text, expected) => {
    expect(await tablesOf(text)).toEqual(expected);
  });

  it.each([
    [String.raw`[{"a": 1}, {"a": "\x41"}]`, "has an escape that JSON doesn't have, such as \\x, at entry 2"],
    ['[{"a": "x\ny"}]', 'has a control character, such as the end of a line, at entry 1'],
  ])('says what is wrong with a text: %s', async (text, problem) => {
    await expect(tablesOf(text)).rejects.toThrow(`t.json is no JSON: a text ${problem}`);
  });

  it('is read line by line', async () => {
    expect(await tablesOf('{"a": 1}\n\n{"a": 2}\n', 't.ndjson')).toEqual([['', ['a=1'], ['a=2']]]);
  });

  it('is read from pieces of any length', () => {
    const text = '{"meta": {"n": 1.50}, "rows": [{"a": "x\\"]}", "b": [1, {"c": -2e3}]}, 7, {}], "e": []}';
    const whole = openJsonEntries('t.json', false);
    const expected = [...whole.add(text), ...whole.end()];
    expect(expected.map(({ list }) => list)).toEqual(['rows', 'rows', 'rows']);
    for (let size = 1; size < text.length; size += 1) {
      const values = openJsonEntries('t.json', false);
      const found = text.match(new RegExp(`.{1,${size}}`, 'gs'))?.flatMap((piece) => values.add(piece)) ?? [];
      expect([...found, ...values.end()]).toEqual(expected);
    }
  });

  it('has numbers too large to be written out as texts', async () => {
    expect(await tablesOf('[{"h": 1e500, "n": 1e-1000}]')).toEqual([['', ['h="1e500"', 'n="1e-1000"']]]);
  });

  const many = (count: number, textOf: (at: number) => string) => Array.from({ length: count }, (_, at) => textOf(at));

  it.each([
    ['members', `[{${many(MAX_RECORD_MEMBERS + 1, (at) => `"a${at}":1`)}}]`, 'record 1 has more than 16384 members'],
    ['levels', `[${'['.repeat(MAX_RECORD_DEPTH + 1)}`, 'record 1 has more than 64 lists and objects inside each other'],
    ['columns', `[${many(MAX_CSV_COLUMNS + 1, (at) => `{"a${at}":1}`)}]`, 'has 16385 columns, more than 16384'],
    ['characters', `[1, "${'a'.repeat(MAX_JSON_RECORD_CHARACTERS)}"]`, 'record 2 has more than 16777216 characters'],
    ['entries', `[${'1,'.repeat(MAX_JSON_ENTRIES)}1]`, 'has more than 2000000 entries in its lists'],
  ])('has a limit of %s', async (_, text, message) => {
    await expect(tablesOf(text)).rejects.toThrow(message);
  });

  it('has escapes without end, too', async () => {
    const [[, row] = []] = await tablesOf(`[{"a": "${String.raw`\n`.repeat(4_000_000)}"}]`);
    expect(String(row)).toHaveLength(8_000_000 + 'a=""'.length);
  });

  it.each([
    '{"a": 1] }',
    '[1, ]',
    '{"a" 1}',
    '{"a": [1}',
    '[1] 2',
    '',
    '{"a": tru}',
    '[{"a": 1}}',
    '{,}',
    '[1 2]',
    '[{"a": 01}]',
    '[{"a": 1.}]',
    'PK',
  ])('that is no JSON is an error: %s', async (text) => {
    await expect(tablesOf(text)).rejects.toThrow('t.json is no JSON');
  });
});

describe('a mapping of JSON', () => {
  const time = (more = '') =>
    `files: [{file: t.json, resource: logged_time, ${more} fields: {logged_time_id: id, people_id: {name: who.name}, date: day, hours: seconds}, hours: seconds}]`;
  const entries = '[{"id": 7, "who": {"name": "Ada"}, "day": "2026-03-02", "seconds": 1105}]';
  const hoursOf = (text: string, mapping: string) =>
    withDataset(
      { 't.json': text },
      ({ rows }) => rows('SELECT logged_time_id AS id, CAST(hours AS VARCHAR) AS hours FROM source.logged_time'),
      { mapping: parseMapping(mapping, 'mapping.yaml', inputResources), strict: true },
    );

  it('reads members as columns', async () => {
    expect(await hoursOf(`{"entries": ${entries}, "page": 1}`, time())).toEqual([{ id: '7', hours: '0.306944' }]);
  });

  it('takes the list that its sheet names, and needs it if there are several', async () => {
    const both = `{"entries": ${entries}, "users": [{"id": 1}]}`;
    expect(await hoursOf(both, time('sheet: entries,'))).toHaveLength(1);
    await expect(hoursOf(both, time())).rejects.toThrow('t.json has the lists entries, users');
    await expect(hoursOf(both, time('sheet: times,'))).rejects.toThrow(
      't.json has the lists entries, users, not times',
    );
  });

  it('names the members of a file that lacks one', async () => {
    await expect(hoursOf('[{"id": 1}]', time())).rejects.toThrow('t.json has no column "day"');
  });
});
