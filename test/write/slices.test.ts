import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { sliceDays } from '../../src/numbers/report/run/run-list.ts';
import { type TableFormatName, writeTable } from '../../src/numbers/write/formats.ts';
import { copyLines, selectLines } from '../../src/numbers/write/row-statements.ts';
import { columnsOf, readBytes, tableOf } from './tables.ts';

const COLUMNS = columnsOf({ id: 'id', name: 'text', hours: 'hours', date: 'date', billable: 'boolean' });
const SELECT = `SELECT range AS id, 'name ' || range % 7 AS name, CASE WHEN range % 5 > 0 THEN CAST(range AS DECIMAL(18,4)) END AS hours,
  DATE '2026-01-01' + CAST(range % 365 AS INTEGER) AS date, range % 3 = 0 AS billable`;
/** Row counts: more than a row group, none, one, some. */
const STATEMENTS = ['0, 130000', '130000, 130000', '130000, 130001', '130001, 150000'].map(
  (range) => `${SELECT} FROM range(${range})`,
);
const ALL = `${SELECT} FROM range(150000)`;

let folder: string;
let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
});
afterAll(() => database.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-slices-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const write = (format: TableFormatName, statements: readonly string[] = STATEMENTS) =>
  writeTable(format, tableOf(database, COLUMNS, statements));

describe('statements become one file', () => {
  it('as Parquet, whose footer lists the row groups and has the metadata once', async () => {
    const file = join(folder, 'joined.parquet');
    writeFileSync(file, await readBytes(write('parquet')));
    const parquet = `read_parquet(${quoteText(file)})`;
    const differences = `(FROM ${parquet} EXCEPT ALL (${ALL})) UNION ALL ((${ALL}) EXCEPT ALL FROM ${parquet})`;
    expect(await database.rows(`SELECT COUNT(*) AS count FROM (${differences})`)).toEqual([{ count: 0 }]);
    expect(
      await database.rows(
        `SELECT COUNT(*) AS count FROM read_parquet(${quoteText(file)}, file_row_number = true) WHERE id <> file_row_number`,
      ),
    ).toEqual([{ count: 0 }]);
    // Statistics and bloom filters are looked up through places in the footer, too.
    expect(await database.rows(`SELECT hours FROM ${parquet} WHERE id = 140001`)).toEqual([{ hours: '140001.0000' }]);
    expect(await database.rows(`SELECT COUNT(*) AS count FROM ${parquet} WHERE name = 'name 3'`)).toEqual(
      await database.rows(`SELECT COUNT(*) AS count FROM (${ALL}) WHERE name = 'name 3'`),
    );
    const groups = await database.rows(
      `SELECT row_group_id AS id, row_group_num_rows AS rows FROM parquet_metadata(${quoteText(file)}) WHERE column_id = 0`,
    );
    expect(groups).toEqual([122_880, 7_120, 1, 19_999].map((rows, id) => ({ id, rows })));
    const keys = await database.rows(`SELECT decode(key) AS key FROM parquet_kv_metadata(${quoteText(file)})`);
    expect(keys.filter(({ key }) => key === 'data_version')).toHaveLength(1);
  });

  it('as Arrow', async () => {
    const read = tableFromIPC(await readBytes(write('arrow')));
    expect(read.numRows).toBe(150_000);
    const ids = read.getChild('id')?.toArray() as BigInt64Array;
    expect(ids.findIndex((id, index) => id !== BigInt(index))).toBe(-1);
    expect(read.getChild('name')?.get(149_999)).toBe(`name ${149_999 % 7}`);
  });
});

describe('temporary files', () => {
  const FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;

  it.each(FORMATS)(
    'for %s have no name while open, where the system allows it, and are deleted afterwards',
    async (format) => {
      let named = 0;
      for await (const _ of write(format)) {
        for (const file of readdirSync(folder))
          named += statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0;
      }
      if (process.platform === 'linux') expect(named).toBe(0);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it.each(FORMATS)('for %s are closed and deleted when the reader stops', async (format) => {
    const open = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
    const before = open();
    for (let run = 0; run < 3; run += 1) {
      let pieces = 0;
      for await (const _ of write(format)) if (++pieces === 3) break;
    }
    expect(readdirSync(folder)).toEqual([]);
    expect(open()).toBe(before);
  });

  it.each(FORMATS)(
    'for %s are deleted when a later statement fails, and the error gives the reason',
    async (format) => {
      const failing = `${SELECT.replace('range AS id', "CAST('x' || range AS BIGINT) AS id")} FROM range(10)`;
      const written = readBytes(write(format, [...STATEMENTS, failing]));
      await expect(written).rejects.toThrow(/Could not convert string 'x0'/);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('that cannot be written give an error with the folder and a way out', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    await expect(readBytes(write('csv'))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining(join(folder, 'missing')),
      hint: expect.stringContaining('TMPDIR'),
    });
  });
});

describe('copyLines', () => {
  const spell = () => '"name"';

  it.each([
    ['leaves a few to JavaScript', 9_999, false],
    ['writes many in the database', 10_000, true],
    ['writes an unknown number in the database', undefined, true],
  ])('%s', async (_name, maxRows, isCopied) => {
    const table = tableOf(database, COLUMNS, [`${SELECT} FROM range(3)`]);
    const statements = { database, slice: () => [`${SELECT} FROM range(3)`], maxRows };
    const copied = await copyLines({ ...table, statements }, spell);
    expect(copied !== undefined).toBe(isCopied);
    if (!copied) return;
    const texts: string[] = [];
    for await (const { bytes, read } of copied) texts.push((await readBytes(read(0, bytes))).toString());
    expect(texts).toEqual(['name 0\nname 1\nname 2\n']);
  });
});

describe('selectLines', () => {
  const explain = async (select: string) => {
    const rows = await database.rows<{ explain_value: string }>(
      `EXPLAIN COPY (${select}) TO ${quoteText(join(folder, 'lines'))} (FORMAT csv)`,
    );
    return rows.map(({ explain_value }) => explain_value).join('\n');
  };

  it('lets COPY stream the lines: numbered rows would be collected in memory', async () => {
    const sorted = `FROM (${ALL}) ORDER BY hours, id`;
    expect(await explain(`SELECT name AS line ${sorted}`)).toContain('BATCH_COPY_TO_FILE');
    const plan = await explain(selectLines(sorted, 'name'));
    expect(plan).toContain('COPY_TO_FILE');
    expect(plan).not.toContain('BATCH_COPY_TO_FILE');
  });

  it('keeps the order of more rows than one part of a sort holds', async () => {
    const file = quoteText(join(folder, 'lines'));
    const sorted = `SELECT range AS id FROM range(400000) ORDER BY hash(range)`;
    await database.run(`COPY (${selectLines(sorted, 'id')}) TO ${file} (FORMAT csv, HEADER false)`);
    const read = `FROM read_csv(${file}, header = false, columns = {'id': 'BIGINT'}, parallel = false)`;
    expect(
      await database.rows(`
        SELECT COUNT(*) AS count, COUNT(*) FILTER (WHERE order_now < order_before) AS wrong FROM (
          SELECT hash(id) AS order_now, LAG(hash(id)) OVER () AS order_before ${read})`),
    ).toEqual([{ count: 400_000, wrong: 0 }]);
  });
});

describe('sliceDays', () => {
  const days = (...counts: number[]) => counts.map((count, index) => ({ date: `2026-01-0${index + 1}`, count }));

  it('leaves a window with few lines whole', () => {
    expect(sliceDays(days(200_000, 200_000, 91_520))).toEqual([{ startDate: '2026-01-01', endDate: '2026-01-03' }]);
    expect(sliceDays([])).toEqual([]);
  });

  it('cuts a window with many lines into slices, and never cuts a day', () => {
    expect(sliceDays(days(100_000, 20_000, 300_000, 100_000, 600_000, 5_000))).toEqual([
      { startDate: '2026-01-01', endDate: '2026-01-03' },
      { startDate: '2026-01-04', endDate: '2026-01-04' },
      { startDate: '2026-01-05', endDate: '2026-01-05' },
      { startDate: '2026-01-06', endDate: '2026-01-06' },
    ]);
  });

  it('cuts smaller slices on request', () => {
    expect(sliceDays(days(100_000, 20_000, 30_000, 60_000), 90_000)).toEqual([
      { startDate: '2026-01-01', endDate: '2026-01-01' },
      { startDate: '2026-01-02', endDate: '2026-01-03' },
      { startDate: '2026-01-04', endDate: '2026-01-04' },
    ]);
  });
});
