import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Value } from '../../src/base/database/database.ts';
import type { Flags } from '../../src/doors/command/command.ts';
import { MAPPING_FLAGS, openMapping } from '../../src/doors/command/load/load-mapping.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { column, readBytes, stubWorkbook } from '../write/xlsx/stub.ts';
import { type Files, withDirectory } from './dataset.ts';
import { run } from './own-data.ts';

/** Reads files with the flags of a load, and returns what a query finds. */
async function readWith(files: Files, flags: Flags, sql: string): Promise<Record<string, Value>[]> {
  const database = await openDatabase(':memory:');
  try {
    await withDirectory(files, async (directory) => {
      const named = flags['mapping'];
      const given = typeof named === 'string' ? { ...flags, mapping: join(directory, named) } : flags;
      return ingestDirectory(database, directory, { mapping: await openMapping(directory, given) });
    });
    return await database.rows(sql);
  } finally {
    await database.close();
  }
}

const people = (rate: string): Files => ({ 'people.csv': `people_id;cost_rate\n7;${rate}\n` });
const time = (day: string, hours: string): Files => ({
  'logged_time.csv': `logged_time_id,people_id,date,hours\na,7,${day},${hours}\n`,
});
const MAPPED = `files: [{file: staff.csv, resource: people, header_row: 2, delimiter: semicolon, fields: {people_id: No, name: Name, cost_rate: Rate}}]\n`;
const mapped = { 'staff.csv': 'Staff\nNo;Name;Rate\n7;Ada;45.50\n', 'own.yaml': MAPPED };

describe('a flag of a load alone', () => {
  it.each<[string, Flags, Files, string, unknown]>([
    [
      '--date-format',
      { 'date-format': 'DD/MM/YYYY' },
      time('13/02/2026', '7.5'),
      'date FROM source.logged_time',
      '2026-02-13',
    ],
    [
      '--hours-format',
      { 'hours-format': 'h:mm' },
      time('2026-02-13', '7:30'),
      'hours FROM source.logged_time',
      '7.500000',
    ],
    ['--decimal-comma', { 'decimal-comma': true }, people('1.045,50'), 'cost_rate FROM source.people', '1045.5000'],
    ['--mapping', { mapping: 'own.yaml' }, mapped, 'cost_rate FROM source.people', '45.5000'],
  ])('reads what is otherwise set aside or left out: %s', async (_name, flags, files, query, expected) => {
    const sql = `SELECT ${query.replace(' ', '::VARCHAR AS value ')}`;
    expect(await readWith(files, flags, sql)).toEqual([{ value: expected }]);
    const without = await readWith({ ...files, 'roles.json': [] }, {}, sql);
    expect(without.filter(({ value }) => value !== null)).toEqual([]);
  });

  it.each<[string, Flags]>([
    ['--date-format', { 'date-format': 'DD/MM/YYYY' }],
    ['--decimal-comma', { 'decimal-comma': true }],
    ['--hours-format', { 'hours-format': 'h:mm' }],
  ])('is refused if no file is of a kind that it is about: %s', async (_name, flags) => {
    const loading = readWith({ 'people.json': [{ people_id: 7 }], 'roles.json': [] }, flags, 'SELECT 1');
    await expect(loading).rejects.toMatchObject({
      message: 'The load is told a form of days, numbers or hours, which no file of it can be in',
      hint: expect.stringContaining('roles.json, people.json. Nothing was loaded.'),
    });
  });

  it.each(MAPPING_FLAGS)('is refused if the records are in tables: --$name', async ({ name, argument }) => {
    const cluster = [
      '--engine',
      'trino',
      '--server',
      'http://localhost:1',
      '--catalog',
      'lake',
      '--schema-prefix',
      'a_',
    ];
    const tables = ['--lake', '/tmp', '--source', 'iceberg', '--source-schema', 'raw'];
    const { code, output } = await run('load', ...cluster, ...tables, `--${name}`, ...(argument ? ['x'] : []));
    expect(code).toBe(2);
    expect(output).toContain(`load takes no --${name} with --source iceberg`);
    expect(output).toContain('the columns of tables name the fields');
  });
});

describe('a mapping', () => {
  it('that names a file whose fields have names and types is refused', async () => {
    const files = { 'people.parquet': 'PAR1', 'own.yaml': MAPPED.replace('staff.csv', 'people.parquet') };
    await expect(readWith(files, { mapping: 'own.yaml' }, 'SELECT 1')).rejects.toMatchObject({
      message: "people.parquet can't be read with a mapping: it is no CSV or JSON file and no workbook",
      hint: expect.stringContaining('take it out of the mapping'),
    });
  });

  it('that is proposed for files loads them, with nothing set aside', async () => {
    const rows = '13.02.2026;Ada King;Website;7,5;yes\n14.02.2026;Bo Li;Website;1,25;no\n';
    await withDirectory({ 'zeiten.csv': `Date;Person;Project;Hours;Billable\n${rows}` }, async (directory) => {
      const suggested = await run('load', directory, '--suggest-mapping');
      expect(suggested.code, suggested.output).toBe(0);
      const database = await openDatabase(':memory:');
      const mapping = await openMapping(directory, {});
      await ingestDirectory(database, directory, { mapping, strict: true });
      const found = await database.rows(`SELECT people.name, logged_time.date::VARCHAR AS date, hours::VARCHAR AS hours
        FROM source.logged_time JOIN source.people ON people.people_id = logged_time.people_id ORDER BY 1`);
      await database.close();
      expect(found).toEqual([
        { name: 'Ada King', date: '2026-02-13', hours: '7.500000' },
        { name: 'Bo Li', date: '2026-02-14', hours: '1.250000' },
      ]);
    });
  });

  it('is not proposed in the place of another', async () => {
    await withDirectory({ 'people.csv': 'people_id\n1\n', 'mapping.yaml': 'files: []\n' }, async (directory) => {
      const { code, output } = await run('load', directory, '--suggest-mapping');
      expect(code).toBe(2);
      expect(output).toContain('mapping.yaml is there already');
    });
  });
});

describe('a workbook that Plumbline wrote', () => {
  it.each(['in a folder', 'alone'])('is refused at once %s, as a report', async (how) => {
    const columns = [column('people_id', 'id'), column('name', 'text')];
    const book = await readBytes(stubWorkbook([{ name: 'people', key: 'own', columns, rows: [['1', 'Ada']] }]));
    await withDirectory({ 'people.csv': 'people_id\n1\n' }, async (directory) => {
      const path = join(directory, 'people.xlsx');
      await writeFile(path, book);
      const target = how === 'alone' ? path : directory;
      const { code, output } = await run('load', target, '--database', join(directory, 'x.duckdb'));
      expect(code).toBe(1);
      expect(output).toContain(`${path} is a report that Plumbline wrote, and has no records`);
      expect(output).toContain('Take it out of the folder');
    });
  });
});
