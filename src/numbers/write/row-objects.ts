import type { Value } from '../../base/database/index.ts';
import type { Column, Meta, Table } from '../report/catalogue/index.ts';
import { nestedFinder } from './nested.ts';
import { formatValue } from './value-text.ts';

/** Rows of a table, as JSON values, up to a number of bytes. */
export interface RowObjects {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The values of the last of them, if any. */
  readonly last: readonly Value[] | undefined;
  /** True if further rows of the table exceed the bytes. */
  readonly isCut: boolean;
}

/**
 * Reads a table's rows as JSON values, with decimals as texts of all their digits.
 * @param maxBytes The most bytes of JSON that are read; a row beyond them is left out.
 */
export async function readRowObjects(table: Table, maxBytes: number): Promise<RowObjects> {
  const { columns, nested, insightsOf, meta } = table;
  const findNested = nestedFinder(table);
  const rows: Readonly<Record<string, unknown>>[] = [];
  let last: readonly Value[] | undefined;
  let bytes = 0;
  for await (const chunk of table.rows) {
    for (const values of chunk) {
      const inner = findNested(values).map((each) => toObject(nested?.columns ?? [], each, meta));
      const told = insightsOf?.(values);
      const row = {
        ...toObject(columns, values, meta),
        ...(told && { _insights: told.insights, _status: told.status }),
        ...(nested && { [nested.name]: inner }),
      };
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes > maxBytes) return { rows, last, isCut: true };
      rows.push(row);
      last = values;
    }
  }
  return { rows, last, isCut: false };
}

export function toObject(columns: readonly Column[], row: readonly Value[], meta: Meta): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column, index) => [column.name, toJsonValue(column, row[index] ?? null, meta)]),
  );
}

function toJsonValue(column: Column, value: Value, meta: Meta): unknown {
  if (value === null || typeof value === 'boolean') return value;
  // JSON has neither NaN nor infinity, nor integers beyond those that a double holds.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object') return formatValue(column, value, meta);
  return JSON.parse(JSON.stringify(value, (_name, part) => (typeof part === 'bigint' ? String(part) : part)));
}
