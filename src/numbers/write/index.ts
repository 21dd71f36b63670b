export { openSpool, type Piece, readBytes, SPOOL_PIECE_BYTES } from './answer-spool.ts';
export { MAX_COPIES } from './copy.ts';
export { CSV_STYLES, type CsvStyle } from './csv-style.ts';
export { describeDays, describeMeta, META_STYLES, type MetaStyle } from './describe-meta.ts';
export { describeExplanation, formatExplanation } from './explanation.ts';
export {
  type AnswerPart,
  FORMATS,
  type FormatName,
  isFormat,
  type ReportFormat,
  type TableFormatName,
  type WriteOptions,
  writeTable,
} from './formats.ts';
export { describePreview, leaveOutZeros, writePreviewJson, writePreviewText } from './preview-writer.ts';
export { type RowObjects, readRowObjects, toObject } from './row-objects.ts';
export { formatCells, openStatements, selectCells } from './row-statements.ts';
export { SQL_FORMATS, writeSqlAnswer } from './sql-answer.ts';
export { selectTyped, UNIT_TYPES, VALUE_TYPES } from './typed.ts';
export { type DecimalStyle, formatValue, objectFormatter } from './value-text.ts';
export { writeMemo } from './xlsx/memo-file.ts';
export { writeXlsx } from './xlsx/write.ts';
