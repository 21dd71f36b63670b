import { AppError } from '../error.ts';
import type { SheetCell } from '../spreadsheet/cell-value.ts';
import { columnName, type SheetRow } from '../spreadsheet/sheet-rows.ts';
import { type BookSheet, openSpreadsheet } from '../spreadsheet/spreadsheet.ts';
import { checkHeader, nameColumn } from './header.ts';
import { MAX_RECORD_BYTES } from './relation.ts';
import { formatBrokenLine, formatRecordLine, type SpoolFile, TOO_LONG } from './spool-file.ts';

/** The text written at once; a single row may be longer. Unit: characters. */
const CHUNK_CHARACTERS = 1_048_576;

/** The longest value kept in a record that is too long. Unit: characters. */
const MAX_KEPT_CHARACTERS = 255;

/**
 * Opens the sheets of a workbook.
 * @throws AppError input for a file that isn't a workbook.
 */
export async function openSheets(path: string): Promise<readonly BookSheet[]> {
  try {
    return await openSpreadsheet(path);
  } catch (error) {
    throw inputError(error);
  }
}

/**
 * Converts a sheet to lines of JSON: an object of a row's values, or [reason, row] for a row with a cell without a value.
 * @param file The name of the workbook and its sheet.
 * @throws AppError input for a missing header, a column named twice, or a damaged workbook.
 */
export async function spoolSheet(sheet: BookSheet, file: string, output: SpoolFile): Promise<void> {
  let header: Header | undefined;
  let text = '';
  try {
    for await (const rows of sheet.rows()) {
      for (const row of rows) {
        if (header) text += formatRow(row, header);
        else header = readHeader(row, file);
        if (text.length < CHUNK_CHARACTERS) continue;
        await output.append(text);
        text = '';
      }
    }
  } catch (error) {
    throw inputError(error);
  }
  if (!header) throw sheetError(file, 'has no header row', 'Put the names of the fields into its first row.');
  await output.append(text);
}

/** Returns the error of a workbook as an input error of the load. */
function inputError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'usage') return error;
  const hint = 'Save the workbook again as .xlsx. Nothing was loaded.';
  return new AppError('input', error.message, { hint, cause: error });
}

/** The names of a sheet's columns, by their positions from 0. */
interface Header {
  readonly names: ReadonlyMap<number, string>;
  /** Returns the name of a column, with its number for one without a header. */
  nameOf(column: number): string;
}

/** Reads the names of the columns, trimmed and in lower case. */
function readHeader({ number, cells }: SheetRow, file: string): Header {
  const names = new Map<number, string>();
  for (const [column, { text, fault }] of cells) {
    const cell = `${columnName(column)}${number}`;
    if (fault !== undefined)
      throw sheetError(file, `has a header whose cell ${cell} ${fault}`, 'Write the name of a field into it.');
    const name = text.trim().toLowerCase();
    if (name !== '') names.set(column, name);
  }
  checkHeader(
    [...names].map(([column, name]) => ({ name, place: `${columnName(column)}${number}` })),
    file,
  );
  const headers = new Set(names.values());
  const others = new Map<number, string>();
  const nameOf = (column: number) => {
    const name = names.get(column) ?? others.get(column) ?? nameColumn(column, headers);
    if (!names.has(column)) others.set(column, name);
    return name;
  };
  return { names, nameOf };
}

function formatRow({ number, cells }: SheetRow, { names, nameOf }: Header): string {
  const members: string[] = [];
  let [characters, reason] = [0, ''];
  for (const [column, { text, fault }] of cells) {
    if (fault !== undefined && reason === '') reason = `cell ${columnName(column)}${number} ${fault}`;
    characters += text.length;
  }
  const isLong = characters > MAX_RECORD_BYTES;
  for (const [column, cell] of cells) {
    const kept = isLong ? { ...cell, text: cell.text.slice(0, MAX_KEPT_CHARACTERS).toWellFormed() } : cell;
    members.push(`${JSON.stringify(nameOf(column))}:${formatValue(kept)}`);
  }
  for (const [column, name] of names) if (!cells.has(column)) members.push(`${JSON.stringify(name)}:null`);
  const record = `{${members.join(',')}}`;
  if (isLong) return formatBrokenLine(TOO_LONG, record);
  return reason === '' ? formatRecordLine(record) : formatBrokenLine(reason, record);
}

/** Formats a value as JSON; a number counts with its first 15 digits, as JSON numbers do. */
function formatValue({ kind, text }: SheetCell): string {
  if (kind === 'number') return text;
  return kind === 'boolean' ? String(text === '1') : JSON.stringify(text);
}

function sheetError(file: string, problem: string, hint: string): AppError {
  return new AppError('input', `${file} ${problem}`, { hint });
}
