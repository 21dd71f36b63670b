/*
 * A table becomes bytes, with a writer for each format. The workbook has its own (`xlsx/write`).
 */
import type { Table } from '../report/catalogue/table.ts';
import type { CsvStyle } from './csv-style.ts';
import { writeCsv } from './csv-writer.ts';
import type { MetaStyle } from './describe-meta.ts';
import { writeJson } from './json-writer.ts';
import { writeNdjson } from './ndjson-writer.ts';
import { writeParquet } from './parquet-writer.ts';
import { writeText } from './text-writer.ts';
import type { DecimalStyle } from './value-text.ts';

export interface WriteOptions {
  /** Columns that the format for terminals shows; the others write all. Default: all. */
  readonly shown?: readonly string[];
  /** The format for terminals: long texts in full, for a pipe or a file. Default: cut. */
  readonly isWhole?: boolean;
  /** JSON and NDJSON: decimals as numbers or as strings of the same digits. Default: number. */
  readonly decimals?: DecimalStyle;
  /** CSV: by RFC 4180, or with semicolons, decimal commas and a byte order mark. Default: plain. */
  readonly csv?: CsvStyle;
  /** JSON: the extent of the metadata. Default: full. */
  readonly meta?: MetaStyle;
}

/** The parts of an answer beside its plain rows, by the parameters that ask for them. */
export type AnswerPart = 'subtotals' | 'insights' | 'causes' | 'expand';

const ALL_PARTS: readonly AnswerPart[] = ['subtotals', 'insights', 'causes', 'expand'];

export interface ReportFormat {
  readonly mediaType: string;
  /** True if terminals shouldn't print it. */
  readonly isBinary: boolean;
  /** Its name in sentences. */
  readonly label: string;
  /** The parts of an answer that it has no place for. */
  readonly lacks: readonly AnswerPart[];
  /** True if rows also have the aliases of the report's definition (4.3). */
  readonly hasAliases?: boolean;
  /** True if it is made for terminals, so that HTTP doesn't offer it. */
  readonly isForDisplay: boolean;
  /** Writes a table as it is read; undefined for a workbook, which holds several tables. */
  readonly write: ((table: Table, options: WriteOptions) => AsyncIterable<string | Uint8Array>) | undefined;
}

/** Formats by name, which is also the file's suffix. */
export const FORMATS = {
  table: {
    mediaType: 'text/plain; charset=utf-8',
    isBinary: false,
    label: 'text',
    lacks: [],
    isForDisplay: true,
    write: (table, { shown, isWhole = false }) =>
      writeText(table, shown ?? table.columns.map(({ name }) => name), isWhole),
  },
  json: {
    mediaType: 'application/json',
    isBinary: false,
    label: 'JSON',
    lacks: [],
    isForDisplay: false,
    hasAliases: true,
    write: writeJson,
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    isBinary: false,
    label: 'CSV',
    lacks: ALL_PARTS,
    isForDisplay: false,
    write: writeCsv,
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    isBinary: false,
    label: 'NDJSON',
    lacks: ['subtotals', 'causes'],
    isForDisplay: false,
    write: writeNdjson,
  },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    isBinary: true,
    label: 'A workbook',
    lacks: [],
    isForDisplay: false,
    write: undefined,
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    isBinary: true,
    label: 'Parquet',
    lacks: ALL_PARTS,
    isForDisplay: false,
    write: writeParquet,
  },
  arrow: {
    mediaType: 'application/vnd.apache.arrow.stream',
    isBinary: true,
    label: 'Arrow',
    lacks: ALL_PARTS,
    isForDisplay: false,
    write: writeArrowLazily,
  },
} as const satisfies Readonly<Record<string, ReportFormat>>;

export type FormatName = keyof typeof FORMATS;

/** The formats of a single table. Workbooks are written by readWorkbook and writeXlsx. */
export type TableFormatName = Exclude<FormatName, 'xlsx'>;

export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/** Writes a table as it is read; assertFormat refuses what the format can't hold. */
export function writeTable(
  format: TableFormatName,
  table: Table,
  options: WriteOptions = {},
): AsyncIterable<string | Uint8Array> {
  return FORMATS[format].write(table, options);
}

/** Loads the library on demand, which takes longer than writing most reports. */
async function* writeArrowLazily(table: Table): AsyncIterable<Uint8Array> {
  const { writeArrow } = await import('./arrow-writer.ts');
  yield* writeArrow(table);
}
