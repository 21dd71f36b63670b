import type { Table } from '../report/catalogue/table.ts';
import type { CsvStyle } from './csv-style.ts';
import { writeCsv } from './csv-writer.ts';
import { writeNdjson } from './ndjson-writer.ts';
import { objectFormatter } from './value-text.ts';

/** The facts that stand beside the rows of an answer to SQL. */
export interface SqlAnswer {
  /** The columns with the engine's types, such as DECIMAL(18,4). */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly isTruncated: boolean;
  readonly dataVersion: string;
  readonly notes: readonly string[];
}

/** The formats of answers to SQL, the same on the command line and over HTTP. */
export const SQL_FORMATS = ['json', 'csv', 'ndjson'] as const;

export type SqlFormatName = (typeof SQL_FORMATS)[number];

/** Writes the rows of an answer to SQL; JSON also has what the answer says beside them. */
export function writeSqlAnswer(
  format: SqlFormatName,
  table: Table,
  answer: SqlAnswer,
  csv: CsvStyle = 'plain',
): AsyncIterable<string | Uint8Array> {
  if (format === 'json') return writeObject(table, answer);
  return format === 'csv' ? writeCsv(table, { csv }) : writeNdjson(table);
}

/** Writes the columns, the rows as objects with full decimals, whether rows were cut, the data version, and notes if there are any. */
async function* writeObject(
  table: Table,
  { columns, isTruncated, dataVersion, notes }: SqlAnswer,
): AsyncIterable<string> {
  yield `{"columns":${JSON.stringify(columns)},"rows":[`;
  const format = objectFormatter(table.columns, table.meta);
  let separator = '\n';
  for await (const rows of table.rows) {
    yield separator + rows.map(format).join(',\n');
    separator = ',\n';
  }
  yield `\n],"truncated":${isTruncated},"data_version":${JSON.stringify(dataVersion)}${notes.length > 0 ? `,"notes":${JSON.stringify(notes)}` : ''}}\n`;
}
