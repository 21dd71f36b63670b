import { AppError } from '../base/index.ts';
import { assertPageSize, endlessListError, idsOf, MAX_LIST_RECORDS, repeats } from './list-limits.ts';
import type { PageRecord, SourcePage } from './page.ts';
import { findEnd, findOther, pageReader, type Refusal, type SourceListing } from './page-reader.ts';
import { advance, MAX_READINGS, openReading, type Reading } from './reading.ts';
import type { Source } from './requests/source.ts';

/** The most times that the newest records of a list are read again. */
export const MAX_TAILS = 3;

/** The tolerance for a source that takes `modified_since` as a day, in its own zone. Unit: ms. */
export const DAY_TOLERANCE_MS = 172_800_000;

/** The records of one query, as far as they were read. */
export interface PageSink {
  /** The reading in progress, possibly begun by a run that was killed. */
  readonly reading: Reading | undefined;
  /** The ids of all records since the last restart. */
  readonly ids: ReadonlySet<string>;
  append(records: readonly PageRecord[], reading: Reading): Promise<void>;
  /** Drops the records of this query. */
  restart(): Promise<void>;
}

export interface PagingContext {
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly note: (sentence: string) => Promise<void>;
}

/**
 * Reads a list so that no record is missed while others are inserted and deleted.
 *
 * Pages are read from the last to the first, oldest records first: a deletion then moves records to pages that are
 * still to be read, so it only makes duplicates, and insertions go to the end, which is read again. In any other order
 * a list must not change while it is read. Otherwise it is read again, at most MAX_READINGS times.
 * @throws AppError source if the list changes during each reading.
 */
export async function readListing(
  context: PagingContext,
  listing: SourceListing,
  sink: PageSink,
): Promise<'read' | Refusal> {
  let { reading } = sink;
  for (let attempt = reading?.attempt ?? 1; attempt <= MAX_READINGS; attempt += 1) {
    let lastPage: SourcePage | undefined;
    if (reading?.attempt !== attempt) {
      const opened = await openReading(context.source, listing, attempt, context.signal);
      if (typeof opened === 'string') return opened;
      if (reading && (reading.hasMoved || reading.total !== opened.reading.total)) await sink.restart();
      reading = { ...opened.reading, known: sink.ids.size };
      lastPage = opened.lastPage;
    }
    const read = await readPages(context, listing, sink, reading, lastPage);
    if (read === 'unfiltered') return read;
    reading = read;
    if (isComplete(reading, sink)) {
      if (reading.total !== undefined && reading.positions > reading.total)
        await context.note(`/${listing.path} has ${reading.positions} records, and counts ${reading.total}.`);
      return 'read';
    }
    if (reading.isOrdered && (await readTail(context, listing, sink, reading))) return 'read';
    if (attempt < MAX_READINGS) await context.note(`/${listing.path} changed while it was read, and was read again.`);
  }
  const error = unstableList(listing, sink, reading);
  // The next run must not continue after the last reading.
  await sink.restart();
  throw error;
}

/** Reads the remaining pages, unless a record is older than `modified_since`. */
async function readPages(
  { source, signal }: PagingContext,
  listing: SourceListing,
  sink: PageSink,
  start: Reading,
  lastPage: SourcePage | undefined,
): Promise<Reading | 'unfiltered'> {
  if (start.next === 0) return start;
  const reader = pageReader(source, listing, start, signal);
  let reading = start;
  let coming = lastPage ? Promise.resolve(lastPage) : reader.read(reading.next);
  let before: ReadonlySet<string> = new Set();
  while (reading.next > 0) {
    let page = await coming;
    if (page.records.length > 0 && repeats(page, before)) {
      const other = await findOther(reader, before, reading.next);
      if (!other) return { ...reading, next: 0, hasMoved: true };
      reading = { ...reading, last: other.number + 1, next: other.number };
      page = other.page;
    }
    if (isOlder(page, listing.since)) return 'unfiltered';
    if (reading.last > 1) assertPageSize(listing.path, page, reader.perPage);
    reading = advance(reading, page);
    if (reading.positions > MAX_LIST_RECORDS) throw endlessListError(listing.path, reading.next + 1);
    before = idsOf(page);
    // The source works on the next page while this one is written.
    if (reading.next > 0) coming = reader.read(reading.next);
    coming.catch(() => undefined);
    await sink.append(page.records, reading);
  }
  return reading;
}

function isComplete(
  { hasMoved, positions, total, isOrdered, last, attempt, known }: Reading,
  { ids }: PageSink,
): boolean {
  if (hasMoved || ids.size < Math.max(positions, total ?? 0)) return false;
  // Without a total, a second reading confirms an unordered list of several pages: it must find nothing new.
  return total !== undefined || isOrdered || last <= 1 || (attempt > 1 && ids.size === known);
}

/**
 * Reads the newest records again, back to records from before the run.
 * @returns whether no record is missing.
 */
async function readTail(
  { source, signal }: PagingContext,
  listing: SourceListing,
  sink: PageSink,
  reading: Reading,
): Promise<boolean> {
  if (reading.size === 0) return false;
  const reader = pageReader(source, listing, reading, signal);
  const { read } = reader;
  for (let tail = 0; tail < MAX_TAILS; tail += 1) {
    const first = { number: 1, page: await read(1) };
    const { records, total } = first.page;
    if (records.length === 0) return total === 0;
    // Records that come in from here on are left to the next run, or a busy list would have no end.
    const last = Math.max(reading.last, Math.ceil((total ?? 0) / reading.size));
    let { number, page } = { number: last, page: await read(last) };
    if (page.records.length === 0) ({ number, page } = await findEnd(reader, reading.size, last, first));
    for (;;) {
      if (reading.last > 1) assertPageSize(listing.path, page, reader.perPage);
      await sink.append(page.records, reading);
      if (number === 1 || (page.records[0]?.moment ?? 0) < listing.settledMs) break;
      number -= 1;
      page = await read(number);
    }
    if (sink.ids.size >= (total ?? 0)) return true;
  }
  return false;
}

function isOlder({ records }: SourcePage, since: number | undefined): boolean {
  if (since === undefined) return false;
  return records.some(({ moment }) => moment === undefined || moment < since - DAY_TOLERANCE_MS);
}

function unstableList({ path }: SourceListing, { ids }: PageSink, reading: Reading | undefined): AppError {
  const counted = reading?.total === undefined ? 'an unknown number' : reading.total;
  const message = `/${path} could not be read whole: ${MAX_READINGS} readings found ${ids.size} of ${counted} records`;
  return new AppError('source', message, {
    hint: 'Run it again when fewer records change, or with more --requests-per-minute. Nothing was changed here.',
  });
}
