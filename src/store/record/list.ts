import { collectFaults, type Faults } from '../../base/index.ts';
import { filtersOf, hasOneDay, parseLiteral } from './filters.ts';
import { type SentParameters, textOf } from './query-string.ts';
import type { ServedResource } from './records.ts';
import { isShown, readView, splitNames, sqlOfField, type View } from './view.ts';

/** Default page size. Unit: records. */
export const DEFAULT_PER_PAGE = 50;

/** Maximum page size; higher requests get this. Unit: records. */
export const MAX_PER_PAGE = 200;

/** Maximum `modified_since` as a Unix time: the end of the year 9999. Unit: s since 1970. */
const MAX_UNIX_SECONDS = 253_402_300_799;

export interface SortTerm {
  /** SQL. */
  readonly column: string;
  readonly isDescending: boolean;
}

/** A page of a list, from 1. */
export interface PageBounds {
  readonly page: number;
  readonly perPage: number;
}

export interface ListQuery extends View, PageBounds {
  /** SQL. */
  readonly where: string;
  readonly order: string;
  /** The first term, if it is a moment. */
  readonly moment: SortTerm | undefined;
}

/** Parameters of a page's size. `per_page` is an alias of `per-page`. */
const SIZE_PARAMETERS = ['per-page', 'per_page'];

export const PAGE_PARAMETERS: readonly string[] = ['page', ...SIZE_PARAMETERS];

/** Parameters of every list besides its filters. */
const LIST_PARAMETERS: ReadonlySet<string> = new Set([
  ...PAGE_PARAMETERS,
  'sort',
  'fields',
  'expand',
  'modified_since',
]);

/**
 * Parses the parameters of a list.
 * @throws AppError usage naming every invalid parameter.
 */
export function parseListQuery(resource: ServedResource, sent: SentParameters, seesRates: boolean): ListQuery {
  const faults = collectFaults();
  const filters = filtersOf(resource, seesRates);
  const conditions: string[] = [];
  const unknown: string[] = [];
  for (const [name, values] of sent) {
    if (LIST_PARAMETERS.has(name)) continue;
    const filter = filters.get(name);
    if (filter) conditions.push(faults.collect(name, () => filter(values, sent)) ?? '');
    else unknown.push(name);
  }
  const since = faults.collect('modified_since', () => parseSince(textOf(sent, 'modified_since'))) ?? [];
  const view = readView(resource, sent, seesRates, faults);
  const sorted = faults.collect('sort', () => parseSort(resource, sent.get('sort'), seesRates)) ?? {
    order: '',
    moment: undefined,
  };
  const query = {
    where: [...conditions, ...since, ...hidden(resource, sent)].join(' AND ') || 'TRUE',
    ...sorted,
    ...readPageBounds(sent, DEFAULT_PER_PAGE, faults),
    ...view,
    ignored: [...unknown, ...view.ignored],
  };
  faults.throwAll();
  return query;
}

/** Parses `page` and `per-page`: page 0 is page 1, and larger sizes than the maximum count as it (4.1). */
export function readPageBounds(sent: SentParameters, defaultSize: number, faults: Faults): PageBounds {
  const sizes = SIZE_PARAMETERS.flatMap((name) => sent.get(name) ?? []);
  const size = sizes.length > 0 ? sizes.join(',') : String(defaultSize);
  return {
    page: Math.max(1, faults.collect('page', () => parseWholeNumber(textOf(sent, 'page') ?? '1', 0)) ?? 1),
    perPage: Math.min(MAX_PER_PAGE, faults.collect('per-page', () => parseWholeNumber(size, 1)) ?? 1),
  };
}

/** Parses a day, a timestamp or Unix seconds (4.1). */
function parseSince(text: string | undefined): string[] {
  if (text === undefined) return [];
  const isUnix = /^\d{1,12}$/.test(text) && Number(text) <= MAX_UNIX_SECONDS;
  const since = isUnix ? new Date(Number(text) * 1000).toISOString() : text;
  const literal = parseLiteral({ type: 'timestamp' }, since);
  if (literal === 'NULL') throw new Error('no time is given');
  return [`modified >= ${literal}`];
}

function hidden({ rules }: ServedResource, sent: SentParameters): string[] {
  if (!rules.hides || rules.hides.unless.some((name) => sent.has(name))) return [];
  return [rules.hides.where];
}

/** Compiles the order: newest first by default, ties by descending id (4.1). */
function parseSort(
  resource: ServedResource,
  parts: readonly string[] | undefined,
  seesRates: boolean,
): Pick<ListQuery, 'order' | 'moment'> {
  const columns = sortableColumns(resource, seesRates);
  const parse = (term: string): SortTerm => {
    const name = term.replace(/^-/, '');
    const column = columns.get(name);
    if (column === undefined) throw new Error(`${JSON.stringify(name)} is not a field to sort by`);
    return { column, isDescending: term.startsWith('-') };
  };
  const terms = parts === undefined ? [{ column: 'created', isDescending: true }] : splitNames(parts).map(parse);
  const order = terms.map(({ column, isDescending }) => `${column} ${isDescending ? 'DESC' : 'ASC'} NULLS LAST`);
  const [first] = terms;
  return {
    order: [...order, `${resource.id} DESC`].join(', '),
    moment: first && resource.fields[first.column]?.isMoment ? first : undefined,
  };
}

function sortableColumns(resource: ServedResource, seesRates: boolean): ReadonlyMap<string, string> {
  const fields = Object.keys(resource.fields).filter((name) => isShown(resource, name, seesRates));
  return new Map([
    ...(hasOneDay(resource) ? [['start_date', 'date'] as const, ['end_date', 'date'] as const] : []),
    ...fields.map((name) => [name, sqlOfField(resource, name)] as const),
    ...Object.entries(resource.aliases).map(([alias, name]) => [alias, sqlOfField(resource, name)] as const),
    ...Object.entries(resource.rules.sorts ?? {}),
  ]);
}

/** @throws Error unless the text is a whole number from `least`. */
export function parseWholeNumber(text: string, least: number): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`${JSON.stringify(text)} is not a whole number from ${least}`);
}
