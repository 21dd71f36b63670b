import type { Table } from '../report/table.ts';
import { rowFormatter } from './nested.ts';
import { formatRow } from './value.ts';

/** Writes `{"<name>": [rows], "totals": {...}, "meta": {...}}`, a row a line. */
export async function* writeJson(table: Table): AsyncIterable<string> {
  const format = rowFormatter(table);
  yield `{${JSON.stringify(table.name)}:[`;
  let separator = '\n';
  for await (const rows of table.rows) {
    if (rows.length === 0) continue;
    yield separator + rows.map(format).join(',\n');
    separator = ',\n';
  }
  const totals = table.totals ? formatRow(table.columns, table.totals, table.meta) : 'null';
  yield `\n],"totals":${totals},"meta":${JSON.stringify(table.meta)}}\n`;
}
