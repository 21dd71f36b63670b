import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError, assertRegularFile } from '../../../base/index.ts';
import type { Resource } from '../../resource/resource.ts';
import type { BookSheet } from '../../spreadsheet/spreadsheet.ts';
import {
  completeParts,
  type FileMapping,
  identityMapping,
  MAPPING_FILE,
  type Mapping,
  matchesFile,
  unnamedFile,
} from '../mapping/mapping.ts';
import {
  compareNames,
  type FileFormat,
  formatOf,
  isCsvName,
  isJsonName,
  isWorkbookName,
  matchResource,
  matchSheet,
  wayOutOf,
} from './file-names.ts';
import { emptyError, isWorkbook, MAX_LISTED_FILES, missingError, readEntries } from './folder-entries.ts';
import { openSheets } from './sheets.ts';

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
  /** The mapping of its columns to fields, if it has headers. */
  readonly mapping?: FileMapping;
}

type FoundFile = Omit<InputFile, 'number'>;

export interface Listing {
  /** Ordered by resource, then by the numbers in the names: tasks.2 before tasks.10. */
  readonly files: readonly InputFile[];
  /** Names of entries that belong to no resource; a folder's name ends with a slash. */
  readonly ignored: readonly string[];
}

/** The file with the SHA-256 of others, in the format of `sha256sum`. */
export const SUMS_FILE = 'SHA256SUMS';

/**
 * Lists the files of a directory by resource, and the sheets of its workbooks; or the sheets of one workbook.
 * @param resources In the order of loading.
 * @param mapping Says what files with other names hold.
 * @throws AppError input if the directory is missing, isn't one, or holds no file of a resource or none that the mapping names.
 */
export async function listInput(
  directory: string,
  resources: readonly Resource[],
  mapping: Mapping = identityMapping(),
): Promise<Listing> {
  const isBook = await isWorkbook(directory);
  const entries = isBook ? [''] : await readEntries(directory);
  const found: FoundFile[] = [];
  const ignored: string[] = [];
  const used = new Set<FileMapping>();
  for (const entry of entries.sort(compareNames)) {
    if (entry === SUMS_FILE || entry === MAPPING_FILE) continue;
    const [path, name] = isBook ? [directory, basename(directory)] : [join(directory, entry), entry];
    const status = await stat(path).catch(() => undefined);
    const parts = mapping.files.filter(({ file }) => matchesFile(file, name));
    for (const part of parts) used.add(part);
    if (parts.length > 0) await assertRegularFile(path);
    const file = { name, path, bytes: status?.size ?? 0 };
    const files = !status?.isFile()
      ? []
      : isWorkbookName(name)
        ? await listSheets(file, parts, resources, mapping)
        : listFile(file, parts, resources, mapping);
    if (files.length === 0) ignored.push(status?.isDirectory() ? `${name}/` : name);
    for (const each of files) {
      if (typeof each === 'string') ignored.push(each);
      else found.push(each);
    }
  }
  const unused = mapping.files.find((part) => !used.has(part));
  if (unused) throw missingError(unused.file, directory, entries);
  const names = resources.map(({ name }) => name);
  if (found.length === 0) throw emptyError(directory, ignored, names, mapping.path);
  const orderOf = ({ mapping: part }: FoundFile) =>
    part ? mapping.files.findIndex((each) => isSamePart(each, part)) : -1;
  found.sort(
    (a, b) =>
      names.indexOf(a.resource) - names.indexOf(b.resource) ||
      orderOf(a) - orderOf(b) ||
      compareNames(pageOf(a), pageOf(b)),
  );
  return { files: found.map((file, index) => ({ number: index + 1, ...file })), ignored };
}

/** Lists what a file holds: a resource by its name, or those that the mapping names. */
function listFile(
  file: Pick<InputFile, 'name' | 'path' | 'bytes'>,
  parts: readonly FileMapping[],
  resources: readonly Resource[],
  mapping: Mapping,
): FoundFile[] {
  const format = formatOf(file.name);
  const isJson = isJsonName(file.name);
  if (parts.length > 0 && !isJson && !isCsvName(file.name))
    throw new AppError(
      'input',
      `${file.name} can't be read with a mapping: it is no CSV or JSON file and no workbook`,
      {
        hint: `${wayOutOf(file.name) ?? 'Save it as CSV or .xlsx, or take it out of the mapping.'} Nothing was loaded.`,
      },
    );
  const named = isJson ? partsBySheet(parts) : [parts];
  if (parts.length > 0)
    return named.flatMap(completeParts).map((part) => ({
      ...file,
      resource: part.resource.name,
      format: isJson ? ('json' as const) : ('csv' as const),
      mapping: part,
    }));
  const resource = matchResource(file.name, resources);
  if (!resource || !format) return [];
  const own = { ...file, resource: resource.name, format };
  return [format === 'csv' ? { ...own, mapping: unnamedFile(mapping, file.name, resource) } : own];
}

/** Groups parts by the list of a JSON file that they read. */
function partsBySheet(parts: readonly FileMapping[]): FileMapping[][] {
  const sheets = [...new Set(parts.map(({ sheet }) => sheet))];
  return sheets.map((sheet) => parts.filter((part) => part.sheet === sheet));
}

/** Lists the sheets of a workbook as files, and the names of the others. */
async function listSheets(
  { name, path, bytes }: Pick<InputFile, 'name' | 'path' | 'bytes'>,
  parts: readonly FileMapping[],
  resources: readonly Resource[],
  mapping: Mapping,
): Promise<(FoundFile | string)[]> {
  const sheets = await openSheets(path);
  const unfound = parts.find(({ sheet }) =>
    sheet === undefined ? sheets.length > 1 : !sheets.some((each) => isCalled(each, sheet)),
  );
  if (unfound) {
    const problem =
      unfound.sheet === undefined
        ? 'has several sheets, of which the mapping names none'
        : `has no sheet ${unfound.sheet}`;
    throw new AppError('input', `${name} ${problem}`, {
      hint: `Write sheet: with one of ${sheets.map((sheet) => sheet.name).join(', ')} into the mapping. Nothing was loaded.`,
    });
  }
  return sheets.flatMap((sheet): (FoundFile | string)[] => {
    const title = `${name}, sheet ${sheet.name}`;
    const file = { name: title, path, bytes, format: 'xlsx' as const, sheet };
    const named = parts.filter((part) => part.sheet === undefined || isCalled(sheet, part.sheet));
    if (named.length > 0)
      return completeParts(named).map((part) => ({ ...file, resource: part.resource.name, mapping: part }));
    const resource = matchSheet(sheet.name, resources);
    return resource ? [{ ...file, resource: resource.name, mapping: unnamedFile(mapping, title, resource) }] : [title];
  });
}

/** Tells whether two parts are one; the parts of a file are completed as copies. */
function isSamePart(one: FileMapping, other: FileMapping): boolean {
  return one.file === other.file && one.fields === other.fields;
}

function isCalled(sheet: BookSheet, name: string): boolean {
  return sheet.name.trim().toLowerCase() === name.trim().toLowerCase();
}

/** Returns the page of a file: the part of its name between resource and extension. */
function pageOf({ name, sheet }: Pick<InputFile, 'name' | 'sheet'>): string {
  return (sheet === undefined ? name : `${sheet.name}.xlsx`).split('.').slice(1, -1).join('.');
}

/** @throws AppError input if a form of days, numbers or hours is given, and no file is of a kind that it is read in. */
export function assertFormMeant({ files }: Listing, mapping?: Mapping): void {
  if (Object.keys(mapping?.notation ?? {}).length === 0 || files.some((file) => file.mapping)) return;
  const names = [...new Set(files.map(({ name }) => name))].slice(0, MAX_LISTED_FILES).join(', ');
  throw new AppError('input', 'The load is told a form of days, numbers or hours, which no file of it can be in', {
    hint: `Leave it out: only CSV files and workbooks are read in a form, and this has ${names}. Nothing was loaded.`,
  });
}
