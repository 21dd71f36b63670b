import { AppError, messageOf } from '../error.ts';
import { type RawCell, readCell, type SheetCell } from './cell-value.ts';
import { type NumberKind, readNumberKinds } from './number-kinds.ts';
import { readElements } from './xml-elements.ts';
import { openZip, type ZipFile } from './zip-file.ts';

/** A row of a sheet that isn't blank. */
export interface SheetRow {
  /** Its number in the sheet, from 1. */
  readonly number: number;
  /** By column, from 0. */
  readonly cells: ReadonlyMap<number, SheetCell>;
}

/** A workbook whose sheets can be read, hidden ones too. */
export interface Spreadsheet {
  readonly sheets: readonly string[];
  /** Reads the rows of a sheet one by one. @throws AppError usage for a damaged part, or a sheet that isn't there. */
  read(sheet: string): Iterable<SheetRow>;
}

/**
 * Opens a workbook.
 * @throws AppError usage for a file that is none.
 */
export async function openSpreadsheet(path: string): Promise<Spreadsheet> {
  const zip = await openZip(path);
  try {
    const { parts, is1904 } = readContents(zip);
    return { sheets: [...parts.keys()], read: (sheet) => readSheet({ path, zip, parts, is1904 }, sheet) };
  } catch (error) {
    throw bookError(path, error);
  }
}

interface OpenBook {
  readonly path: string;
  readonly zip: ZipFile;
  /** The parts of the sheets, by name. */
  readonly parts: ReadonlyMap<string, string>;
  /** True if its dates are in Excel's calendar from 1904. */
  readonly is1904: boolean;
}

function* readSheet({ path, zip, parts, is1904 }: OpenBook, sheet: string): Generator<SheetRow, void, undefined> {
  const part = parts.get(sheet);
  if (part === undefined) throw missingSheet(path, sheet, [...parts.keys()]);
  try {
    const kinds = readNumberKinds(zip.read('xl/styles.xml') ?? '');
    yield* readRows(zip.read(part) ?? '', readShared(zip.read('xl/sharedStrings.xml') ?? ''), kinds, is1904);
  } catch (error) {
    throw bookError(path, error);
  }
}

function bookError(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('usage', `${path} is not a workbook: ${messageOf(error)}`, {
    hint: 'Give an Excel file (.xlsx).',
  });
}

/** Returns the letters of a column, from 0. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** Reads the parts of the sheets, by name, and which of Excel's calendars the dates are in. */
function readContents(zip: ZipFile): Pick<OpenBook, 'parts' | 'is1904'> {
  const ids = new Map<string, string>();
  let is1904 = false;
  for (const { name, attributes } of readElements(zip.read('xl/workbook.xml') ?? '')) {
    if (name === 'sheet') ids.set(attributes['name'] ?? '', attributes['r:id'] ?? '');
    if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
  }
  const targets = new Map<string, string>();
  for (const { name, attributes } of readElements(zip.read('xl/_rels/workbook.xml.rels') ?? ''))
    if (name === 'Relationship') targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '');
  const parts = [...ids].flatMap(([sheet, id]) => {
    const target = targets.get(id);
    return target === undefined ? [] : [[sheet, target.startsWith('/') ? target.slice(1) : `xl/${target}`] as const];
  });
  return { parts: new Map(parts), is1904 };
}

function missingSheet(path: string, sheet: string, sheets: readonly string[]): AppError {
  return new AppError('usage', `${path} has no sheet ${sheet}`, {
    hint: sheets.length > 0 ? `It has ${sheets.join(', ')}.` : 'Give an Excel file (.xlsx).',
  });
}

/** Reads the texts that cells refer to by number. */
function readShared(xml: string): string[] {
  const texts: string[] = [];
  for (const { name, text } of readElements(xml)) if (name === 'si') texts.push(text());
  return texts;
}

function* readRows(
  xml: string,
  shared: readonly string[],
  kinds: readonly NumberKind[],
  is1904: boolean,
): Generator<SheetRow, void, undefined> {
  let cells = new Map<number, SheetCell>();
  let [row, column] = [0, -1];
  let [hasFormula, hasValue] = [false, false];
  for (const { name, parent, attributes, text } of readElements(xml)) {
    if (parent === 'c' && name === 'f') hasFormula = true;
    if (parent === 'c' && (name === 'v' || name === 'is')) hasValue = true;
    if (name === 'c' && parent === 'row') {
      // References may be left out, and count on then.
      column = columnOf(attributes['r']) ?? column + 1;
      const kind = kinds[Number(attributes['s'] ?? 0)] ?? 'number';
      const raw: RawCell = { type: attributes['t'], text: text(), hasFormula, hasValue, kind };
      const value = readCell(raw, shared, is1904);
      if (value) cells.set(column, value);
      [hasFormula, hasValue] = [false, false];
    } else if (name === 'row' && parent === 'sheetData') {
      row = rowOf(attributes['r']) ?? row + 1;
      if (cells.size > 0) yield { number: row, cells };
      cells = new Map();
      column = -1;
    }
  }
}

/** Returns the number of a row such as "7". */
function rowOf(text: string | undefined): number | undefined {
  return /^\d{1,7}$/.test(text ?? '') ? Number(text) : undefined;
}

/** Returns the column of a cell such as AB7, from 0. */
function columnOf(cell: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(cell ?? '')?.[0];
  return letters === undefined
    ? undefined
    : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
