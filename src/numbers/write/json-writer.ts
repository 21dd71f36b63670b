import { inTurns, rowsOf } from '../../base/index.ts';
import type { Table } from '../report/catalogue/table.ts';
import { describeMeta, type MetaStyle } from './describe-meta.ts';
import { rowFormatter } from './nested.ts';
import { copyLines, formatTotals } from './row-statements.ts';
import { spellObject } from './value-sql.ts';
import { type DecimalStyle, objectFormatter } from './value-text.ts';

/** The separator of rows, which is also the end of a line that the database writes. */
const SEPARATOR = ',\n';

/**
 * Writes `{"<name>": [rows], "totals": {...}, "meta": {...}}`, with each row on a line; `subtotals` stand apart from the rows.
 * Totals are a list where each measure has its own.
 */
export async function* writeJson(
  table: Table,
  { decimals = 'number', meta: style = 'full' }: { readonly decimals?: DecimalStyle; readonly meta?: MetaStyle } = {},
): AsyncIterable<string | Uint8Array> {
  const { name, meta } = table;
  yield `{${JSON.stringify(name)}:[`;
  let separator = '\n';
  let written = 0;
  for await (const { count, rows } of readJsonRows(table, decimals)) {
    yield separator;
    yield* rows;
    written += count;
    separator = SEPARATOR;
  }
  yield '\n]';
  yield* writeSubtotals(table, decimals);
  yield `,"totals":${formatTotals(table, decimals) ?? 'null'}`;
  // A list is never held, so it is counted as it is written; pages with a limit have no count of all.
  const rowCount = meta.row_count ?? ('limit' in meta.parameters ? undefined : written);
  if (style !== 'none') yield `,"meta":${JSON.stringify(describeMeta(table, style, rowCount))}`;
  yield '}\n';
}

/** Writes the subtotals as a member of the answer, each with its level; nothing unless asked for. */
async function* writeSubtotals({ subtotals, columns, meta }: Table, decimals: DecimalStyle): AsyncIterable<string> {
  if (!subtotals) return;
  const format = objectFormatter(columns, meta, decimals);
  const formatted = rowsOf(subtotals, ({ level, values }) => `\n{"_level":${level},${format(values).slice(1)}`);
  let separator = ',"subtotals":[';
  for await (const rows of inTurns(formatted)) {
    yield `${separator}${rows.join(',')}`;
    separator = ',';
  }
  yield subtotals.length === 0 ? `${separator}\n]` : '\n]';
}

interface JsonRows {
  readonly count: number;
  readonly rows: Iterable<string> | AsyncIterable<Uint8Array>;
}

async function* readJsonRows(table: Table, decimals: DecimalStyle): AsyncIterable<JsonRows> {
  const copied = await copyLines(table, (columns, meta) => {
    const object = spellObject(columns, meta, decimals);
    return object && `${object} || ','`;
  });
  if (copied) {
    for await (const { bytes, rows, read } of copied)
      if (bytes > 0) yield { count: rows, rows: read(0, bytes - SEPARATOR.length) };
    return;
  }
  const format = rowFormatter(table, decimals);
  for await (const rows of table.rows)
    if (rows.length > 0) yield { count: rows.length, rows: [rows.map(format).join(SEPARATOR)] };
}
