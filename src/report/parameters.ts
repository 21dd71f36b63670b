import { AppError, type FieldError } from '../error.ts';
import type { Catalogue, Dimension, Measure, Parameter, Period, Report } from './catalogue.ts';
import { measuresOf } from './catalogue.ts';
import { findFault } from './parameter-values.ts';
import type { Interval } from './period.ts';

/** A filter that matches any of its values; `none` matches a missing one. */
export interface ReportFilter {
  readonly parameter: Parameter;
  /** The values, or SQL of their comma-separated text that is null without a filter. */
  readonly values: readonly string[] | { readonly expression: string };
}

export interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A validated request with all defaults filled in. */
export interface Query {
  readonly report: Report;
  readonly startDate: string;
  readonly endDate: string;
  readonly cutoffDate: string;
  /** Today in the account's time zone. */
  readonly today: string;
  readonly statuses: readonly string[];
  readonly filters: readonly ReportFilter[];
  readonly interval: Interval | undefined;
  readonly isExpanded: boolean;
  readonly includesEmpty: boolean;
  readonly dimensions: readonly Dimension[];
  readonly measures: readonly Measure[];
  readonly fields: readonly string[] | undefined;
  readonly sort: readonly Order[] | undefined;
  readonly page: number;
  readonly perPage: number | undefined;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
  /** The parameters as understood, by their public names. */
  readonly understood: Readonly<Record<string, string>>;
}

/** Parameters that a report takes only if it names them. */
const OPTIONAL = ['interval', 'expand', 'include_empty', 'group_by', 'measures', 'cursor', 'limit'];

/** The page size when only a page number is given. Unit: rows. */
export const DEFAULT_PER_PAGE = 50;

/** Returns the parameters of a report, in the catalogue's order. */
export function parametersOf(catalogue: Catalogue, report: Report): Parameter[] {
  return [...catalogue.parameters.values()].filter(
    ({ name }) => (!OPTIONAL.includes(name) || report.parameters?.includes(name)) && !report.without?.includes(name),
  );
}

/**
 * Parses the parameters of a request.
 * @param today The default cutoff: YYYY-MM-DD in the account's time zone.
 * @throws AppError usage, with one entry for each wrong parameter: name, sent value, allowed values.
 */
export function parseParameters(
  catalogue: Catalogue,
  report: Report,
  sent: Readonly<Record<string, string>>,
  today: string,
): Query {
  const parser = new Map(parametersOf(catalogue, report).map((parameter) => [parameter.name, parameter]));
  const errors: FieldError[] = [];
  const fail = (field: string, message: string): undefined => {
    errors.push({ field, message });
  };
  for (const name of Object.keys(sent)) {
    if (!parser.has(name))
      fail(name, `${name} is not a parameter of ${report.name}; it takes ${[...parser.keys()].join(', ')}`);
  }
  const value = (name: string): string | undefined => {
    const text = sent[name] ?? parser.get(name)?.default;
    const parameter = parser.get(name);
    if (parameter === undefined || text === undefined) return undefined;
    const message = findFault(parameter, text);
    return message ? fail(name, message) : text;
  };
  const list = (name: string): string[] | undefined => {
    const text = value(name);
    return text === undefined ? undefined : [...new Set(text.split(','))];
  };

  const [startDate, endDate] = [value('start_date'), value('end_date')];
  if (sent['start_date'] === undefined) fail('start_date', 'start_date is missing; give the first day as YYYY-MM-DD');
  if (sent['end_date'] === undefined) fail('end_date', 'end_date is missing; give the last day as YYYY-MM-DD');
  if (startDate && endDate && endDate < startDate) {
    fail('end_date', `end_date ${endDate} is before start_date ${startDate}; give a later end or an earlier start`);
  }
  const filters = [...parser.values()]
    .filter(({ filter }) => filter)
    .flatMap((parameter) => {
      const values = list(parameter.name);
      return values ? [{ parameter, values }] : [];
    });
  const interval = value('interval');
  const dimensions = report.rows
    ? report.rows.map((name) => catalogue.dimensions.get(name)).filter(isDefined)
    : parseNames('group_by', list('group_by'), catalogue.dimensions, fail);
  if (!report.rows && report.lines && dimensions.length === 0 && sent['group_by'] === undefined) {
    fail('group_by', `group_by is missing; give one or more of ${[...catalogue.dimensions.keys()].join(', ')}`);
  }
  const offered = measuresOf(catalogue, report);
  const chosen = parseNames(
    'measures',
    list('measures'),
    new Map(offered.map((measure) => [measure.name, measure])),
    fail,
  );
  const query: Query = {
    report,
    startDate: startDate ?? '',
    endDate: endDate ?? '',
    cutoffDate: value('cutoff_date') ?? today,
    today,
    statuses: list('status') ?? [],
    filters,
    interval: interval === undefined || interval === 'none' ? undefined : (interval as Period),
    isExpanded: value('expand') !== undefined,
    includesEmpty: value('include_empty') === '1',
    dimensions,
    measures: chosen.length > 0 ? chosen : offered,
    fields: list('fields'),
    sort: list('sort')?.map((name) => ({ column: name.replace(/^-/, ''), isDescending: name.startsWith('-') })),
    page: Number(value('page') ?? 1),
    perPage: parsePerPage(sent, value('per-page')),
    cursor: value('cursor') || undefined,
    limit: sent['limit'] === undefined ? undefined : Number(value('limit')),
    understood: {},
  };
  throwFaults(report, errors);
  const defaults = Object.fromEntries(
    [...parser.values()].flatMap(({ name, default: text }) => (text === undefined ? [] : [[name, text]])),
  );
  const cutoff = parser.has('cutoff_date') ? { cutoff_date: query.cutoffDate } : {};
  return { ...query, understood: { ...defaults, ...sent, ...cutoff } };
}

/**
 * Checks that the requested columns exist.
 * @throws AppError usage for unknown columns.
 */
export function checkColumns(query: Query, names: readonly string[], sortable = names): void {
  const errors: FieldError[] = [];
  const check = (field: string, wanted: readonly string[], known: readonly string[]) => {
    for (const name of wanted) {
      if (!known.includes(name)) {
        errors.push({ field, message: `${field} names "${name}"; the columns are ${known.join(', ')}` });
      }
    }
  };
  check('fields', query.fields ?? [], names);
  check(
    'sort',
    (query.sort ?? []).map(({ column }) => column),
    sortable,
  );
  throwFaults(query.report, errors);
}

/** Returns the page size; undefined, for all rows, unless a page or a size is given. */
function parsePerPage(sent: Readonly<Record<string, string>>, perPage: string | undefined): number | undefined {
  if (sent['per-page'] !== undefined) return Number(perPage);
  return sent['page'] === undefined ? undefined : DEFAULT_PER_PAGE;
}

function throwFaults(report: Report, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw new AppError('usage', errors.map(({ message }) => message).join('; '), {
    fields: errors,
    hint: `plumbline report ${report.name} --help lists every parameter.`,
  });
}

function parseNames<T>(
  field: string,
  names: readonly string[] | undefined,
  known: ReadonlyMap<string, T>,
  fail: (field: string, message: string) => void,
): T[] {
  const found: T[] = [];
  for (const name of names ?? []) {
    const entry = known.get(name);
    if (entry === undefined) fail(field, `${field}: "${name}" is not one of ${[...known.keys()].join(', ')}`);
    else found.push(entry);
  }
  return found;
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
