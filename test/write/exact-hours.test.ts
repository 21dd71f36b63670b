import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Decimal as ArrowDecimal, tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { Exact } from '../../src/base/exact-decimal.ts';
import { writeTable } from '../../src/numbers/write/formats.ts';
import { sheetBook } from '../ingest/sheet-book.ts';
import { runReport } from '../reports.ts';
import { SEED } from '../seed.ts';
import { buildDataset, catalogue, writeRecords } from '../sql/company.ts';
import { readBytes } from './tables.ts';

/** Hours of up to six decimals, a list for each door that they come in by. */
const DOORS = ['csv', 'json', 'xlsx', 'parquet'] as const;
const COUNT = 60;
const [HOURS] = fc.sample(
  fc.array(fc.array(fc.integer({ min: 0, max: 24_000_000 }), { minLength: COUNT, maxLength: COUNT }), {
    minLength: DOORS.length,
    maxLength: DOORS.length,
  }),
  { seed: SEED, numRuns: 1 },
) as [number[][]];

const textOf = (millionths: number) => new Exact(millionths).div(1_000_000).toFixed();
const sumOf = (list: readonly number[] = []) => list.reduce((sum, each) => sum.plus(textOf(each)), new Exact(0));

/** A line of each hour: its id, its person, one for each door, and its day. */
const linesOf = (door: number) =>
  (HOURS[door] ?? []).map((hours, index) => ({
    logged_time_id: `${DOORS[door]}${index}`,
    people_id: door + 1,
    project_id: 1,
    date: `2026-03-${String((index % 28) + 1).padStart(2, '0')}`,
    hours: textOf(hours),
  }));

let folder: string;
let database: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-hours-'));
  const input = join(folder, 'input');
  mkdirSync(input);
  writeRecords(input, {
    people: DOORS.map((name, index) => ({ people_id: index + 1, name, default_hourly_rate: '180' })),
    projects: [{ project_id: 1, name: 'One' }],
  });
  const names = ['logged_time_id', 'people_id', 'project_id', 'date', 'hours'] as const;
  const cellsOf = (door: number) => [
    [...names],
    ...linesOf(door).map((line) => names.map((name) => String(line[name]))),
  ];
  writeFileSync(
    join(input, 'logged_time.1.csv'),
    cellsOf(0)
      .map((cells) => cells.join(','))
      .join('\n'),
  );
  writeFileSync(join(input, 'logged_time.2.json'), JSON.stringify(linesOf(1)));
  writeFileSync(join(input, 'book.xlsx'), sheetBook(cellsOf(2), { sheets: ['logged_time'] }));
  const writer = await openDatabase(':memory:');
  const rows = linesOf(3).map((line) => `('${line.logged_time_id}', 4, 1, DATE '${line.date}', ${line.hours})`);
  await writer.run(
    `COPY (SELECT * REPLACE (CAST(hours AS DECIMAL(10, 6)) AS hours) FROM (VALUES ${rows.join(', ')}) AS lines(${names.join(', ')}))
      TO ${quoteText(join(input, 'logged_time.4.parquet'))}`,
  );
  await writer.close();
  database = await buildDataset(input, new Date('2026-04-01T00:00:00Z'));
});

afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const read = (name: string, fields: string) =>
  runReport(database, catalogue, name, { start_date: '2026-03-01', end_date: '2026-03-31', fields });

it(`adds up hours of six decimals exactly, whichever door they came in by, PLUMBLINE_SEED=${SEED}`, async () => {
  const table = await read('people', 'name,actual_hours');
  const pieces = await readBytes(writeTable('csv', table));
  const sums = Object.fromEntries(
    String(pieces)
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')),
  );
  expect(Object.fromEntries(DOORS.map((door) => [door, new Exact(sums[door] ?? 0).toFixed()]))).toEqual(
    Object.fromEntries(DOORS.map((door, index) => [door, sumOf(HOURS[index]).toFixed()])),
  );
  const [found] = await database.rows<{ hours: string; fees: string }>(
    'SELECT SUM(hours) AS hours, SUM(fee) AS fees FROM marts.lines',
  );
  expect(new Exact(found?.hours ?? 0).toFixed()).toBe(sumOf(HOURS.flat()).toFixed());
  const fees = HOURS.flat().map((each) => new Exact(textOf(each)).times(180).toDecimalPlaces(2, Exact.ROUND_HALF_UP));
  expect(new Exact(found?.fees ?? 0).toFixed()).toBe(fees.reduce((a, b) => a.plus(b)).toFixed());
});

it('gives them out in every format', async () => {
  const whole = sumOf(HOURS.flat()).toFixed();
  const sums = (texts: readonly unknown[]) =>
    texts.reduce<InstanceType<typeof Exact>>((sum, text) => sum.plus(String(text)), new Exact(0)).toFixed();
  const lines = () => read('lines', 'line_id,hours');
  const json = JSON.parse(String(await readBytes(writeTable('json', await lines(), { decimals: 'string' }))));
  expect(sums(json.lines.map((row: { hours: string }) => row.hours))).toBe(whole);
  const file = join(folder, 'lines.parquet');
  writeFileSync(file, await readBytes(writeTable('parquet', await lines())));
  const [found] = await database.rows<{ sum: string; type: string }>(
    `SELECT SUM(hours) AS sum, ANY_VALUE(typeof(hours)) AS type FROM read_parquet(${quoteText(file)})`,
  );
  expect([new Exact(found?.sum ?? 0).toFixed(), found?.type]).toEqual([whole, 'DECIMAL(10,6)']);
  const arrow = tableFromIPC(await readBytes(writeTable('arrow', await lines())));
  const column = arrow.getChild('hours');
  const { scale = 0, precision = 0 } = (column?.type ?? {}) as Partial<ArrowDecimal>;
  const units = Array.from({ length: arrow.numRows }, (_, row) => `${column?.get(row)}e-${scale}`);
  expect([sums(units), `DECIMAL(${precision},${scale})`]).toEqual([whole, 'DECIMAL(10,6)']);
});
