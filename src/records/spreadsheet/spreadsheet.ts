import { type BookContents, bookLimit, readContents, readPart } from './book-contents.ts';
import type { BookContext } from './cell-value.ts';
import { readNumberFormats } from './number-kinds.ts';
import { readSheetRows, type SheetRow } from './sheet-rows.ts';
import { openZip, type ZipFile } from './zip-file.ts';

export interface BookSheet {
  readonly name: string;
  /** True if its days are in Excel's calendar from 1904. */
  readonly is1904: boolean;
  /**
   * Reads its rows, in batches.
   * @throws AppError usage for a damaged part, limit for a sheet that is larger than Excel allows.
   */
  rows(): AsyncIterable<readonly SheetRow[]>;
}

/** The largest part of a workbook that is read. Unit: bytes. */
export const MAX_PART_BYTES = 268_435_456;

/** The unpacked size that the parts of any workbook may have together. Unit: bytes. */
export const UNPACKED_ALLOWANCE_BYTES = 67_108_864;

/** The unpacked size allowed beyond that, as a multiple of the file's size; real workbooks unpack to 30 times their size. */
export const MAX_UNPACKED_RATIO = 100;

/** The most texts that the cells of a workbook share. */
export const MAX_SHARED_TEXTS = 4_194_304;

/**
 * Opens a workbook. No file stays open; the shared texts are read once, with the first sheet.
 * @returns Its sheets in their order; two may have one name.
 * @throws AppError usage for a file that isn't a workbook, limit for a workbook that is far larger unpacked.
 */
export async function openSpreadsheet(path: string): Promise<readonly BookSheet[]> {
  const zip = await openZip(path);
  const contents = await readContents(path, zip);
  checkSizes(path, zip, contents);
  let context: Promise<BookContext> | undefined;
  return contents.sheets.map(({ name, part }) => ({
    name,
    is1904: contents.is1904,
    async *rows() {
      context ??= readContext(path, zip, contents);
      yield* readSheetRows(`${path}, sheet ${name}`, readPart(path, zip, part), await context);
    },
  }));
}

/** Returns the program or the person that a workbook says has made it; empty if it says nothing. */
export async function readCreator(path: string): Promise<string> {
  const zip = await openZip(path);
  for await (const elements of readPart(path, zip, 'docProps/core.xml')) {
    for (const { name, text } of elements) if (name === 'creator') return text();
  }
  return '';
}

function checkSizes(path: string, zip: ZipFile, { sheets, sharedPart, stylesPart }: BookContents): void {
  let total = 0;
  for (const part of [sharedPart, stylesPart, ...sheets.map((sheet) => sheet.part)]) {
    const size = zip.sizeOf(part) ?? 0;
    if (size > MAX_PART_BYTES)
      throw bookLimit(`${path}: its part ${part} has ${size} bytes, more than ${MAX_PART_BYTES}`);
    total += size;
  }
  const most = UNPACKED_ALLOWANCE_BYTES + MAX_UNPACKED_RATIO * zip.bytes;
  if (total > most) throw bookLimit(`${path} has ${zip.bytes} bytes and unpacks to ${total}, more than ${most}`);
}

async function readContext(
  path: string,
  zip: ZipFile,
  { sharedPart, stylesPart, is1904, isUncomputed }: BookContents,
): Promise<BookContext> {
  const shared: string[] = [];
  for await (const elements of readPart(path, zip, sharedPart)) {
    for (const { name, text } of elements) if (name === 'si') shared.push(text());
    if (shared.length > MAX_SHARED_TEXTS) throw bookLimit(`${path} has more than ${MAX_SHARED_TEXTS} shared texts`);
  }
  const formats = await readNumberFormats(readPart(path, zip, stylesPart));
  return { shared, formats, is1904, isUncomputed };
}
