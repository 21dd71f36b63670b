import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { type Files, rowsOf, withDataset, withDirectory } from './dataset.ts';

const people = [
  {
    people_id: 1,
    name: 'Ann, "the" Łukasz\nBerg',
    department_id: 3,
    work_days_hours: [0, 8, 8, 8, 8, 7.5, 0],
    active: true,
    cost_rate: 12.3456,
    default_hourly_rate: 1.00005,
    tags: ['A', 'b c'],
    start_date: '2024-02-29',
    contracts: [
      { effective_date: null, cost_rate: 5.5 },
      { effective_date: '2025-01-01', cost_rate: 6 },
    ],
    work_days_hours_history: { '2025-01-01': [0, 8, 8, 8, 8, 8, 0] },
  },
  { people_id: 2, name: '', department_id: null, active: false, start_date: '2024-01-01', end_date: '2023-01-01' },
  { people_id: 3, name: null, department_id: 0, cost_rate: 0.1 },
  { people_id: 1, name: 'Ann', tags: null },
];
const tasks = [
  {
    task_id: 1,
    project_id: 1,
    people_ids: [1, 2],
    start_date: '2026-01-05',
    end_date: '2026-01-06',
    hours: 7.25,
    created: '2026-01-01 10:00:00',
  },
  {
    task_id: 2,
    project_id: 1,
    people_ids: [3],
    start_date: '2026-01-05',
    end_date: '2026-01-06',
    hours: 0.5,
    phase_id: 0,
  },
];

function formatCsv(records: readonly object[], delimiter = ','): string {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const lines = records.map((record) =>
    names.map((name) => formatCell((record as Record<string, unknown>)[name])).join(delimiter),
  );
  return [names.join(delimiter), ...lines].join('\r\n');
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text === '' || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function formatLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Returns every table of a loaded dataset, without file names. */
async function tablesOf(files: Files): Promise<Record<string, unknown>> {
  return withDataset(files, async ({ summary, rows }) => {
    const names = resources.flatMap(({ name, lists }) => [name, ...Object.values(lists).map(({ table }) => table)]);
    const tables = await Promise.all(names.map(async (name) => [name, await rows(`FROM source.${name}`)] as const));
    const rejected = await rows('SELECT resource, position, record_id, item, reasons FROM source.rejected');
    return { ...Object.fromEntries(tables), rejected, counts: summary.resources };
  });
}

describe('1.1 the formats', () => {
  test('all give the same tables', { tags: ['slow'] }, async () => {
    const expected = await tablesOf({ 'people.json': JSON.stringify(people), 'tasks.json': JSON.stringify(tasks) });
    expect(expected['people']).toHaveLength(2);
    expect(expected['rejected']).toHaveLength(1);
    for (const files of [
      { 'people.ndjson': formatLines(people), 'tasks.jsonl': formatLines(tasks) },
      {
        'people.json': JSON.stringify(people, null, 2),
        'tasks.json': JSON.stringify({ data: tasks, meta: { page: 1 } }),
      },
      {
        'people.json': formatLines(people),
        'tasks.json': `{"data": [${JSON.stringify(tasks[0])}]}\n{"data": [${JSON.stringify(tasks[1])}]}`,
      },
      { 'people.csv': formatCsv(people), 'tasks.csv': formatCsv(tasks) },
      { 'people.csv': formatCsv(people, ';'), 'tasks.csv': `\uFEFF${formatCsv(tasks, '\t')}` },
    ]) {
      expect(await tablesOf(files)).toEqual(expected);
    }
  });

  test('Parquet gives the same tables from plain and from nested columns', async () => {
    const expected = await tablesOf({ 'people.json': JSON.stringify(people), 'tasks.json': JSON.stringify(tasks) });
    await withDirectory(
      { 'people.ndjson': formatLines(people), 'tasks.ndjson': formatLines(tasks) },
      async (directory) => {
        const database = await openDatabase(':memory:');
        const columns = `columns = {people_id: 'BIGINT', name: 'VARCHAR', department_id: 'DOUBLE', work_days_hours: 'DOUBLE[]', active: 'BOOLEAN', cost_rate: 'DECIMAL(18,4)',
        default_hourly_rate: 'DOUBLE', tags: 'VARCHAR[]', start_date: 'DATE', end_date: 'TIMESTAMP',
        contracts: 'STRUCT(effective_date DATE, cost_rate DECIMAL(18,4))[]', work_days_hours_history: 'MAP(VARCHAR, DECIMAL(10,6)[])'}`;
        const taskColumns = `columns = {task_id: 'INTEGER', project_id: 'UBIGINT', people_ids: 'INTEGER[]', start_date: 'TIMESTAMP', end_date: 'DATE', hours: 'FLOAT',
        created: 'TIMESTAMP', phase_id: 'HUGEINT'}`;
        await database.run(`COPY (FROM read_json('${directory}/people.ndjson', ${columns})) TO '${directory}/people.parquet';
        COPY (FROM read_json('${directory}/tasks.ndjson', ${taskColumns})) TO '${directory}/tasks.parquet'`);
        await database.close();
        const { readFile } = await import('node:fs/promises');
        const files = {
          'people.parquet': await readFile(`${directory}/people.parquet`),
          'tasks.parquet': await readFile(`${directory}/tasks.parquet`),
        };
        expect(await tablesOf(files)).toEqual(expected);
      },
    );
  });

  test('Parquet: exact decimals, and doubles to 15 digits', async () => {
    await withDirectory({}, async (directory) => {
      const database = await openDatabase(':memory:');
      await database.run(`COPY (SELECT 1 AS people_id, CAST('345678901.23455' AS DECIMAL(38,5)) AS cost_rate, CAST(1.00005 AS DOUBLE) AS default_hourly_rate)
        TO '${directory}/people.1.parquet';
        COPY (SELECT 2 AS people_id, CAST('nan' AS DOUBLE) AS cost_rate) TO '${directory}/people.2.parquet'`);
      await ingestDirectory(database, directory);
      expect(await database.rows('SELECT cost_rate, default_hourly_rate FROM source.people')).toEqual([
        { cost_rate: '345678901.2346', default_hourly_rate: '1.0001' },
      ]);
      expect(await database.rows('SELECT reasons FROM source.rejected')).toEqual([
        { reasons: ['cost_rate: not a number'] },
      ]);
      await database.close();
    });
  });

  test.each([
    ['clients.json', '\uFEFF[{"client_id":1}]'],
    ['clients.json', '\uFEFF{"data":[{"client_id":1}]}'],
    ['clients.ndjson', '\uFEFF{"client_id":1}\n'],
    ['clients.ndjson', '\uFEFF{"client_id":1}\r\n\r\n'],
    ['clients.csv', '\uFEFFclient_id\n1\n'],
    ['clients.csv', ' client_id \r\n"1"\r\n\r\n'],
  ])('a byte order mark, blank lines and CRLF are accepted: %s %j', async (name, text) => {
    expect(await rowsOf({ [name]: text }, 'SELECT client_id FROM source.clients')).toEqual([{ client_id: 1 }]);
  });

  test('no records', async () => {
    for (const files of [
      { 'clients.json': '[]' },
      { 'clients.ndjson': '' },
      { 'clients.json': '{"data":[]}' },
      { 'clients.csv': 'client_id,name\n' },
    ]) {
      expect(await rowsOf(files, 'SELECT count(*) AS n FROM source.clients')).toEqual([{ n: 0 }]);
    }
  });
});

describe('1.1 the settings', () => {
  const defaults = {
    name: null,
    currency: 'USD',
    work_days_hours: ['0.0000', '8.0000', '8.0000', '8.0000', '8.0000', '8.0000', '0.0000'],
    time_zone: 'UTC',
    week_starts_on: 1,
    fiscal_year_starts_in: 1,
  };

  test.each([
    ['no file', { 'clients.json': '[]' }, {}],
    ['an empty object', { 'settings.json': '{}' }, {}],
    [
      'some values',
      { 'settings.json': '{"name":"Kühn & Co","currency":"EUR","week_starts_on":"0"}' },
      { name: 'Kühn & Co', currency: 'EUR', week_starts_on: 0 },
    ],
    [
      'a list of one',
      { 'settings.json': '[{"time_zone":"Europe/Berlin","fiscal_year_starts_in":12}]' },
      { time_zone: 'Europe/Berlin', fiscal_year_starts_in: 12 },
    ],
    [
      'CSV',
      { 'settings.csv': 'currency,work_days_hours\nKWD,"0,8,8,8,8,4,0"\n' },
      { currency: 'KWD', work_days_hours: ['0.0000', '8.0000', '8.0000', '8.0000', '8.0000', '4.0000', '0.0000'] },
    ],
    ['blank values', { 'settings.csv': `${Object.keys(defaults).join(',')}\n,"","","","",""\n` }, {}],
    ['a blank week', { 'settings.json': '{"name":"","work_days_hours":""}' }, { name: '' }],
  ])('%s', async (_name, files, given) => {
    expect(await rowsOf(files, 'FROM source.settings')).toEqual([{ ...defaults, ...given }]);
  });

  test.each([
    ['{"currency":"XXX"}', 'settings.json: currency is XXX: not a currency of ISO 4217'],
    ['{"currency":"XXY"}', 'settings.json: currency is XXY: not a currency of ISO 4217'],
    ['{"currency":"eur"}', 'settings.json: currency is eur: not a currency of ISO 4217'],
    ['{"time_zone":"Mars/Base"}', 'settings.json: time_zone is Mars/Base: not a time zone of IANA'],
    ['{"time_zone":"+02:00"}', 'settings.json: time_zone is +02:00: not a time zone of IANA'],
    ['{"week_starts_on":9}', 'settings.json: week_starts_on is 9: outside 0 to 6'],
    ['{"fiscal_year_starts_in":"x"}', 'settings.json: fiscal_year_starts_in is "x": not an integer'],
    ['{"work_days_hours":[8]}', 'settings.json: work_days_hours is [8]: not 7 numbers from 0 to 24'],
    ['[]', 'settings.json holds 0 records, not one'],
    ['[{},{}]', 'settings.json holds 2 records, not one'],
    ['[5]', 'settings.json: not an object: 5'],
  ])('a bad value fails the load: %s', async (text, message) => {
    const error = await withDataset({ 'settings.json': text }, async () => undefined).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'input', message });
    expect(error).toHaveProperty('hint', expect.stringContaining('.'));
  });
});
