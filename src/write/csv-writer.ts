import type { Value } from '../database/database.ts';
import type { Column, Meta, Table } from '../report/catalogue/table.ts';
import { refuseInnerRows } from './nested.ts';
import { copyLines } from './row-statements.ts';
import { spellRecord, type TypedColumn } from './value-sql.ts';
import { formatValue, isNumeric } from './value-text.ts';

/**
 * Writes RFC 4180 CSV: a header of column names, CRLF, null as nothing.
 * A text that a spreadsheet would run as a formula gets a leading apostrophe.
 * @throws AppError usage for a table with nested rows or subtotals.
 */
export async function* writeCsv(table: Table): AsyncIterable<string | Uint8Array> {
  refuseInnerRows(table, 'CSV');
  yield `${table.columns.map(({ name }) => quote(name)).join(',')}\r\n`;
  const copied = await copyLines(table, spellLine);
  if (copied) {
    for await (const file of copied) yield* file.read(0, file.bytes);
    return;
  }
  for await (const rows of table.rows) {
    yield rows.map((row) => `${formatRecord(table.columns, row, table.meta)}\r\n`).join('');
  }
}

function spellLine(columns: readonly TypedColumn[], meta: Meta): string | undefined {
  const record = spellRecord(columns, meta);
  return record && `${record} || chr(13)`;
}

function formatRecord(columns: readonly Column[], row: readonly Value[], meta: Meta): string {
  return columns.map((column, index) => formatCell(column, row[index] ?? null, meta)).join(',');
}

function formatCell(column: Column, value: Value, meta: Meta): string {
  const text = formatValue(column, value, meta);
  if (text === null) return '';
  return isNumeric(column.unit) || typeof value !== 'string' ? quote(text) : quote(escapeFormula(text));
}

function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
