import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/ingest/ingest.ts';
import { parseMapping } from '../../src/ingest/mapping/mapping-file.ts';
import { readJsonTables } from '../../src/ingest/reading/json-tables.ts';
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

  it('is read line by line', async () => {
    expect(await tablesOf('{"a": 1}\n\n{"a": 2}\n', 't.ndjson')).toEqual([['', ['a=1'], ['a=2']]]);
  });

  it.each(['{"a": 1', '[{"a": 01}]', '[{"a": 1.}]', 'PK'])('that is no JSON is an error: %s', async (text) => {
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
