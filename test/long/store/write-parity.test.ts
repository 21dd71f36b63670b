import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type, tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText, type Value } from '../../../src/base/database/database.ts';
import type { Column, Table } from '../../../src/numbers/report/catalogue/table.ts';
import { describeChecks } from '../../../src/numbers/write/describe-meta.ts';
import { type TableFormatName, type WriteOptions, writeTable } from '../../../src/numbers/write/formats.ts';
import { isDecimal } from '../../../src/numbers/write/value-text.ts';
import { runReport } from '../../reports.ts';
import { catalogue, loadBundled } from '../../sql/company.ts';
import { readBytes, withoutSelection } from '../../write/tables.ts';

// Every format of every report of the fixtures has the cells of its JSON with decimals as strings.

const WINDOW = { start_date: '2026-01-01', end_date: '2026-02-28' };
const WHOLE = { start_date: '2000-01-01', end_date: '2050-12-31' };
const NOW = new Date('2026-03-31T12:00:00Z');
const REPORTS: readonly (readonly [name: string, parameters: Readonly<Record<string, string>>])[] = [
  ...['projects', 'phases', 'people', 'tasks', 'lines', 'data-quality'].map((name) => [name, {}] as const),
  ['projects', { interval: 'month' }],
  ['people', { interval: 'week', 'per-page': '50', page: '2' }],
  ['pivot', { group_by: 'tag,person,billable,day', measures: 'actual_hours,actual_cost,utilization_percent' }],
  ['pivot', { group_by: 'project', columns: 'week,month', measures: 'actual_hours,actual_margin_percent' }],
  ['lines', { sort: '-fee,line_id', fields: 'line_id,fee,person' }],
  ['lines', { limit: '100' }],
  ['lines', { end_date: '2026-01-01', client_id: '99' }],
  ['projects', { end_date: '2026-01-01', client_id: '99' }],
];

type Cell = string | number | boolean | null;
type Cells = Record<string, Cell>;

let database: Database;
let folder: string;
let remove: () => void;

beforeAll(async () => {
  const loaded = await loadBundled();
  folder = dirname(loaded.file);
  remove = loaded.remove;
  database = await openDatabase(loaded.file, { readOnly: true });
});
afterAll(async () => {
  await database.close();
  remove();
});

const run = (name: string, parameters: Readonly<Record<string, string>>) =>
  runReport(database, catalogue, name, { ...WINDOW, ...parameters }, { now: NOW });

async function write(format: TableFormatName, table: Table, options: WriteOptions = {}): Promise<Buffer> {
  return readBytes(writeTable(format, table, options));
}

describe.each(REPORTS)('%s %j', (name, parameters) => {
  let table: Table;
  let cells: Cells[];
  beforeAll(async () => {
    table = await run(name, parameters);
    const json = JSON.parse((await write('json', table, { decimals: 'string' })).toString());
    cells = json[name];
    expect(json.meta).toMatchObject(
      JSON.parse(JSON.stringify({ ...table.meta, checks: describeChecks(table.meta.checks) })),
    );
  });

  it('has rows, unless its filter matches nothing', () => {
    expect(cells.length > 0).toBe(parameters['client_id'] === undefined);
  });

  it('JSON has its decimals as numbers of the same digits', async () => {
    const text = (await write('json', await run(name, parameters))).toString();
    const asStrings = (await write('json', await run(name, parameters), { decimals: 'string' })).toString();
    const decimals = table.columns.filter(({ unit }) => isDecimal(unit)).map((column) => column.name);
    const pattern = new RegExp(`"(${decimals.join('|')})":"(-?[0-9.]+)"`, 'g');
    expect(text).toBe(decimals.length === 0 ? asStrings : asStrings.replaceAll(pattern, '"$1":$2'));
  });

  it('NDJSON', async () => {
    const text = (await write('ndjson', await run(name, parameters), { decimals: 'string' })).toString();
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual(cells);
  });

  it('CSV', async () => {
    const text = (await write('csv', await run(name, parameters))).toString();
    const expected = cells.map((row) => Object.values(row).map(formatCsv).join(','));
    expect(text).toBe([table.columns.map((column) => column.name).join(','), ...expected, ''].join('\r\n'));
  });

  it('Parquet, read by DuckDB', async () => {
    const { rows, types } = await readParquet(await write('parquet', await run(name, parameters)));
    expect(formatAll(rows, table)).toEqual(formatJson(cells, table));
    expect(types.filter((type) => /DOUBLE|FLOAT|HUGEINT/.test(type))).toEqual([]);
    for (const [index, { unit }] of table.columns.entries()) expect(types[index]).toMatch(TYPES[unit] ?? /^VARCHAR$/);
  });

  it('Arrow, read by its own library', async () => {
    const read = tableFromIPC(await write('arrow', await run(name, parameters)));
    const rows = read
      .toArray()
      .map((row) => read.schema.fields.map((field) => readArrow(row?.[field.name], field.type)));
    expect(formatAll(rows, table)).toEqual(formatJson(cells, table));
    expect(read.schema.metadata.get('data_version')).toBe(table.meta.data_version);
    expect(read.schema.fields.map((field) => field.name)).toEqual(table.columns.map((column) => column.name));
    expect(read.schema.fields.every(({ type }) => type.typeId !== Type.Float && type.typeId !== Type.Dictionary)).toBe(
      true,
    );
  });
});

const TYPES: Readonly<Record<string, RegExp>> = {
  id: /^BIGINT$/,
  count: /^BIGINT$/,
  date: /^DATE$/,
  boolean: /^BOOLEAN$/,
  hours: /^DECIMAL\(\d+,6\)$/,
  money: /^DECIMAL\(\d+,4\)$/,
  rate: /^DECIMAL\(\d+,4\)$/,
  budget: /^DECIMAL\(\d+,6\)$/,
  percent: /^DECIMAL\(\d+,2\)$/,
};

it('JavaScript writes the lines like the database', async () => {
  for (const format of ['json', 'ndjson', 'csv'] as const) {
    const [byDatabase, table] = [await write(format, await run('lines', WHOLE)), await run('lines', WHOLE)];
    expect(byDatabase.equals(await write(format, withoutSelection(table)))).toBe(true);
  }
});

it("Parquet and Arrow contain the report's metadata and totals", async () => {
  const table = await run('projects', {});
  const totals = (await readBytes(writeTable('json', table))).toString().match(/"totals":(\{.*?\}),"meta"/)?.[1];
  const { metadata } = await readParquet(await write('parquet', await run('projects', {})));
  expect(JSON.parse(metadata['columns'] ?? '').map((column: Column) => column.name)).toEqual(
    table.columns.map(({ name }) => name),
  );
  expect(metadata).toMatchObject({
    report: 'projects',
    currency: table.meta.currency,
    data_version: table.meta.data_version,
    parameters: JSON.stringify(table.meta.parameters),
    checks: JSON.stringify(describeChecks(table.meta.checks)),
    totals,
  });
  const read = tableFromIPC(await write('arrow', await run('projects', {})));
  expect(Object.fromEntries(read.schema.metadata)).toEqual(metadata);
});

async function readParquet(bytes: Buffer) {
  const file = join(folder, 'written.parquet');
  writeFileSync(file, bytes);
  const memory = await openDatabase(':memory:');
  try {
    const { types, chunks } = await memory.stream(`FROM read_parquet(${quoteText(file)})`);
    const rows: Value[][] = [];
    for await (const chunk of chunks) rows.push(...chunk);
    const keys = await memory.rows<{ key: string; value: string }>(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${quoteText(file)})`,
    );
    return { rows, types, metadata: Object.fromEntries(keys.map(({ key, value }) => [key, value])) };
  } finally {
    await memory.close();
  }
}

/** Converts a value from Arrow to the database's form: decimals as texts, dates as days. */
function readArrow(value: unknown, type: { readonly typeId: Type; readonly scale?: number }): Value {
  if (value === null || value === undefined) return null;
  if (type.typeId === Type.Decimal) return formatScaled(value as Uint32Array, type.scale ?? 0);
  if (type.typeId === Type.Date) return new Date(Number(value)).toISOString().slice(0, 10);
  return typeof value === 'bigint' ? Number(value) : (value as Value);
}

function formatScaled(words: Uint32Array, scale: number): string {
  const bits = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const value = BigInt.asIntN(128, bits);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Removes trailing zeros of decimals, so that rows of different types compare equal. */
function formatAll(rows: readonly (readonly Value[])[], { columns }: Table): Value[][] {
  return rows.map((row) =>
    row.map((value, index) =>
      typeof value === 'string' && isDecimal(columns[index]?.unit ?? 'text') ? trim(value) : value,
    ),
  );
}

function formatJson(cells: readonly Cells[], table: Table): Value[][] {
  return formatAll(
    cells.map((row) => Object.values(row)),
    table,
  );
}

function trim(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}

function formatCsv(cell: Cell): string {
  if (typeof cell !== 'string' || /^-?\d+(\.\d+)?$/.test(cell)) return String(cell ?? '');
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
