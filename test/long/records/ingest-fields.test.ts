import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Value } from '../../../src/base/database/database.ts';
import type { Field, FieldType } from '../../../src/records/resource/field.ts';
import type { Resource } from '../../../src/records/resource/resource.ts';
import { resources } from '../../../src/records/resource/resources.ts';
import { type Files, LOADED_AT, rowsOf, withDataset, withDirectory } from '../../ingest/dataset.ts';

/** A value of each type, as sent in a file and as kept in its table. */
const VALUES: Readonly<Record<FieldType, { readonly sent: unknown; readonly kept: Value }>> = {
  id: { sent: 7, kept: 7 },
  key: { sent: 'a1', kept: 'a1' },
  name: { sent: 'Ada "the" Łukasz, née Berg', kept: 'Ada "the" Łukasz, née Berg' },
  text: { sent: 'a-1; b', kept: 'a-1; b' },
  word: { sent: '', kept: null },
  tag: { sent: 'Red', kept: 'red' },
  boolean: { sent: 1, kept: true },
  integer: { sent: 3, kept: 3 },
  hours: { sent: 7.5, kept: '7.5000' },
  // Beside a percentage, remaining hours would be a fault.
  effort: { sent: '', kept: null },
  percent: { sent: '40', kept: '40.0000' },
  week: {
    sent: [0, 8, 8, 8, 8, 8, 0],
    kept: ['0.0000', '8.0000', '8.0000', '8.0000', '8.0000', '8.0000', '0.0000'],
  },
  rate: { sent: '12.3456', kept: '12.3456' },
  amount: { sent: '99.5', kept: '99.5000' },
  date: { sent: '2026-02-28', kept: '2026-02-28' },
  timestamp: { sent: '2025-12-24 18:30:00', kept: '2025-12-24 18:30:00' },
  color: { sent: '4a90d9', kept: '4a90d9' },
  ids: { sent: [3, 1], kept: [3, 1] },
  json: { sent: { view: [1], all: true }, kept: '{"view":[1],"all":true}' },
};

/** Returns the number of spellings of a resource: the most names that one field has. */
const spellingsOf = ({ fields }: Resource) => Math.max(...Object.values(fields).map(({ from = [''] }) => from.length));

function valueFor({ type, codes, words }: Field): { readonly sent: unknown; readonly kept: Value } {
  const [word] = Object.keys(words ?? {});
  if (word !== undefined) return { sent: ` ${word.toUpperCase()} `, kept: word };
  const [code] = Object.keys(codes ?? {}).map(Number);
  return code === undefined ? VALUES[type] : { sent: code, kept: code };
}

/** Returns a record with every field, each under its n-th name. */
function makeRecord({ fields }: Resource, spelling: number): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const names = field.from ?? [name];
    const [head = '', member] = (names[spelling] ?? names[0] ?? name).split('.');
    const { sent } = valueFor(field);
    record[head] = member === undefined ? sent : { ...(record[head] as object), [member]: sent };
  }
  return record;
}

function formatCsv(record: Readonly<Record<string, unknown>>): string {
  const cells = Object.values(record).map((value) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return `"${text.replaceAll('"', '""')}"`;
  });
  return `${Object.keys(record).join(',')}\n${cells.join(',')}\n`;
}

/** Members of records that are refused with the values of other tests, or without a list. */
const OWN: Readonly<Record<string, { readonly fields: object; readonly lists: object }>> = {
  retainers: { fields: { rollover: 'surplus' }, lists: { amounts: [{ amount: 40 }] } },
  invoice_lines: { fields: {}, lists: { covers: [{ logged_time_id: 'a' }] } },
  write_offs: { fields: {}, lists: { covers: [{ logged_time_id: 'a' }] } },
};

async function makeFiles(name: string, record: Readonly<Record<string, unknown>>): Promise<Files[]> {
  const line = `${JSON.stringify(record)}\n`;
  const parquet = await withDirectory({ 'one.ndjson': line }, async (directory) => {
    const database = await openDatabase(':memory:');
    const target = join(directory, 'one.parquet');
    await database.run(`COPY (FROM read_json('${join(directory, 'one.ndjson')}')) TO '${target}'`);
    await database.close();
    return readFile(target);
  });
  return [
    { [`${name}.json`]: [record] },
    { [`${name}.ndjson`]: line },
    { [`${name}.csv`]: formatCsv(record) },
    { [`${name}.parquet`]: parquet },
  ];
}

describe('1.5 every field of every resource is kept, in each format', () => {
  const cases = resources.flatMap((resource) =>
    Array.from({ length: spellingsOf(resource) }, (_, spelling) => ({ resource, name: resource.name, spelling })),
  );

  it.each(cases)('$name, by name $spelling', async ({ resource, name, spelling }) => {
    const { fields, lists } = OWN[name] ?? {};
    const kept = Object.entries(resource.fields).map(([key, each]) => [key, valueFor(each).kept]);
    const expected = { ...Object.fromEntries(kept), ...fields };
    for (const files of await makeFiles(name, { ...makeRecord(resource, spelling), ...fields, ...lists })) {
      await withDataset(files, async ({ rows, summary }) => {
        expect(await rows(`FROM source.${name}`), Object.keys(files)[0]).toEqual([expected]);
        expect(summary.unknownFields).toEqual([]);
      });
    }
  });

  it.each([
    ['small', 10],
    ['large', 1200],
  ])('a field that only the last record of a %s file has', async (_size, padding) => {
    const clients = Array.from({ length: 1500 }, (_, index) => ({ client_id: index + 1, name: 'x'.repeat(padding) }));
    const files = { 'clients.json': [...clients, { client_id: 2000, modified_by: 5, odd: 1 }] };
    await withDataset(files, async ({ rows, summary }) => {
      expect(await rows('SELECT client_id, modified_by FROM source.clients WHERE modified_by IS NOT NULL')).toEqual([
        { client_id: 2000, modified_by: 5 },
      ]);
      expect(summary.resources.find(({ resource }) => resource === 'clients')).toMatchObject({
        read: 1501,
        loaded: 1501,
      });
      expect(summary.unknownFields).toEqual([{ resource: 'clients', fields: ['odd'] }]);
    });
  });

  it.each([
    ['a text', '"all"'],
    ['a number', '3'],
    ['true', 'true'],
    ['a list', '[1, {"a": null}]'],
    ['an object', '{"a": {"b": [true, "x"]}}'],
  ])('JSON comes out as it went in: %s', async (_name, text) => {
    const [row] = await rowsOf(
      { 'accounts.ndjson': `{"account_id": 1, "access": ${text}}\n` },
      'SELECT access FROM source.accounts',
    );
    expect(JSON.parse(String(row?.['access']))).toEqual(JSON.parse(text));
  });
});

describe('1.5 moments', () => {
  it('a record without created and modified gets the time of the load', async () => {
    const loadedAt = '2020-01-02 03:04:05';
    const files = {
      'departments.json': [
        { department_id: 1 },
        { department_id: 2, created: loadedAt },
        { department_id: 3, modified: loadedAt },
      ],
      'roles.json': [{ role_id: 1, created: null, modified: '' }],
    };
    await withDataset(files, async ({ rows }) => {
      expect(await rows('SELECT created, modified FROM source.departments')).toEqual([
        { created: LOADED_AT, modified: LOADED_AT },
        { created: loadedAt, modified: LOADED_AT },
        { created: LOADED_AT, modified: loadedAt },
      ]);
      expect(await rows('SELECT created, modified FROM source.roles')).toEqual([
        { created: LOADED_AT, modified: LOADED_AT },
      ]);
    });
  });

  it('every resource has both', () => {
    for (const { name, fields } of resources) {
      expect([fields['created']?.isMoment, fields['modified']?.isMoment], name).toEqual([true, true]);
    }
  });
});

describe('1.5 colors', () => {
  const phases = ['#4A90D9', 'ff0000', 'blue', '#fff', '', null].map((color, index) => ({
    phase_id: index + 1,
    project_id: 1,
    color,
  }));

  it('a # is removed; an invalid color becomes null and is reported', async () => {
    await withDataset({ 'phases.json': phases }, async ({ rows, summary }) => {
      expect((await rows('SELECT color FROM source.phases')).map(({ color }) => color)).toEqual([
        '4A90D9',
        'ff0000',
        null,
        null,
        null,
        null,
      ]);
      const reasons = ['color: not six hexadecimal digits'];
      expect(await rows('SELECT * EXCLUDE (file) FROM source.rejected')).toEqual([
        { resource: 'phases', position: 3, record_id: '3', item: 'color', reasons, record: 'blue' },
        { resource: 'phases', position: 4, record_id: '4', item: 'color', reasons, record: '#fff' },
      ]);
      expect(summary.resources.find(({ resource }) => resource === 'phases')).toMatchObject({
        read: 6,
        loaded: 6,
        setAside: 0,
        itemsSetAside: 2,
      });
    });
  });

  it('a strict load refuses invalid colors', async () => {
    await expect(withDataset({ 'phases.json': phases }, async () => undefined, { strict: true })).rejects.toThrow(
      '2 items would be set aside',
    );
  });

  it('colors of records set aside, and of duplicates, are not reported separately', async () => {
    const records = [{ phase_id: 1, color: 'blue' }, { phase_id: 2, project_id: 1, color: 'red' }, phases[1]];
    const items = await rowsOf({ 'phases.json': records }, 'SELECT item, reasons FROM source.rejected');
    expect(items).toEqual([{ item: null, reasons: ['project_id: missing'] }]);
  });
});

describe('1.5 kinds of time off', () => {
  const timeoff = { people_id: 1, start_date: '2026-01-05', end_date: '2026-01-06' };
  const timeoffs = [
    { timeoff_id: 1, ...timeoff, timeoff_type_id: 4, timeoff_type_name: 'Holiday' },
    { timeoff_id: 2, ...timeoff, timeoff_type_id: 4 },
    { timeoff_id: 3, ...timeoff, timeoff_type_id: 5, timeoff_type_name: 'Sick' },
    { timeoff_id: 4, ...timeoff },
  ];
  const sql = 'SELECT timeoff_type_id, timeoff_type_name, active FROM source.timeoff_types';

  it('without a file they are taken from the time off', async () => {
    expect(await rowsOf({ 'timeoffs.json': timeoffs }, sql)).toEqual([
      { timeoff_type_id: 4, timeoff_type_name: 'Holiday', active: null },
      { timeoff_type_id: 5, timeoff_type_name: 'Sick', active: null },
    ]);
  });

  it('with a file its records are kept, and missing ones are added', async () => {
    const types = [{ timeoff_type_id: 4, timeoff_type_name: 'Vacation', active: 0 }];
    expect(await rowsOf({ 'timeoffs.json': timeoffs, 'timeoff-types.json': types }, sql)).toEqual([
      { timeoff_type_id: 4, timeoff_type_name: 'Vacation', active: false },
      { timeoff_type_id: 5, timeoff_type_name: 'Sick', active: null },
    ]);
  });
});
