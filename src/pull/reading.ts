import { createHash } from 'node:crypto';
import { assertPageSize } from './list-limits.ts';
import type { PageRecord, SourcePage } from './page.ts';
import { findEnd, negotiate, pageReader, type Refusal, type SourceListing } from './page-reader.ts';
import type { Source } from './requests/source.ts';

/** One reading of a list, from its last page to its first. Kept on disk, so that a killed run can be resumed. */
export interface Reading {
  /** From 1. */
  readonly attempt: number;
  /** The index of the accepted parameters: a source may refuse `sort`, `expand` or `modified_since`. */
  readonly choice: number;
  /** The length of a full page, which a source may keep below the number requested. Unit: records. */
  readonly size: number;
  /** The last page; 0 for an empty list. */
  readonly last: number;
  /** The next page to read; 0 after the first page. */
  readonly next: number;
  readonly total: number | undefined;
  /** A digest of the ids of the first page when the reading began. */
  readonly head: string;
  /** True if the totals differed, a page before the last wasn't full, or an unordered list has another first page. */
  readonly hasMoved: boolean;
  /** True while every page came in the requested order. */
  readonly isOrdered: boolean;
  /** The moment of the first record of the page read before. */
  readonly firstMoment: number | undefined;
  /** Records read, repeated ones included. */
  readonly positions: number;
  /** Distinct ids from earlier readings. */
  readonly known: number;
}

/** The most readings of a list. */
export const MAX_READINGS = 3;

/** A reading about to begin, with its first page. */
export interface OpenedReading {
  readonly reading: Reading;
  readonly lastPage: SourcePage;
}

/**
 * Reads the first page of a list, and finds its last one.
 * @throws AppError source if the source refuses the list with any parameters.
 */
export async function openReading(
  source: Source,
  listing: SourceListing,
  attempt: number,
  signal: AbortSignal,
): Promise<OpenedReading | Refusal> {
  const opened = await negotiate(source, listing, attempt, signal);
  if (typeof opened === 'string') return opened;
  const { choice, page: first } = opened;
  const size = first.records.length;
  const reading: Reading = {
    attempt,
    choice,
    size,
    last: 1,
    next: 1,
    total: first.total,
    head: digestIds(first),
    hasMoved: size === 0 && (first.total ?? 0) > 0,
    isOrdered: true,
    firstMoment: undefined,
    positions: 0,
    known: 0,
  };
  if (size === 0) return { reading: { ...reading, last: 0, next: 0 }, lastPage: first };
  const reader = pageReader(source, listing, reading, signal);
  const isAlone = (first.total === size || (first.pageCount ?? 0) === 1) && size < reader.perPage;
  if (isAlone) return { reading, lastPage: first };
  const guess = Math.max(first.pageCount ?? 1, Math.ceil((first.total ?? 1) / size));
  const end = await findEnd(reader, size, guess, { number: 1, page: first });
  // A list that isn't paged comes whole on its only page.
  if (end.number > 1) assertPageSize(listing.path, first, reader.perPage);
  return { reading: { ...reading, last: end.number, next: end.number }, lastPage: end.page };
}

export function advance(reading: Reading, page: SourcePage): Reading {
  const { records, total } = page;
  const { next, last, size, firstMoment } = reading;
  const [first] = records;
  const isFull = records.length === size || next === last;
  const isOrdered = reading.isOrdered && isAscending(records) && !isBefore(firstMoment, first?.moment);
  // Insertions go to the first page of a list that is newest first. With a deletion each, they leave the total unchanged.
  const isSame = isOrdered || next > 1 || digestIds(page) === reading.head;
  return {
    ...reading,
    next: next - 1,
    hasMoved: reading.hasMoved || total !== reading.total || !isFull || !isSame,
    isOrdered,
    firstMoment: first?.moment ?? firstMoment,
    positions: reading.positions + records.length,
  };
}

function digestIds({ records }: SourcePage): string {
  return createHash('sha1')
    .update(JSON.stringify(records.map(({ id }) => id)))
    .digest('base64');
}

/** Returns whether every record has a moment, and the moments never decrease. */
function isAscending(records: readonly PageRecord[]): boolean {
  return records.every(({ moment }, index) => moment !== undefined && !isBefore(moment, records[index - 1]?.moment));
}

function isBefore(moment: number | undefined, other: number | undefined): boolean {
  return moment !== undefined && other !== undefined && moment < other;
}
