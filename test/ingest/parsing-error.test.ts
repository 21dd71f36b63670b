import { expect, test } from 'vitest';
import { withDataset } from './dataset.ts';

const CLOSED = 'the file ends before everything is closed: it is cut off';

test.each<[string, string | Uint8Array, string]>([
  ['clients.json', '[{"client_id":1},\n {"client_id":2', `line 2, column 15: ${CLOSED}`],
  ['clients.json', '[{"client_id":1},\n {"client_id":2}', `line 2, column 16: ${CLOSED}`],
  ['clients.json', '[{"client_id":1,"name":"Zo', 'line 1, column 26: the file ends inside a text'],
  [
    'clients.json',
    '[{"client_id":1}\n{"client_id":2}]',
    'line 2, column 1: unexpected {: a comma is missing, or a bracket before it',
  ],
  ['clients.json', '[{"client_id":1}] x', 'line 1, column 19: unexpected x after the end of the list'],
  ['clients.json', '[{"client_id" 1}]', 'line 1, column 15: unexpected 1'],
  ['clients.json', '[{client_id: 1}]', 'line 1, column 3: unexpected c'],
  ['clients.json', '[{"client_id":01}]', 'line 1, column 17: 01 is not a value'],
  ['clients.json', '[{"client_id":1]', 'line 1, column 16: unexpected ]'],
  ['clients.json', '{"data":[{"client_id":1}', `line 1, column 24: ${CLOSED}`],
  ['clients.json', '', 'line 1, column 1: the file is empty'],
  ['clients.json', ' \n ', 'line 2, column 2: the file is empty'],
  ['clients.json', 'client_id\n1\n', 'line 1, column 1: a list of records is expected, not c'],
  [
    'clients.ndjson',
    '{"client_id":1}\n{"client_id":2\n{"client_id":3}\n',
    'line 2, column 15: the line ends inside a record',
  ],
  [
    'clients.ndjson',
    '{"client_id":1}\n\n{"client_id":2,"name":"Zoë\n',
    'line 3, column 27: the line ends inside a text',
  ],
  [
    'clients.ndjson',
    '\uFEFF{"client_id":1} {"client_id":2}\n',
    'line 1, column 17: unexpected { after the end of the record',
  ],
  ['clients.ndjson', 'client_id,name\n1,a\n', 'line 1, column 10: client_id is not a value'],
])('%s %j', async (name, content, place) => {
  const files = { 'people.json': [{ people_id: 1 }], [name]: content };
  const error = await withDataset(files, async () => undefined).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'input', message: `${name} can't be parsed: ${place}` });
  expect(error).toHaveProperty('hint', expect.stringContaining('Nothing was loaded.'));
});

test('the error names the right page of several', async () => {
  const files = {
    'clients.1.ndjson': '{"client_id":1}\n',
    'clients.2.ndjson': '{"client_id":1}\n{"client',
    'clients.3.ndjson': '{"client_id":1}\n',
  };
  const error = await withDataset(files, async () => undefined).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    message: "clients.2.ndjson can't be parsed: line 2, column 8: the file ends inside a text",
  });
});

test('a broken line deep inside a large file', { tags: ['slow'] }, async () => {
  const lines = Array.from(
    { length: 200_000 },
    (_, index) => `{"client_id":${index + 1},"name":"Client number ${index}"}`,
  );
  lines[150_000] = '{"client_id":150001,"name":}';
  const error = await withDataset({ 'clients.ndjson': lines.join('\n') }, async () => undefined).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ message: "clients.ndjson can't be parsed: line 150001, column 28: unexpected }" });
});

test('an invalid Parquet file', async () => {
  const error = await withDataset({ 'clients.parquet': 'PAR1 nonsense' }, async () => undefined).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'input', message: expect.stringMatching(/^clients.parquet can't be parsed: /) });
});

test('a record that is too large, in a list with an object around it, is set aside alone', {
  tags: ['slow'],
}, async () => {
  const files = {
    'clients.json': `{"data":[{"client_id":1,"name":"${'x'.repeat(16 * 1024 * 1024)}"},{"client_id":2}]}`,
  };
  await withDataset(files, async ({ rows }) => {
    expect(await rows('SELECT client_id FROM source.clients')).toEqual([{ client_id: 2 }]);
    expect(await rows('SELECT position, reasons FROM source.rejected')).toEqual([
      { position: 1, reasons: ['has more than 16 MiB'] },
    ]);
  });
});
