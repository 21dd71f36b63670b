import { rm, writeFile } from 'node:fs/promises';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { writeArrow } from '../../src/numbers/write/arrow-writer.ts';
import { writeParquet } from '../../src/numbers/write/parquet-writer.ts';
import { makeFolder } from '../errors/gallery.ts';
import { columnsOf, readBytes, tableOf } from './tables.ts';

/** More rows than an engine chunk, and no multiple of the rows per validity word. */
const ROWS = 5003;

/** Types in files for database types unknown to some formats. */
const WIDENED: Readonly<Record<string, string>> = { SMALLINT: 'BIGINT', HUGEINT: 'DECIMAL(38,0)' };

/** Values by database type: the smallest, the largest, and one between. */
const VALUES: Readonly<Record<string, readonly [type: string, ...values: string[]]>> = {
  tiny: ['DECIMAL(4,2)', '-99.99', '99.99', '-0.01'],
  small: ['DECIMAL(9,4)', '-99999.9999', '99999.9999', '0.0001'],
  medium: ['DECIMAL(18,4)', '-99999999999999.9999', '99999999999999.9999', '-4294967296.0001'],
  large: ['DECIMAL(38,4)', `-${'9'.repeat(34)}.9999`, `${'9'.repeat(34)}.9999`, '-18446744073709551616.0001'],
  count: ['SMALLINT', '-32768', '32767', '-1'],
  sum: ['HUGEINT', `-${'9'.repeat(38)}`, '9'.repeat(38), '-18446744073709551616'],
  id: ['BIGINT', '-9223372036854775808', '9223372036854775807', '4294967296'],
  date: ['DATE', '0001-01-01', '9999-12-31', '1969-12-31'],
  flag: ['BOOLEAN', 'true', 'false', 'true'],
  word: ["ENUM('', 'actual', 'Zoë 🦊')", '', 'actual', 'Zoë 🦊'],
  text: ['VARCHAR', '', 'é'.repeat(100), 'a,"b"\n\u0000c'],
};
const NAMES = Object.keys(VALUES);

const SCALES: Readonly<Record<string, number>> = { tiny: 2, sum: 0 };

let database: Database;
let expected: string[][];

beforeAll(async () => {
  database = await openDatabase(':memory:');
  const columns = Object.entries(VALUES).map(([name, [type, ...values]], index) => {
    const list = values.map((value) => `'${value.replaceAll('\u0000', "' || chr(0) || '")}'`).join(', ');
    // Every fifth value is null, at a different offset in each column.
    return `CASE WHEN (row + ${index}) % 5 = 0 THEN NULL ELSE CAST([${list}][1 + row % 3] AS ${type}) END AS ${name}`;
  });
  await database.run(`CREATE TABLE listed AS SELECT ${columns.join(', ')} FROM range(${ROWS}) AS rows (row)`);
  expected = await readTexts('listed');
});
afterAll(() => database.close());

/** Reads a relation as texts, with dates as days for comparison with Arrow. */
async function readTexts(relation: string): Promise<string[][]> {
  const texts = NAMES.map((name) => (name === 'date' ? `date - DATE '1970-01-01'` : name));
  const cells = texts.map((text) => `COALESCE(CAST(${text} AS VARCHAR), 'unknown')`);
  const rows = await database.rows<{ cells: string[] }>(`SELECT [${cells.join(', ')}] AS cells FROM ${relation}`);
  return rows.map((row) => row.cells);
}

const makeTable = () =>
  tableOf(database, columnsOf(Object.fromEntries(NAMES.map((name) => [name, 'text']))), ['FROM listed']);

describe('every value of a column, and null', () => {
  it('is the same in Arrow as in the database', async () => {
    const table = tableFromIPC(await readBytes(writeArrow(makeTable())));
    const columns = NAMES.map((name) => {
      const vector = table.getChild(name);
      const scale = SCALES[name] ?? 4;
      return Array.from({ length: ROWS }, (_, row) => formatCell(name, vector?.get(row), scale));
    });
    const rows = Array.from({ length: ROWS }, (_, row) => columns.map((column) => column[row]));
    expect(rows).toEqual(expected);
    expect(columns.map((_, index) => table.getChildAt(index)?.nullCount)).toEqual(NAMES.map(countUnknown));
  });

  it('is the same in Parquet as in the database, with enumerations as texts', async () => {
    const folder = await makeFolder();
    await writeFile(`${folder}/listed.parquet`, await readBytes(writeParquet(makeTable())));
    const file = `read_parquet('${folder}/listed.parquet')`;
    expect(await readTexts(file)).toEqual(expected);
    const types = await database.rows<{ column_type: string }>(`DESCRIBE FROM ${file}`);
    const given = Object.values(VALUES).map(([type]) =>
      type.startsWith('ENUM') ? 'VARCHAR' : (WIDENED[type] ?? type),
    );
    expect(types.map(({ column_type }) => column_type)).toEqual(given);
    await rm(folder, { recursive: true });
  });
});

function countUnknown(name: string): number {
  return expected.filter((row) => row[NAMES.indexOf(name)] === 'unknown').length;
}

function formatCell(name: string, value: unknown, scale: number): string {
  if (value === null || value === undefined) return 'unknown';
  if (name === 'date') return String(Math.floor(Number(value) / 86_400_000));
  if (!/^(DECIMAL|HUGEINT)/.test(VALUES[name]?.[0] ?? '')) return String(value);
  const units = decimalOf(value as Uint32Array);
  if (scale === 0) return String(units);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function decimalOf(words: Uint32Array): bigint {
  return BigInt.asIntN(
    128,
    words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
  );
}
