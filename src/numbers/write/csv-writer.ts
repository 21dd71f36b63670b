import type { Value } from '../../base/database/index.ts';
import type { Column, Meta, Table } from '../report/catalogue/table.ts';
import { CSV_DIALECTS, type CsvDialect, type CsvStyle } from './csv-style.ts';
import { copyLines } from './row-statements.ts';
import { spellRecord, type TypedColumn } from './value-sql.ts';
import { formatValue, isNumeric } from './value-text.ts';

/**
 * Writes RFC 4180 CSV: a header of column names, CRLF, null as nothing; or the same with the characters of another style.
 * A text that a spreadsheet would run as a formula gets a leading apostrophe.
 */
export async function* writeCsv(
  table: Table,
  { csv = 'plain' }: { readonly csv?: CsvStyle } = {},
): AsyncIterable<string | Uint8Array> {
  const dialect = CSV_DIALECTS[csv];
  const names = table.columns.map(({ name }) => quote(name, dialect));
  yield `${dialect.start}${names.join(dialect.separator)}\r\n`;
  const copied = await copyLines(table, (columns, meta) => spellLine(columns, meta, dialect));
  if (copied) {
    for await (const file of copied) yield* file.read(0, file.bytes);
    return;
  }
  for await (const rows of table.rows) {
    yield rows.map((row) => `${formatRecord(table.columns, row, table.meta, dialect)}\r\n`).join('');
  }
}

function spellLine(columns: readonly TypedColumn[], meta: Meta, dialect: CsvDialect): string | undefined {
  const record = spellRecord(columns, meta, dialect);
  return record && `${record} || chr(13)`;
}

function formatRecord(columns: readonly Column[], row: readonly Value[], meta: Meta, dialect: CsvDialect): string {
  return columns.map((column, index) => formatCell(column, row[index] ?? null, meta, dialect)).join(dialect.separator);
}

function formatCell(column: Column, value: Value, meta: Meta, dialect: CsvDialect): string {
  const text = formatValue(column, value, meta);
  if (text === null) return '';
  if (isNumeric(column.unit)) return text.replace('.', dialect.decimalMark);
  return quote(typeof value === 'string' ? escapeFormula(text) : text, dialect);
}

function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quote(text: string, { separator }: CsvDialect): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
