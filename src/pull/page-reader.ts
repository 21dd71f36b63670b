import { AppError } from '../base/index.ts';
import { assertPageSize, assertTotal, endlessListError, idsOf, pageBound, repeats } from './list-limits.ts';
import { parseSourcePage, type RecordFields, type SourcePage } from './page.ts';
import { formatMoment } from './requests/clock.ts';
import type { SourceAnswer } from './requests/request.ts';
import type { Source } from './requests/source.ts';

export interface SourceListing {
  readonly path: string;
  /** `expand` and filters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly fields: RecordFields;
  /** Only records modified since; undefined for all. Unit: ms since 1970. */
  readonly since: number | undefined;
  /** Records created or modified later may come in while the list is read. Unit: ms since 1970. */
  readonly settledMs: number;
}

/** Records a page, by attempt: other page ends find records that an unstable order hides at the ends of pages. */
const PER_PAGE = [200, 190, 170];

/** absent: there is no such path. unfiltered: the source ignores or refuses `modified_since`. */
export type Refusal = 'absent' | 'unfiltered';

/** Statuses with which a source refuses parameters. */
const REFUSED = new Set([400, 405, 409, 422]);

/**
 * Returns the parameters to try, in order. A list of changes is never read without `modified_since`.
 * Later attempts also sort by id, in case the source orders records of the same moment randomly.
 */
function choicesOf(
  { parameters, fields, since }: SourceListing,
  attempt: number,
): readonly Readonly<Record<string, string>>[] {
  const { expand: _expand, ...bare } = parameters;
  const changed: SourceListing['parameters'] =
    since === undefined ? parameters : { ...parameters, modified_since: formatMoment(since) };
  const sorts = [...(attempt > 1 ? [`${fields.moment},${fields.ids.names[0]}`] : []), fields.moment];
  const choices = [...sorts.map((sort) => ({ ...changed, sort })), changed];
  return since === undefined ? [...choices, bare] : choices;
}

/** The parameters of a page: the attempt, and the index of the parameters that the source accepts. */
export interface PageQuery {
  readonly attempt: number;
  readonly choice: number;
}

export interface PageReader {
  readonly path: string;
  readonly perPage: number;
  /** @throws AppError source if the page is refused, or counts too many records. */
  read(page: number): Promise<SourcePage>;
}

export function pageReader(
  source: Source,
  listing: SourceListing,
  { choice, attempt }: PageQuery,
  signal: AbortSignal,
): PageReader {
  const { path, fields } = listing;
  return {
    path,
    perPage: perPageOf(attempt),
    async read(number) {
      const answer = await askPage(source, listing, choice, attempt, number, signal);
      if (!REFUSED.has(answer.status)) return parseCounted(answer, path, fields);
      throw new AppError('source', `/${path} refuses page ${number} (${answer.status})`, {
        hint: 'Run it again. If it happens again, the service is not one of version v3.',
      });
    },
  };
}

function parseCounted(answer: SourceAnswer, path: string, fields: RecordFields): SourcePage {
  const page = parseSourcePage(answer, path, fields);
  assertTotal(path, page.total);
  return page;
}

export function perPageOf(attempt: number): number {
  return PER_PAGE[attempt - 1] ?? 0;
}

function askPage(
  source: Source,
  listing: SourceListing,
  choice: number,
  attempt: number,
  page: number,
  signal: AbortSignal,
) {
  const parameters = choicesOf(listing, attempt)[choice] ?? {};
  return source.get(
    listing.path,
    { ...parameters, 'per-page': String(perPageOf(attempt)), page: String(page) },
    signal,
  );
}

/**
 * Reads the first page with the first parameters that the source accepts.
 * @throws AppError source if it accepts no parameters.
 */
export async function negotiate(
  source: Source,
  listing: SourceListing,
  attempt: number,
  signal: AbortSignal,
): Promise<{ readonly choice: number; readonly page: SourcePage } | Refusal> {
  const { path, fields, since } = listing;
  const choices = choicesOf(listing, attempt).length;
  for (let choice = 0; choice < choices; choice += 1) {
    const answer = await askPage(source, listing, choice, attempt, 1, signal);
    if (answer.status === 404) return 'absent';
    if (!REFUSED.has(answer.status)) return { choice, page: parseCounted(answer, path, fields) };
  }
  if (since !== undefined) return 'unfiltered';
  throw new AppError('source', `/${path} refuses to list its records`, {
    hint: 'Check that the address is the root of the scheduling API, version v3.',
  });
}

export interface NumberedPage {
  readonly number: number;
  readonly page: SourcePage;
}

/**
 * Finds the last page with records, from a guess that may be wrong: the last one is short, or the next one is empty or
 * repeats pages before it.
 * @param size Records of a full page. @param first A page known to have records.
 * @throws AppError source if there is no end, or a page has too many records.
 */
export async function findEnd(
  { read, path, perPage }: PageReader,
  size: number,
  guess: number,
  first: NumberedPage,
): Promise<NumberedPage> {
  const bound = pageBound(size);
  const seen = idsOf(first.page);
  let full = first;
  let past: number | undefined;
  let next = Math.min(Math.max(guess, first.number), bound);
  for (let step = 1; ; step *= 2) {
    if (next !== full.number) {
      const page = await read(next);
      if (repeats(page, seen)) past = next;
      else if (next === bound) throw endlessListError(path, next);
      else {
        assertPageSize(path, page, perPage);
        full = { number: next, page };
        for (const { id } of page.records) seen.add(id);
        if (page.records.length < size) return full;
      }
    }
    if (past !== undefined && past - full.number <= 1) return full;
    next = past === undefined ? Math.min(full.number + step, bound) : Math.floor((full.number + past) / 2);
  }
}

/**
 * Finds the last page before a series of equal pages: a source may send its last page for each later number.
 * @param repeated The number of a page known to have them.
 * @returns undefined if all pages have them.
 */
export async function findOther(
  { read }: PageReader,
  ids: ReadonlySet<string>,
  repeated: number,
): Promise<NumberedPage | undefined> {
  let [low, high] = [0, repeated];
  let found: NumberedPage | undefined;
  while (high - low > 1) {
    const number = Math.floor((low + high) / 2);
    const page = await read(number);
    if (repeats(page, ids)) high = number;
    else {
      low = number;
      found = { number, page };
    }
  }
  return found;
}
