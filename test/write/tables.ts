import type { Database } from '../../src/database/database.ts';
import type { Column, Meta, Selection, Table, Unit } from '../../src/report/table.ts';

/** What a report says of itself, for a table that no report made. */
export const META: Meta = {
  report: 'lines',
  parameters: { start_date: '2026-01-01', end_date: '2026-01-31' },
  currency: 'USD',
  minor_units: 2,
  generated_at: '2026-02-01T00:00:00Z',
  data_version: 'v1',
  loaded_at: '2026-02-01 00:00:00',
  notes: [],
  checks: [],
};

/** Columns by their names and units. */
export function columnsOf(units: Readonly<Record<string, Unit>>): Column[] {
  return Object.entries(units).map(([name, unit]) => ({
    name,
    unit,
    label: name,
    description: '',
    needsRates: false,
    better: undefined,
  }));
}

/** A table of the statements' rows, as reports that list give one. */
export function tableOf(database: Database, columns: readonly Column[], statements: readonly string[]): Table {
  const selection = { database, slice: () => statements };
  const rows = readRows(selection);
  return { name: 'lines', label: 'Lines', columns, rows, selection, totals: undefined, nested: undefined, meta: META };
}

async function* readRows({ database, slice }: Selection): Table['rows'] {
  for (const statement of slice()) yield* (await database.stream(statement)).chunks;
}

/** All that a writer writes. */
export async function readBytes(pieces: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(Buffer.from(piece));
  return Buffer.concat(read);
}

/** The same table, its rows without a selection, so that JavaScript writes them. */
export function withoutSelection({ selection: _, ...table }: Table): Table {
  return table;
}
