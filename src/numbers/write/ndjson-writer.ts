import type { Table } from '../report/catalogue/table.ts';
import { rowFormatter } from './nested.ts';
import { copyLines } from './row-statements.ts';
import { spellObject } from './value-sql.ts';
import type { DecimalStyle } from './value-text.ts';

/**
 * Writes the rows as JSON objects, each on a line.
 */
export async function* writeNdjson(
  table: Table,
  { decimals = 'number' }: { readonly decimals?: DecimalStyle } = {},
): AsyncIterable<string | Uint8Array> {
  const copied = await copyLines(table, (columns, meta) => spellObject(columns, meta, decimals));
  if (copied) {
    for await (const file of copied) yield* file.read(0, file.bytes);
    return;
  }
  const format = rowFormatter(table, decimals);
  for await (const rows of table.rows) {
    if (rows.length > 0) yield `${rows.map(format).join('\n')}\n`;
  }
}
