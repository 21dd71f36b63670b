import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, messageOf } from '../error.ts';
import type { BookSheet } from '../spreadsheet/spreadsheet.ts';
import { openSheets } from './sheets.ts';

export type FileFormat = 'json' | 'ndjson' | 'csv' | 'parquet' | 'xlsx';

/** A file of a dataset that belongs to a resource, or to the settings. */
export interface InputFile {
  /** Its position among all files read, from 1. */
  readonly number: number;
  readonly name: string;
  readonly path: string;
  readonly resource: string;
  readonly format: FileFormat;
  readonly bytes: number;
  /** The sheet of a workbook that is the file. */
  readonly sheet?: BookSheet;
}

export interface Listing {
  /** Ordered by resource, then by the numbers in the names: tasks.2 before tasks.10. */
  readonly files: readonly InputFile[];
  /** Names of entries that belong to no resource; a folder's name ends with a slash. */
  readonly ignored: readonly string[];
}

/** The file with the SHA-256 of others, in the format of `sha256sum`. */
export const SUMS_FILE = 'SHA256SUMS';

const FORMATS: ReadonlyMap<string, FileFormat> = new Map([
  ['json', 'json'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['csv', 'csv'],
  ['parquet', 'parquet'],
  ['xlsx', 'xlsx'],
]);

/** Matches workbooks, and not the files that Excel puts beside an open one. */
const WORKBOOK = /^(?!~\$).*\.xlsx$/i;

/** Matches spreadsheets in forms that can't be read. */
const OTHER_BOOK = /\.(xls|xlsb|xlsm|xltx|xltm|xlt|ods|fods|numbers)$/i;

/** The way out for a spreadsheet in another form. */
const SAVE_AS = 'Open it in Excel, LibreOffice or Numbers, and save it as .xlsx.';

/** Tells whether a file is a spreadsheet in a form that can't be read, such as old.xls. */
export function isOtherBook(name: string): boolean {
  return OTHER_BOOK.test(name);
}

const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * Lists the files of a directory by resource, and the sheets of its workbooks; or the sheets of one workbook.
 * @param resources The names of resources, in the order of loading.
 * @throws AppError input if the directory is missing, isn't one, or holds no file of a resource.
 */
export async function listInput(directory: string, resources: readonly string[]): Promise<Listing> {
  const isBook = WORKBOOK.test(basename(directory)) && (await stat(directory).catch(() => undefined))?.isFile();
  const entries = isBook ? [''] : await readEntries(directory);
  const found: Omit<InputFile, 'number'>[] = [];
  const ignored: string[] = [];
  for (const entry of entries.sort(compare)) {
    if (entry === SUMS_FILE) continue;
    const [path, name] = isBook ? [directory, basename(directory)] : [join(directory, entry), entry];
    const status = await stat(path).catch(() => undefined);
    if (status?.isFile() && WORKBOOK.test(name)) {
      for (const sheet of await openSheets(path)) {
        const title = `${name}, sheet ${sheet.name}`;
        const match = matchResource(`${sheet.name.replaceAll(' ', '_')}.xlsx`, resources);
        if (match) found.push({ name: title, path, ...match, bytes: status.size, sheet });
        else ignored.push(title);
      }
      continue;
    }
    const match = status?.isFile() ? matchResource(name, resources) : undefined;
    if (status && match) found.push({ name, path, ...match, bytes: status.size });
    else ignored.push(status?.isDirectory() ? `${name}/` : name);
  }
  if (found.length === 0) throw emptyError(directory, ignored, resources);
  found.sort((a, b) => resources.indexOf(a.resource) - resources.indexOf(b.resource) || compare(pageOf(a), pageOf(b)));
  return { files: found.map((file, index) => ({ number: index + 1, ...file })), ignored };
}

async function readEntries(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const hint = 'Name the directory that holds the files, one for each resource, or a workbook: plumbline load DIR.';
    if (code === 'ENOENT')
      throw new AppError(
        'input',
        `There is no ${WORKBOOK.test(basename(directory)) ? 'workbook' : 'directory'} ${directory}`,
        { hint, cause },
      );
    if (code === 'ENOTDIR' && isOtherBook(directory))
      throw new AppError('input', `${directory} is a spreadsheet in a form that can't be read`, {
        hint: SAVE_AS,
        cause,
      });
    if (code === 'ENOTDIR') throw new AppError('input', `${directory} is a file, not a directory`, { hint, cause });
    throw new AppError('input', `Can't read the directory ${directory}: ${messageOf(cause)}`, { hint, cause });
  }
}

/** Parses `<resource>[.<anything>].<extension>`, ignoring case, with - and _ as equals. */
function matchResource(name: string, resources: readonly string[]): Pick<InputFile, 'resource' | 'format'> | undefined {
  const parts = name.toLowerCase().split('.');
  const format = FORMATS.get(parts.at(-1) ?? '');
  const resource = (parts[0] ?? '').replaceAll('-', '_');
  if (parts.length < 2 || !format || !resources.includes(resource)) return undefined;
  return { resource, format };
}

/** Returns the page of a file: the part of its name between resource and extension. */
function pageOf({ name, sheet }: Pick<InputFile, 'name' | 'sheet'>): string {
  return (sheet === undefined ? name : `${sheet.name}.xlsx`).split('.').slice(1, -1).join('.');
}

function emptyError(directory: string, ignored: readonly string[], resources: readonly string[]): AppError {
  const book = ignored.find(isOtherBook);
  if (book !== undefined) {
    return new AppError('input', `${directory} holds no file of any resource, and ${book} can't be read`, {
      hint: SAVE_AS,
    });
  }
  return new AppError('input', `${directory} holds no file of any resource`, {
    hint: `Name each file after a resource, with the extension .json, .ndjson, .csv or .parquet, or each sheet of a workbook: ${resources.join(', ')}.`,
  });
}
