import { open } from 'node:fs/promises';
import type { BookSheet } from '../../spreadsheet/spreadsheet.ts';
import { isBlank, parseDelimiter, parseHeader } from '../reading/csv-records.ts';

/** The beginning of a file that a first mapping is made from. Unit: bytes. */
export const MAX_SAMPLE_BYTES = 262_144;

/** The rows of a file that a first mapping is made from. Unit: rows. */
export const MAX_SAMPLE_ROWS = 500;

/**
 * Reads the first rows of a CSV file, as texts; bytes that aren't UTF-8 are replaced.
 * @param headerAt Returns the place of the headers, whose delimiter is that of all rows.
 */
export async function readFirstLines(
  path: string,
  headerAt: (rows: readonly (readonly string[])[]) => number,
): Promise<string[][]> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_SAMPLE_BYTES), 0, MAX_SAMPLE_BYTES, 0);
    const lines = new TextDecoder().decode(buffer.subarray(0, bytesRead)).split('\n');
    if (bytesRead === MAX_SAMPLE_BYTES) lines.pop();
    const rows = lines.filter((line) => !isBlank(line)).slice(0, MAX_SAMPLE_ROWS);
    const header = rows[headerAt(rows.map((line) => parseHeader(line, parseDelimiter(line))))] ?? '';
    return rows.map((line) => parseHeader(line, parseDelimiter(header)));
  } finally {
    await handle.close();
  }
}

/** Reads the first rows of a sheet, as texts by column. */
export async function readFirstRows(sheet: BookSheet): Promise<string[][]> {
  const found: string[][] = [];
  for await (const rows of sheet.rows()) {
    for (const { cells } of rows) {
      const row: string[] = Array(Math.max(...cells.keys()) + 1).fill('');
      for (const [column, { text }] of cells) row[column] = text;
      found.push(row);
      if (found.length === MAX_SAMPLE_ROWS) return found;
    }
  }
  return found;
}
