import { describe, expect, it } from 'vitest';
import { type Files, withDataset } from './dataset.ts';

/** Texts of JSON that no program can decode: their bytes, the reason, and the text as it is kept. */
const FAULTS: readonly [what: string, text: string | Buffer, reason: string, kept: string][] = [
  ['one half of a pair', 'x\\ud83dy', 'a text holds half of a character', 'x\\\\ud83dy'],
  ['two halves in the wrong order', '\\uDE00\\uD83D', 'a text holds half of a character', '\\\\uDE00\\\\uD83D'],
  ['an unknown escape', 'C:\\temp\\x', "a text holds an escape that JSON doesn't have", 'C:\\temp\\\\x'],
  ['an escape without its digits', '\\u00', "a text holds an escape that JSON doesn't have", '\\\\u00'],
  ['a control character', 'x\u0001\ty\0', 'a text holds a control character', 'x\\u0001\\ty\\u0000'],
  ['Latin-1', Buffer.from('Zo\xeb', 'latin1'), "a text holds a character that isn't UTF-8", 'Zo\\\\xeb'],
  [
    'a half in UTF-8',
    Buffer.from([0x78, 0xed, 0xa0, 0x80]),
    "a text holds a character that isn't UTF-8",
    'x\\\\xed\\\\xa0\\\\x80',
  ],
  ['a character cut off', Buffer.from([0xe2, 0x82]), "a text holds a character that isn't UTF-8", '\\\\xe2\\\\x82'],
];

/** A file by the text of its second record's name; the others are whole. */
const FILES: readonly [name: string, before: string, after: string][] = [
  ['clients.ndjson', '{"client_id":1,"name":"\\ud83d\\ude00 \\u00e9"}\n{"client_id":2,"name":"', '"}\n{"client_id":3}'],
  ['clients.json', '[{"client_id":1,\n"name":"é\\""},\n{"client_id":2,\n  "name":"', '"},\n{"client_id":3}\n]'],
  ['clients.json', '{"client_id":1}\n{"client_id":2,"name":"', '"}{"client_id":3}'],
  [
    'clients.json',
    '{"total":[3],"data":[{"client_id":1},\t{"client_id":2,"name":"',
    '"},{"client_id":3}],"page":{"n":1}}',
  ],
  ['clients.json', '[{"client_id":1},{"client_id":2,"', '":[{"a":"]"}]},{"client_id":3}, 7]'],
];

const join = (before: string, text: string | Buffer, after: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from(text), Buffer.from(after)]);

const ASIDE = 'SELECT position, record_id, reasons, record FROM source.rejected ORDER BY position';

describe.each(FAULTS)('%s in a text', (_, text, reason, kept) => {
  it.each(FILES)('sets its record aside: %s %j', { tags: ['slow'] }, async (name, before, after) => {
    await withDataset({ [name]: join(before, text, after) }, async ({ rows }) => {
      const loaded = await rows('SELECT client_id FROM source.clients ORDER BY client_id');
      expect(loaded.map(({ client_id: id }) => Number(id))).toEqual([1, 3]);
      const [aside] = await rows(ASIDE);
      expect(aside).toMatchObject({ position: 2, record_id: '2', reasons: [reason] });
      expect(aside?.['record']).toContain(kept);
      expect(JSON.parse(String(aside?.['record']))).toMatchObject({ client_id: 2 });
    });
  });
});

it.each<[string, Files, number[], string[]]>([
  [
    'each file by itself, and a list in place of a record',
    {
      'clients.1.ndjson': '{"client_id":1}\n',
      'clients.2.json': '[{"client_id":2},["\\ud800",1],{"client_id":3},[4]]',
      'clients.3.ndjson': '"\\q"\n\n{"client_id":4}',
      'clients.4.csv': 'client_id,name\n5,Zoë\n6\n',
    },
    [1, 2, 3, 4, 5],
    [
      'not an object',
      'not an object',
      "a text holds an escape that JSON doesn't have",
      'has 1 columns, the header has 2',
    ],
  ],
  [
    'a record of more than 16 MiB',
    { 'clients.ndjson': `{"client_id":1}\n{"client_id":2,"name":"${'x'.repeat(33 * 2 ** 20)}"}\n{"client_id":3}\n` },
    [1, 3],
    ['has more than 16 MiB'],
  ],
  [
    'a record that grows beyond 16 MiB by its escapes',
    { 'clients.json': `[{"client_id":1},{"client_id":2,"name":"\\ud800${'\\"'.repeat(6 * 2 ** 20)}"}]` },
    [1],
    ['a text holds half of a character'],
  ],
  [
    'U+0000 in a text',
    {
      'clients.ndjson': '{"client_id":1,"name":"a\\u0000b"}\n{"client_id":2,"name":"\\\\u0000"}',
      'clients.2.csv': 'client_id,name\n3,a\0b\n4,c\n',
    },
    [2, 4],
    ['name: it contains the character U+0000', 'name: it contains the character U+0000'],
  ],
])('%s', { tags: ['slow'] }, async (_, files, ids, reasons) => {
  await withDataset(files, async ({ rows }) => {
    const loaded = await rows('SELECT client_id FROM source.clients ORDER BY client_id');
    expect(loaded.map(({ client_id: id }) => Number(id))).toEqual(ids);
    expect((await rows('SELECT unnest(reasons) AS reason FROM source.rejected')).map(({ reason }) => reason)).toEqual(
      reasons,
    );
  });
});

it.each([
  [
    'a quote that is missing',
    '[{"client_id":1,"name":"\\ud800},\n{"client_id":2}]',
    'line 1, column 33: the line ends inside a text',
  ],
  ['a text outside the records', '{"page":"\\ud800","data":[{"client_id":1}]}', 'Malformed JSON'],
])('%s fails the load', async (_, content, problem) => {
  await expect(withDataset({ 'clients.json': content }, async () => undefined)).rejects.toThrow(problem);
});

it('fails settings, which are never set aside', async () => {
  const files = { 'settings.json': '{"currency":"\\ud800"}', 'clients.json': [] };
  await expect(withDataset(files, async () => undefined)).rejects.toMatchObject({
    message: 'settings.json: a text holds half of a character: {"currency":"\\\\ud800"}',
  });
});
