import type { Table } from '../report/table.ts';
import { rowFormatter } from './nested.ts';

/** Writes one JSON object a line, rows only. */
export async function* writeNdjson(table: Table): AsyncIterable<string> {
  const format = rowFormatter(table);
  for await (const rows of table.rows) {
    if (rows.length > 0) yield `${rows.map(format).join('\n')}\n`;
  }
}
