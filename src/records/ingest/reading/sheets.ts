import { AppError } from '../../../base/index.ts';
import type { SheetCell } from '../../spreadsheet/cell-value.ts';
import { columnName, type SheetRow } from '../../spreadsheet/sheet-rows.ts';
import { type BookSheet, openSpreadsheet, readCreator } from '../../spreadsheet/spreadsheet.ts';
import { MAX_HEADER_ROWS, nameColumn } from '../mapping/header.ts';
import type { FileMapping } from '../mapping/mapping.ts';
import { isHeaderRow, openColumns, type RowColumns } from '../mapping/row-columns.ts';
import type { PlacedHeader, RowValue } from '../mapping/row-value.ts';
import { MAX_RECORD_BYTES } from './relation.ts';
import { formatRowLine, type SpooledFile, type SpoolFile, TOO_LONG } from './spool-file.ts';

/** The creator of the workbooks that reports are written as. */
const REPORT_CREATOR = 'Plumbline';

/** The text written at once; a single row may be longer. Unit: characters. */
const CHUNK_CHARACTERS = 1_048_576;

/** The longest value kept in a record that is too long. Unit: characters. */
const MAX_KEPT_CHARACTERS = 255;

/**
 * Opens the sheets of a workbook.
 * @throws AppError input for a file that isn't a workbook, or that is a report.
 */
export async function openSheets(path: string): Promise<readonly BookSheet[]> {
  let creator = '';
  try {
    creator = await readCreator(path);
    if (creator !== REPORT_CREATOR) return await openSpreadsheet(path);
  } catch (error) {
    throw inputError(error);
  }
  throw new AppError('input', `${path} is a report that Plumbline wrote, and has no records`, {
    hint: 'Take it out of the folder, or copy the cells that are records into a new workbook. Nothing was loaded.',
  });
}

interface SheetHeader {
  /** The number of rows up to it, blank ones not counted. */
  readonly rows: number;
  readonly row: SheetRow;
}

/**
 * Converts a sheet to lines of JSON: an object of a row's values, or [reason, row] for a row with a cell without a value.
 * @param file The name of the workbook and its sheet.
 * @returns the rows that are no records.
 * @throws AppError input for a missing header, a column named twice, or a damaged workbook.
 */
export async function spoolSheet(
  sheet: BookSheet,
  file: string,
  mapping: FileMapping,
  output: SpoolFile,
): Promise<SpooledFile> {
  let text = '';
  let tally: SpooledFile['tally'];
  try {
    const { rows: skipped, row: headerRow } = await findHeader(sheet, file, mapping);
    const headers = placeHeaders(headerRow, file);
    const columns = openColumns({ ...mapping, is1904: sheet.is1904 }, headers, file);
    const formatRow = openRows(headers, columns, mapping);
    let read = 0;
    for await (const rows of sheet.rows()) {
      for (const row of rows) {
        read += 1;
        if (read > skipped) text += formatRow(row);
        if (text.length < CHUNK_CHARACTERS) continue;
        await output.append(text);
        text = '';
      }
    }
    tally = columns.finish();
  } catch (error) {
    throw inputError(error);
  }
  await output.append(text);
  return { encoding: 'utf-8', tally };
}

function inputError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'usage') return error;
  const hint = 'Save the workbook again as .xlsx. Nothing was loaded.';
  return new AppError('input', error.message, { hint, cause: error });
}

/**
 * Finds the header: the named row, the first one with all columns that are looked for, or else the first one that isn't blank.
 * @throws AppError input for a sheet without one.
 */
async function findHeader(sheet: BookSheet, file: string, mapping: FileMapping): Promise<SheetHeader> {
  let first: SheetHeader | undefined;
  let read = 0;
  for await (const rows of sheet.rows()) {
    for (const row of rows) {
      read += 1;
      if (mapping.headerRow !== undefined && row.number !== mapping.headerRow) continue;
      const header = { rows: read, row };
      const texts = [...row.cells.values()].map(({ text }) => text);
      if (mapping.headerRow !== undefined || isHeaderRow(mapping, texts)) return header;
      first ??= header;
      if (read === MAX_HEADER_ROWS) return first;
    }
  }
  if (first) return first;
  if (mapping.headerRow !== undefined)
    throw sheetError(file, `has no headers in row ${mapping.headerRow}`, 'Name another header_row in the mapping.');
  throw sheetError(file, 'has no header row', 'Put the names of the fields into its first row.');
}

/** Returns the headers of a row, trimmed. @throws AppError input for a cell without a value. */
function placeHeaders({ number, cells }: SheetRow, file: string): PlacedHeader[] {
  const headers: PlacedHeader[] = [];
  for (const [at, { text, fault }] of cells) {
    const place = `${columnName(at)}${number}`;
    if (fault !== undefined)
      throw sheetError(file, `has a header whose cell ${place} ${fault}`, 'Write the name of a field into it.');
    if (text.trim() !== '') headers.push({ name: text.trim(), at, place });
  }
  return headers;
}

/**
 * Returns the formatter of a sheet's rows, which may have cells in columns without a header.
 * @param mapping One part of a sheet keeps the rows that are no records, which are set aside once.
 */
function openRows(
  headers: readonly PlacedHeader[],
  columns: RowColumns,
  { keepsBrokenLines, unpivot }: FileMapping,
): (row: SheetRow) => string {
  const placed = new Set(headers.map(({ at }) => at));
  const others = new Map<number, string>();
  return ({ number, cells }) => {
    let [characters, fault] = [0, ''];
    let extra = '';
    for (const { text } of cells.values()) characters += text.length;
    const isLong = characters > MAX_RECORD_BYTES;
    for (const [column, cell] of cells) {
      if (cell.fault !== undefined && fault === '') fault = `cell ${columnName(column)}${number} ${cell.fault}`;
      if (placed.has(column)) continue;
      const name = others.get(column) ?? JSON.stringify(nameColumn(column, columns.keys));
      others.set(column, name);
      extra += `,${name}:${formatValue(shorten(cell, isLong))}`;
    }
    const valueAt = (place: number) => {
      const cell = cells.get(place);
      return cell === undefined ? null : readValue(shorten(cell, isLong));
    };
    const isBroken = isLong || fault !== '';
    if (isBroken && (!keepsBrokenLines || columns.isSkipped(valueAt))) return '';
    const found = columns.format(valueAt);
    const isLost = isBroken && unpivot !== undefined && found.length === 0;
    const rows = (isLost ? [{ record: '', reason: undefined }] : found).map(({ record, reason }) => ({
      record: `${record}${record === '' ? extra.slice(1) : extra}`,
      reason: isLong ? TOO_LONG : fault || reason,
    }));
    return rows
      .slice(0, isBroken ? 1 : undefined)
      .map(formatRowLine)
      .join('');
  };
}

/** Returns what is kept of a cell, if its record is too long. */
function shorten(cell: SheetCell, isLong: boolean): SheetCell {
  return isLong ? { ...cell, text: cell.text.slice(0, MAX_KEPT_CHARACTERS).toWellFormed() } : cell;
}

/** Returns a cell's value; a number counts with its first 15 digits, as JSON numbers do. */
function readValue({ kind, text, shown }: SheetCell): RowValue {
  if (kind === 'boolean') return { text: String(text === '1'), isJson: true };
  return { text, isJson: kind === 'number', shown };
}

function formatValue(cell: SheetCell): string {
  const { text, isJson } = readValue(cell);
  return isJson ? text : JSON.stringify(text);
}

function sheetError(file: string, problem: string, hint: string): AppError {
  return new AppError('input', `${file} ${problem}`, { hint });
}
