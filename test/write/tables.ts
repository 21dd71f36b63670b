import type { Database } from '../../src/base/database/database.ts';
import type { Column, Meta, RowStatements, Table, Unit } from '../../src/numbers/report/catalogue/table.ts';

/** Metadata for a table without a report. */
export const META: Meta = {
  report: 'lines',
  parameters: { start_date: '2026-01-01', end_date: '2026-01-31' },
  currency: 'USD',
  minor_units: 2,
  generated_at: '2026-02-01T00:00:00Z',
  data_version: 'v1',
  loaded_at: '2026-02-01T00:00:00Z',
  notes: [],
  checks: [],
};

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

export function tableOf(database: Database, columns: readonly Column[], texts: readonly string[]): Table {
  const statements = { database, slice: () => texts };
  const rows = readRows(statements);
  return { name: 'lines', label: 'Lines', columns, rows, statements, totals: undefined, nested: undefined, meta: META };
}

async function* readRows({ database, slice }: RowStatements): Table['rows'] {
  for (const statement of slice()) yield* (await database.stream(statement)).chunks;
}

export async function readBytes(pieces: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces) read.push(Buffer.from(piece));
  return Buffer.concat(read);
}

/** Returns the same table without a statements, so that JavaScript writes the rows. */
export function withoutSelection({ statements: _, ...table }: Table): Table {
  return table;
}
