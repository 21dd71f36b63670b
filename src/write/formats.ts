import type { Table } from '../report/table.ts';
import { writeCsv } from './csv.ts';
import { writeJson } from './json.ts';
import { writeNdjson } from './ndjson.ts';
import { writeText } from './text.ts';

/** Every format that a table is written in: its name is the format's, and the file's suffix. */
export const FORMATS = {
  table: writeText,
  json: writeJson,
  csv: writeCsv,
  ndjson: writeNdjson,
} as const;

/**
 * Writes a table in a format, as it is read.
 * @param shown The columns that a format for the eye shows; the others write all.
 */
export function writeTable(
  format: keyof typeof FORMATS,
  table: Table,
  shown: readonly string[],
): AsyncIterable<string> {
  return FORMATS[format](table, shown);
}
