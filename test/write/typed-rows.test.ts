import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText, type Value } from '../../src/base/database/database.ts';
import type { Table, Unit } from '../../src/numbers/report/catalogue/table.ts';
import { writeParquet } from '../../src/numbers/write/parquet-writer.ts';
import { makeFolder } from '../errors/gallery.ts';
import { columnsOf, META, readBytes } from './tables.ts';

/** Values of each unit in a summary report: large, small and null. */
const VALUES: Readonly<Partial<Record<Unit, readonly Value[]>>> = {
  money: ['99999999999999.9999', '100000000000000.0000', `-${'9'.repeat(34)}.9999`, '-0.0001', null],
  percent: ['9999999999999999.99', '10000000000000000.00', `${'9'.repeat(36)}.99`, '-0.01', null],
  text: ['', 'é "quoted",\n', null, 'null', '1.5'],
  boolean: [true, false, null, true, false],
  id: [1, 9_007_199_254_740_991, null, 0, 7],
};
const UNITS = Object.keys(VALUES) as Unit[];

/** More rows than one statement inserts. */
const ROWS = Array.from({ length: 4_321 }, (_, row) =>
  UNITS.map((unit, column) => VALUES[unit]?.[(row + column) % 5] ?? null),
);

/** Rows per batch: as many as a server formats before it yields to other requests. */
const BATCH_ROWS = 25;

let database: Database;
const folder = await makeFolder();
beforeAll(async () => {
  database = await openDatabase(':memory:');
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function* inBatches(): Table['rows'] {
  for (let start = 0; start < ROWS.length; start += BATCH_ROWS) yield ROWS.slice(start, start + BATCH_ROWS);
}

it('rows from JavaScript are unchanged in Parquet, each once and in order', async () => {
  const columns = columnsOf(Object.fromEntries(UNITS.map((unit) => [unit, unit])));
  const parts = { name: 'pivot', label: 'Pivot', totals: undefined, nested: undefined, meta: META };
  const table: Table = { ...parts, columns, rows: inBatches() };
  const file = join(folder, 'rows.parquet');
  await writeFile(file, await readBytes(writeParquet(table)));
  const texts = UNITS.map((unit) => `CAST(${unit} AS VARCHAR)`).join(', ');
  const found = await database.rows<{ cells: Value[] }>(`SELECT [${texts}] AS cells FROM ${quoteText(file)}`);
  expect(found.map(({ cells }) => cells)).toEqual(
    ROWS.map((row) => row.map((value) => (value === null ? null : String(value)))),
  );
});
