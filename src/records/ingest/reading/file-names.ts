/*
 * The format and the resource of a file or a sheet, by its name.
 */
import type { Resource } from '../../resource/resource.ts';

export type FileFormat = 'json' | 'ndjson' | 'csv' | 'parquet' | 'xlsx';

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

/** Matches text files that a mapping reads as CSV. */
const OTHER_CSV = /\.(tsv|txt)$/i;

/** Matches spreadsheets in forms that can't be read. */
const OTHER_BOOK = /\.(xls|xlsb|xlsm|xltx|xltm|xlt|ods|fods|numbers)$/i;

const { compare } = new Intl.Collator('en', { numeric: true });

/** Matches the number that a browser gives to a second download: report (1).csv. */
const COUNTER = / ?\(([0-9]{1,4})\)(?=\.[^.]*$|$)/;

/** Compares names by their text and numbers; of downloads of one name, a later one has a higher number. */
export function compareNames(one: string, other: string): number {
  const counterOf = (name: string) => Number(COUNTER.exec(name)?.[1] ?? 0);
  return compare(one.replace(COUNTER, ''), other.replace(COUNTER, '')) || counterOf(one) - counterOf(other);
}

/** Tells whether the order of two names is that of their days and numbers: nothing else in them differs. */
export function isOrdered(one: string, other: string): boolean {
  const [plain, same] = [one, other].map((name) => name.replace(COUNTER, '').replaceAll(/[0-9]+/g, '*'));
  return plain === same && compareNames(one, other) !== 0;
}

export function formatOf(name: string): FileFormat | undefined {
  return FORMATS.get(name.toLowerCase().split('.').at(-1) ?? '');
}

export function isWorkbookName(name: string): boolean {
  return WORKBOOK.test(name);
}

/** Tells whether a mapping may read a file as CSV. */
export function isCsvName(name: string): boolean {
  return formatOf(name) === 'csv' || OTHER_CSV.test(name);
}

/** Tells whether a mapping may read a file as JSON. */
export function isJsonName(name: string): boolean {
  return formatOf(name) === 'json' || formatOf(name) === 'ndjson';
}

/** Tells whether a file is a spreadsheet in a form that can't be read, such as old.xls. */
export function isOtherBook(name: string): boolean {
  return OTHER_BOOK.test(name);
}

/** Matches files that hold other files. */
const ARCHIVE = /\.(zip|gz|tgz|tar|7z|rar|bz2|xz)$/i;

/** Returns what to do with a file that can't be read as it is; undefined for any other. */
export function wayOutOf(name: string): string | undefined {
  if (isOtherBook(name)) return 'Open it in Excel, LibreOffice or Numbers, and save it as .xlsx.';
  return ARCHIVE.test(name) ? 'Unpack it, and load the files in it.' : undefined;
}

/** Parses `<resource>[.<anything>].<extension>`, ignoring case, with - and _ as equals. */
export function matchResource(name: string, resources: readonly Resource[]): Resource | undefined {
  const parts = name.toLowerCase().split('.');
  if (parts.length < 2 || formatOf(name) === undefined) return undefined;
  return resources.find((resource) => resource.name === (parts[0] ?? '').replaceAll('-', '_'));
}

export function matchSheet(name: string, resources: readonly Resource[]): Resource | undefined {
  return matchResource(`${name.replaceAll(' ', '_')}.xlsx`, resources);
}
