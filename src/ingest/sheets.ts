import { open } from 'node:fs/promises';
import { AppError } from '../error.ts';
import type { SheetCell } from '../spreadsheet/cell-value.ts';
import { columnName, openSpreadsheet, type SheetRow, type Spreadsheet } from '../spreadsheet/spreadsheet.ts';
import { nameColumn } from './nameless-column.ts';

/** A sheet of a workbook as a file of a dataset. */
export interface InputSheet {
  readonly path: string;
  /** The name of the workbook and its sheet. */
  readonly name: string;
  readonly sheet: string;
}

/** The lines written at once. Unit: characters, or those of one row. */
const CHUNK_CHARACTERS = 1_048_576;

/**
 * Lists the sheets of a workbook.
 * @throws AppError input for a file that is none.
 */
export async function readSheetNames(path: string): Promise<readonly string[]> {
  return (await openBook(path)).sheets;
}

/**
 * Converts a sheet to lines of JSON: an object of a row's values, or [reason, row] for a row with a cell that has none.
 * @throws AppError input for a missing header, a column named twice, or a damaged workbook.
 */
export async function spoolSheet({ path, name, sheet }: InputSheet, target: string): Promise<void> {
  const book = await openBook(path);
  const output = await open(target, 'w');
  try {
    for (const text of formatRows(book.read(sheet), name)) await output.appendFile(text);
  } catch (error) {
    throw inputError(error);
  } finally {
    await output.close();
  }
}

/** Yields the lines of rows below their header, some at once. */
function* formatRows(rows: Iterable<SheetRow>, file: string): Generator<string, void, undefined> {
  let names: ReadonlyMap<number, string> | undefined;
  let text = '';
  for (const row of rows) {
    if (names) text += formatRow(row, names);
    else names = readHeader(row, file);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (!names) throw sheetError(file, 'has no header row', 'Put the names of the fields into its first row.');
  yield text;
}

async function openBook(path: string): Promise<Spreadsheet> {
  try {
    return await openSpreadsheet(path);
  } catch (error) {
    throw inputError(error);
  }
}

/** Returns the error of a workbook as one of the load, which it fails. */
function inputError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'usage') return error;
  const hint = 'Save the workbook again as .xlsx. Nothing was loaded.';
  return new AppError('input', error.message, { hint, cause: error });
}

/** Returns the names of the columns by their place, trimmed and in lower case. */
function readHeader({ number, cells }: SheetRow, file: string): Map<number, string> {
  const names = new Map<number, string>();
  for (const [column, cell] of cells) {
    const name = cell.text.trim().toLowerCase();
    const [first] = [...names].find(([, other]) => other === name) ?? [];
    if (first !== undefined) {
      const places = `${columnName(first)}${number} and ${columnName(column)}${number}`;
      throw sheetError(
        file,
        `names the column ${name} twice, in ${places}`,
        'Rename or remove one of the two columns.',
      );
    }
    if (name !== '') names.set(column, name);
  }
  return names;
}

function formatRow({ number, cells }: SheetRow, names: ReadonlyMap<number, string>): string {
  const nameOf = (column: number) => names.get(column) ?? nameColumn(column, new Set(names.values()));
  const texts = [...cells].map(([column, cell]) => [nameOf(column), cell.text]);
  const [column, fault] = [...cells].find(([, { kind }]) => kind === 'fault') ?? [];
  if (column !== undefined) {
    const reason = `cell ${columnName(column)}${number} ${fault?.text}`;
    return `${JSON.stringify([reason, JSON.stringify(Object.fromEntries(texts))])}\n`;
  }
  const blank = [...names].filter(([place]) => !cells.has(place)).map(([, name]) => `${JSON.stringify(name)}:null`);
  const members = [...cells].map(([place, cell]) => `${JSON.stringify(nameOf(place))}:${formatValue(cell)}`);
  return `{${[...members, ...blank].join(',')}}\n`;
}

/** Formats a value as JSON; a number counts with its first 15 digits, as JSON numbers do. */
function formatValue({ kind, text }: SheetCell): string {
  if (kind === 'number') return text;
  return kind === 'boolean' ? String(text === '1') : JSON.stringify(text);
}

function sheetError(file: string, problem: string, hint: string): AppError {
  return new AppError('input', `${file} ${problem}`, { hint });
}
