import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { rowsOf, withDataset, withDirectory } from './dataset.ts';

async function errorOf(directory: string) {
  const database = await openDatabase(':memory:');
  try {
    return await ingestDirectory(database, directory).then(
      () => undefined,
      (error: unknown) => error,
    );
  } finally {
    await database.close();
  }
}

describe('1.1 a dataset directory', () => {
  test('names ignore case, and - and _ are the same', async () => {
    const files = {
      'project-stages.JSON': '[{"id":1}]',
      'Logged_Time.page.NDJSON': '{"logged_time_id":"a","people_id":1,"date":"2026-01-05","hours":1}',
    };
    await withDataset(files, async ({ summary, rows }) => {
      expect(summary.ignoredFiles).toEqual([]);
      expect(
        await rows(
          'SELECT (SELECT count(*) FROM source.project_stages) AS stages, (SELECT count(*) FROM source.logged_time) AS entries',
        ),
      ).toEqual([{ stages: 1, entries: 1 }]);
    });
  });

  test('numbered files of one resource are read in order, formats mixed', async () => {
    const files = {
      'clients.10.json': [{ client_id: 10 }],
      'clients.2.csv': 'client_id\n3\n4\n',
      'clients.1.ndjson': [{ client_id: 1 }, { client_id: 2 }],
      'clients.11.jsonl': '{"client_id":11}\n',
    };
    const rows = await rowsOf(files, 'SELECT client_id FROM source.clients');
    expect(rows.map((row) => row['client_id'])).toEqual([1, 2, 3, 4, 10, 11]);
  });

  test('many pages keep their order and their positions', async () => {
    const pages = Array.from({ length: 25 }, (_, page) => [
      `clients.${page + 1}.ndjson`,
      [{ client_id: page * 2 + 1 }, { client_id: page === 20 ? 'x' : page * 2 + 2 }],
    ]);
    await withDataset(Object.fromEntries(pages), async ({ rows }) => {
      const ids = (await rows('SELECT client_id FROM source.clients')).map((row) => row['client_id']);
      expect(ids).toEqual(Array.from({ length: 50 }, (_, index) => index + 1).filter((id) => id !== 42));
      expect(await rows('SELECT file, position FROM source.rejected')).toEqual([
        { file: 'clients.21.ndjson', position: 2 },
      ]);
      expect(
        await rows(
          'SELECT count(*) AS files, sum(records)::INT AS records, min(length(sha256)) AS hash FROM source.files',
        ),
      ).toEqual([{ files: 25, records: 50, hash: 64 }]);
    });
  });

  test('a file without a resource is named and ignored', async () => {
    const files = {
      'clients.json': '[]',
      'clients.xls': 'x',
      '~$rates.xlsx': 'x',
      'notes.txt': 'x',
      'quotes.json': '{{{',
      'clients2.json': '{{{',
      'old/people.json': '[]',
    };
    await withDataset(files, async ({ summary, rows }) => {
      expect(summary.ignoredFiles).toEqual([
        '~$rates.xlsx',
        'clients.xls',
        'clients2.json',
        'notes.txt',
        'old/',
        'quotes.json',
      ]);
      expect(await rows("SELECT count(*) AS n FROM source.load_notes WHERE kind = 'ignored file'")).toEqual([{ n: 6 }]);
    });
  });

  test('a resource without a file is an empty table with the same columns', { tags: ['slow'] }, async () => {
    const sql = `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
      WHERE table_schema = 'source' AND table_name NOT IN ('files', 'load_counts') ORDER BY table_name, ordinal_position`;
    const given = Object.fromEntries(resources.map(({ name }) => [`${name}.json`, '[]']));
    expect(await rowsOf({ 'clients.json': '[]' }, sql)).toEqual(await rowsOf(given, sql));
  });

  test('every field is a column, in order, and the id is never null', async () => {
    await withDataset({ 'clients.json': '[]' }, async ({ rows }) => {
      for (const { name, id, fields } of resources) {
        const columns = await rows(`SELECT column_name AS name, is_nullable AS nullable FROM information_schema.columns
          WHERE table_schema = 'source' AND table_name = '${name}' ORDER BY ordinal_position`);
        expect(columns.map((column) => column['name'])).toEqual(Object.keys(fields));
        expect(columns.find((column) => column['name'] === id)?.['nullable']).toBe('NO');
      }
    });
  });

  test('no field has the name of a column that the load itself needs', () => {
    const own = [
      'file',
      'json',
      'problem',
      'raw',
      'rounded',
      'unknown',
      'reasons',
      'odd_keys',
      'origin',
      'container_row',
      'container_id',
      'position',
    ];
    expect(resources.flatMap(({ fields }) => Object.keys(fields)).filter((name) => own.includes(name))).toEqual([]);
  });

  test('unknown fields are reported once, wherever they occur', async () => {
    const people = [
      ...Array.from({ length: 20 }, (_, index) => ({
        people_id: index + 1,
        avatar: 'x'.repeat(80_000),
        contracts: [{ cost_rate: 5, currency: 'EUR' }],
      })),
      { people_id: 100, avatar: 'y', shoe_size: null, Name: 'Ann' },
      { people_id: 'bad', hat: 1 },
    ];
    await withDataset(
      {
        'people.json': people,
        'clients.json': [{ client_id: 1, color: 'red' }],
        'settings.json': '{"currency":"EUR","logo":1}',
      },
      async ({ summary }) => {
        expect(summary.unknownFields).toEqual([
          { resource: 'settings', fields: ['logo'] },
          { resource: 'clients', fields: ['color'] },
          { resource: 'people', fields: ['Name', 'avatar', 'hat', 'shoe_size', 'contracts.currency'] },
        ]);
      },
    );
  });

  test('directory and file names may contain glob characters', async () => {
    await withDirectory(
      {
        "we[i]rd 'x'*/clients.a?[1].ndjson": '{"client_id":1}',
        "we[i]rd 'x'*/clients.b.parquet.json": '[{"client_id":2}]',
      },
      async (directory) => {
        expect(await errorOf(`${directory}/we[i]rd 'x'*`)).toBeUndefined();
      },
    );
  });
});

describe('an invalid dataset directory', () => {
  test('missing', async () => {
    expect(await errorOf('/nowhere/at/all')).toMatchObject({
      code: 'input',
      message: 'There is no directory /nowhere/at/all',
    });
  });

  test('a file', async () => {
    await withDirectory({ 'people.json': '[]' }, async (directory) => {
      expect(await errorOf(`${directory}/people.json`)).toMatchObject({
        code: 'input',
        message: `${directory}/people.json is a file, not a directory`,
      });
    });
  });

  test('empty, or without a file of any resource', async () => {
    await withDirectory({ 'readme.md': 'x' }, async (directory) => {
      const error = await errorOf(directory);
      expect(error).toMatchObject({ code: 'input', message: `${directory} holds no file of any resource` });
      expect(error).toHaveProperty(
        'hint',
        expect.stringMatching(/settings, departments, .*logged_time.*project_expenses/),
      );
    });
  });
});
