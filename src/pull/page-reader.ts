import { AppError } from '../error.ts';
import { formatMoment } from './clock.ts';
import { parsePage, type RecordFields, type SourcePage } from './page.ts';
import type { Source } from './source.ts';

/** One query of a list. */
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
export const PER_PAGE = [200, 190, 170];

/** absent: there is no such path. unfiltered: the source ignores or refuses `modified_since`. */
export type Refusal = 'absent' | 'unfiltered';

/** Statuses with which a source refuses parameters. */
const REFUSED = new Set([400, 405, 409, 422]);

/**
 * Returns the parameters to try, in order; those of `modified_since` are never read without it.
 * Later attempts also sort by id, in case the source orders records of one moment by chance.
 */
function choicesOf(
  { parameters, fields, since }: SourceListing,
  attempt: number,
): readonly Readonly<Record<string, string>>[] {
  const { expand: _expand, ...bare } = parameters;
  const changed: SourceListing['parameters'] =
    since === undefined ? parameters : { ...parameters, modified_since: formatMoment(since) };
  const sorts = [...(attempt > 1 ? [`${fields.moment},${fields.ids[0]}`] : []), fields.moment];
  const choices = [...sorts.map((sort) => ({ ...changed, sort })), changed];
  return since === undefined ? [...choices, bare] : choices;
}

/** The parameters of a page: by attempt, and the index of those the source accepts. */
export interface PageQuery {
  readonly attempt: number;
  readonly choice: number;
}

/** Reads pages of one listing. */
export type ReadPage = (page: number) => Promise<SourcePage>;

export function pageReader(
  source: Source,
  listing: SourceListing,
  { choice, attempt }: PageQuery,
  signal: AbortSignal,
): ReadPage {
  return async (page) => {
    const answer = await askPage(source, listing, choice, attempt, page, signal);
    if (!REFUSED.has(answer.status)) return parsePage(answer, listing.path, listing.fields);
    throw new AppError('source', `/${listing.path} refuses page ${page} (${answer.status})`, {
      hint: 'Run it again. If it happens again, the service is not one of version v3.',
    });
  };
}

function askPage(
  source: Source,
  listing: SourceListing,
  choice: number,
  attempt: number,
  page: number,
  signal: AbortSignal,
) {
  const perPage = PER_PAGE[attempt - 1] ?? 0;
  const parameters = choicesOf(listing, attempt)[choice] ?? {};
  return source.get(listing.path, { ...parameters, 'per-page': String(perPage), page: String(page) }, signal);
}

/**
 * Reads the first page with the first parameters that the source accepts.
 * @throws AppError source if it accepts none.
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
    if (!REFUSED.has(answer.status)) return { choice, page: parsePage(answer, path, fields) };
  }
  if (since !== undefined) return 'unfiltered';
  throw new AppError('source', `/${path} refuses to list its records`, {
    hint: 'Check that the address is the root of the scheduling API, version v3.',
  });
}

interface NumberedPage {
  readonly number: number;
  readonly page: SourcePage;
}

/**
 * Finds the last page with records, from a guess that may be wrong: the last one is short, or the next one empty.
 * @param first A page known to have records.
 */
export async function findEnd(read: ReadPage, size: number, guess: number, first: NumberedPage): Promise<NumberedPage> {
  let full = first;
  let empty = Number.POSITIVE_INFINITY;
  let next = Math.max(guess, first.number);
  let step = 1;
  for (;;) {
    if (next !== full.number) {
      const page = await read(next);
      if (page.records.length === 0) empty = next;
      else full = { number: next, page };
      if (page.records.length > 0 && page.records.length < size) return full;
    }
    if (empty - full.number === 1) return full;
    next = empty === Number.POSITIVE_INFINITY ? full.number + step : Math.floor((full.number + empty) / 2);
    step *= 2;
  }
}
