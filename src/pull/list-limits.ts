import { AppError } from '../base/index.ts';
import type { PageRecord, SourcePage } from './page.ts';

/*
 * The bounds of a list: a source may send pages endlessly, or count records that it doesn't have.
 */

/** The most records of a list. Unit: records. */
export const MAX_LIST_RECORDS = 10_000_000;

/** The most pages of a list. Unit: pages. */
export const MAX_LIST_PAGES = 200_000;

/** The most bytes of a list on disk. Unit: bytes. */
export const MAX_LIST_BYTES = 16 * 1024 * 1024 * 1024;

/** The most records of a page, as a multiple of the number requested. An unpaged list may have more on its only page. */
export const MAX_PAGE_FACTOR = 10;

/** Returns the number of the first page beyond the limits of a list. @param size Records of a full page. */
export function pageBound(size: number): number {
  return Math.min(MAX_LIST_PAGES, Math.floor(MAX_LIST_RECORDS / Math.max(1, size))) + 1;
}

/** Returns whether a page repeats another: the source ignores page numbers, or numbers past its last page. */
export function repeats({ records }: SourcePage, ids: ReadonlySet<string>): boolean {
  return records.every(({ id }) => ids.has(id));
}

export function idsOf({ records }: SourcePage): Set<string> {
  return new Set(records.map(({ id }: PageRecord) => id));
}

/** @throws AppError source for a page with many more records than requested. */
export function assertPageSize(path: string, { records }: SourcePage, asked: number): void {
  if (records.length <= asked * MAX_PAGE_FACTOR) return;
  throw limitError(`/${path} sends ${records.length} records on a page, and ${asked} were requested`);
}

/** @throws AppError source for a total above the limit. */
export function assertTotal(path: string, total: number | undefined): void {
  if (total === undefined || total <= MAX_LIST_RECORDS) return;
  throw limitError(`/${path} counts ${total} records, and a list may have at most ${MAX_LIST_RECORDS}`);
}

/** @throws AppError source for a list that is larger on disk than the limit. */
export function assertListBytes(resource: string, bytes: number): void {
  if (bytes <= MAX_LIST_BYTES) return;
  throw limitError(`The list of ${resource} is larger than ${MAX_LIST_BYTES / 1024 ** 3} GiB`);
}

export function endlessListError(path: string, page: number): AppError {
  return limitError(`/${path} has no end: page ${page} still has records that no page before it had`);
}

export function limitError(message: string): AppError {
  return new AppError('source', message, {
    hint: "Nothing was changed here. The service doesn't send the lists of the scheduling API, version v3: tell its operator.",
  });
}
