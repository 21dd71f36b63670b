import type { Table } from '../report/table.ts';
import { rowFormatter } from './nested.ts';
import { copyLines } from './selection.ts';
import { spellObject } from './value-sql.ts';
import { type DecimalStyle, objectFormatter } from './value-text.ts';

/** The separator of rows, which is also the end of a line that the database writes. */
const SEPARATOR = ',\n';

/** Writes `{"<name>": [rows], "totals": {...}, "meta": {...}}`, with each row on a line. */
export async function* writeJson(
  table: Table,
  { decimals = 'number' }: { readonly decimals?: DecimalStyle } = {},
): AsyncIterable<string | Uint8Array> {
  const { name, columns, totals, meta } = table;
  yield `{${JSON.stringify(name)}:[`;
  let separator = '\n';
  for await (const rows of readJsonRows(table, decimals)) {
    yield separator;
    yield* rows;
    separator = SEPARATOR;
  }
  const sums = totals ? objectFormatter(columns, meta, decimals)(totals) : 'null';
  yield `\n],"totals":${sums},"meta":${JSON.stringify(meta)}}\n`;
}

async function* readJsonRows(
  table: Table,
  decimals: DecimalStyle,
): AsyncIterable<Iterable<string> | AsyncIterable<Uint8Array>> {
  const copied = await copyLines(table, (columns, meta) => {
    const object = spellObject(columns, meta, decimals);
    return object && `${object} || ','`;
  });
  if (copied) {
    for await (const { bytes, read } of copied) if (bytes > 0) yield read(0, bytes - SEPARATOR.length);
    return;
  }
  const format = rowFormatter(table, decimals);
  for await (const rows of table.rows) if (rows.length > 0) yield [rows.map(format).join(SEPARATOR)];
}
