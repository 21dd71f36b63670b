import type { Value } from '../database/database.ts';
import type { Column, Meta, Table } from '../report/catalogue/table.ts';
import type { ParameterSchema } from '../report/describe/describe-catalogue.ts';
import { describeMeta } from '../write/describe-meta.ts';
import { nestedFinder } from '../write/nested.ts';
import { formatValue } from '../write/value-text.ts';
import { MAX_TOOL_BYTES } from './tool.ts';

/** Rows of a table, as many as an answer holds. */
export interface ToolRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The values of the last of them, if any. */
  readonly last: readonly Value[] | undefined;
  /** True if further rows of the table exceed MAX_TOOL_BYTES. */
  readonly isCut: boolean;
}

/** Reads a table's rows as JSON values, with decimals as texts of all their digits. */
export async function readToolRows(table: Table): Promise<ToolRows> {
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
      if (bytes > MAX_TOOL_BYTES) return { rows, last, isCut: true };
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

/** Returns the metadata of an answer; a report whose checks fail has none, so that their number is enough. */
export function metaOfAnswer(table: Table): object {
  return { ...describeMeta(table), checks: undefined, checks_held: table.meta.checks.length };
}

const objects: ParameterSchema = { type: 'array', items: { type: 'object' } };

export const ROWS_SCHEMA: ParameterSchema = {
  type: 'object',
  properties: {
    rows: { ...objects, description: 'Decimals are strings with all their digits; null is unknown or missing.' },
    totals: { type: ['object', 'null'], description: 'The sums over all rows, also those that are not shown.' },
    row_count: { type: ['integer', 'null'], description: 'The number of rows on all pages, if it was counted.' },
    truncated: { type: 'boolean', description: 'True if there are more rows than these.' },
    next: { type: ['object', 'null'], description: 'The arguments to change for the next rows.' },
    more: { type: ['string', 'null'], description: 'How to read the rest.' },
    meta: {
      type: 'object',
      description:
        'The parameters as understood, the columns with labels and units, currency, data version, and notes.',
    },
  },
  required: ['rows', 'truncated', 'meta'],
};
