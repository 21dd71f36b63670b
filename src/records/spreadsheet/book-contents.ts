import { posix } from 'node:path';
import { AppError, messageOf } from '../../base/index.ts';
import { type PartElement, readElements } from './xml-elements.ts';
import { notWorkbook, partError, type ZipFile } from './zip-file.ts';

/** The largest part that lists the sheets, or the parts. Unit: bytes. */
export const MAX_LIST_BYTES = 16_777_216;

/** The most sheets of a workbook. */
export const MAX_SHEETS = 1_000;

/** The longest name of a sheet; Excel allows 31. Unit: characters. */
export const MAX_SHEET_NAME_CHARACTERS = 255;

/** The parts of a workbook that hold records. */
export interface BookContents {
  /** In their order; two may have one name. */
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  readonly sharedPart: string;
  readonly stylesPart: string;
  readonly is1904: boolean;
  /** True if the formulas are computed only when it is opened. */
  readonly isUncomputed: boolean;
}

/** The parts that another one refers to. */
interface Relationships {
  readonly byId: ReadonlyMap<string, string>;
  /** By the last word of their type, such as styles. */
  readonly byType: ReadonlyMap<string, string>;
}

/**
 * Reads the names and parts of a workbook's sheets.
 * @throws AppError usage for an archive that is not a workbook, or a damaged part; limit for too many sheets.
 */
export async function readContents(path: string, zip: ZipFile): Promise<BookContents> {
  const book = (await readRelationships(path, zip, '')).byType.get('officeDocument') ?? 'xl/workbook.xml';
  if (zip.sizeOf(book) === undefined) throw notWorkbook(path, `it has no part ${book}`);
  const { byId, byType } = await readRelationships(path, zip, book);
  const beside = (name: string) => posix.join(posix.dirname(book), name);
  const sheets: { name: string; part: string }[] = [];
  let [is1904, isUncomputed] = [false, false];
  for await (const elements of readList(path, zip, book)) {
    for (const { name, attributes } of elements) {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      if (name === 'calcPr') isUncomputed = isTrue(attributes['fullCalcOnLoad']);
      if (name !== 'sheet') continue;
      const title = readName(path, attributes);
      const id = Object.keys(attributes).find((key) => key.endsWith(':id')) ?? '';
      const part = byId.get(attributes[id] ?? '') ?? '';
      if (zip.sizeOf(part) === undefined) throw partError(path, part, `with the sheet ${title} is missing`);
      sheets.push({ name: title, part });
      if (sheets.length > MAX_SHEETS) throw bookLimit(`${path} has more than ${MAX_SHEETS} sheets`);
    }
  }
  const sharedPart = byType.get('sharedStrings') ?? beside('sharedStrings.xml');
  const stylesPart = byType.get('styles') ?? beside('styles.xml');
  return { sheets, sharedPart, stylesPart, is1904, isUncomputed };
}

/** Reads the elements of a part; a missing part has none. @throws AppError usage for a damaged part. */
export async function* readPart(
  path: string,
  zip: ZipFile,
  part: string,
): AsyncGenerator<readonly PartElement[], void, undefined> {
  if (zip.sizeOf(part) === undefined) return;
  try {
    yield* readElements(zip.read(part));
  } catch (error) {
    throw error instanceof AppError ? error : partError(path, part, messageOf(error));
  }
}

/** Returns the error of a workbook larger than any made by hand. */
export function bookLimit(problem: string): AppError {
  return new AppError('limit', problem, { hint: 'Split it into several workbooks, or save its sheets as CSV.' });
}

function readList(path: string, zip: ZipFile, part: string): AsyncIterable<readonly PartElement[]> {
  const size = zip.sizeOf(part) ?? 0;
  if (size > MAX_LIST_BYTES)
    throw bookLimit(`${path}: its part ${part} has ${size} bytes, more than ${MAX_LIST_BYTES}`);
  return readPart(path, zip, part);
}

/** Reads the relationships of a part, or of the whole archive for "". */
async function readRelationships(path: string, zip: ZipFile, of: string): Promise<Relationships> {
  const { dir, base } = posix.parse(of);
  const byId = new Map<string, string>();
  const byType = new Map<string, string>();
  for await (const elements of readList(path, zip, posix.join(dir, '_rels', `${base}.rels`))) {
    for (const { name, attributes } of elements) {
      if (name !== 'Relationship') continue;
      const target = attributes['Target'] ?? '';
      const part = target.startsWith('/') ? target.slice(1) : posix.join(dir, target);
      byId.set(attributes['Id'] ?? '', part);
      byType.set(posix.basename(attributes['Type'] ?? ''), part);
    }
  }
  return { byId, byType };
}

function readName(path: string, attributes: Readonly<Record<string, string>>): string {
  const name = attributes['name'] ?? '';
  if (name.length <= MAX_SHEET_NAME_CHARACTERS) return name;
  throw bookLimit(`${path} has a sheet whose name has more than ${MAX_SHEET_NAME_CHARACTERS} characters`);
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
