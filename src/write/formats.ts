import type { Table } from '../report/table.ts';
import { writeCsv } from './csv-writer.ts';
import { writeJson } from './json-writer.ts';
import { writeNdjson } from './ndjson-writer.ts';
import { writeParquet } from './parquet-writer.ts';
import { writeText } from './text-writer.ts';
import type { DecimalStyle } from './value-text.ts';

/** How a table is written, where a format leaves a choice. */
export interface WriteOptions {
  /** The names of the columns that a format for the eye shows; the others write all. Default: all. */
  readonly shown?: readonly string[];
  /** In JSON and NDJSON: whether a decimal is a number with all its digits, or a string of the same digits. Default: number. */
  readonly decimals?: DecimalStyle;
}

/** A format that a report is written in. */
export interface ReportFormat {
  readonly mediaType: string;
  /** Whether its bytes are no text, so that no terminal should get them. */
  readonly isBinary: boolean;
  /** Whether it holds rows inside rows. */
  readonly canNest: boolean;
  /** Whether it is made for the eye, so that programs aren't offered it. */
  /** True if rows also have the aliases of the report's definition (4.3). */
  readonly hasAliases?: boolean;
  readonly isForDisplay: boolean;
  /** Writes a table as it is read; undefined for a format that is made of more than one table. */
  readonly write: ((table: Table, options: WriteOptions) => AsyncIterable<string | Uint8Array>) | undefined;
}

/** Every format by its name, which is the file's suffix too. */
export const FORMATS = {
  table: {
    mediaType: 'text/plain; charset=utf-8',
    isBinary: false,
    canNest: true,
    isForDisplay: true,
    write: (table, { shown }) => writeText(table, shown ?? table.columns.map(({ name }) => name)),
  },
  json: {
    mediaType: 'application/json',
    isBinary: false,
    canNest: true,
    isForDisplay: false,
    hasAliases: true,
    write: writeJson,
  },
  csv: { mediaType: 'text/csv; charset=utf-8', isBinary: false, canNest: false, isForDisplay: false, write: writeCsv },
  ndjson: {
    mediaType: 'application/x-ndjson',
    isBinary: false,
    canNest: true,
    isForDisplay: false,
    write: writeNdjson,
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    isBinary: true,
    canNest: true,
    isForDisplay: false,
    write: undefined,
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    isBinary: true,
    canNest: false,
    isForDisplay: false,
    write: writeParquet,
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    isBinary: true,
    canNest: false,
    isForDisplay: false,
    write: writeArrowLazily,
  },
} as const satisfies Readonly<Record<string, ReportFormat>>;

export type FormatName = keyof typeof FORMATS;

/** The formats of one table. A workbook holds several: readWorkbook and writeXlsx make it. */
export type TableFormatName = Exclude<FormatName, 'xlsx'>;

/** Whether a text is the name of a format. */
export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/**
 * Writes a table in a format, as it is read.
 * @throws AppError usage, before the first byte, for a table that the format can't hold.
 */
export function writeTable(
  format: TableFormatName,
  table: Table,
  options: WriteOptions = {},
): AsyncIterable<string | Uint8Array> {
  return FORMATS[format].write(table, options);
}

/** The library takes longer to load than most reports to write. */
async function* writeArrowLazily(table: Table): AsyncIterable<Uint8Array> {
  const { writeArrow } = await import('./arrow-writer.ts');
  yield* writeArrow(table);
}
