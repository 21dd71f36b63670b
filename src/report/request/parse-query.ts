import {
  aliasesOf,
  type Catalogue,
  type Dimension,
  findReport,
  measuresOf,
  type Parameter,
  type Period,
  type Report,
} from '../catalogue/catalogue.ts';
import { type CutoffDays, chooseCutoff } from '../catalogue/cutoff.ts';
import { openParameters, type ParameterReader, parametersOf } from '../catalogue/parameters.ts';
import { assertVisible, type Catalogues, hiddenColumns } from '../catalogue/rates.ts';
import { lastDepth, type Query, type QueryOptions } from './query.ts';

/** The page size when only a page number is given. Unit: rows. */
const DEFAULT_PER_PAGE = 50;

/** Parameters other than filters that choose the lines of a report. */
const WINDOW = ['start_date', 'end_date', 'cutoff_date', 'status'];

/**
 * Parses a request for a report.
 * @param sent The parameters as texts.
 * @throws AppError unknown for an unknown report, usage for wrong parameters, forbidden for a hidden column.
 */
export function parseQuery(
  { full, withoutRates }: Catalogues,
  name: string,
  sent: Readonly<Record<string, string>>,
  options: QueryOptions,
): Query {
  const { seesRates = true, hasAliases = false } = options;
  const hidden = seesRates ? [] : hiddenColumns(full, findReport(full, name));
  assertVisible(sent, hidden);
  const catalogue = seesRates ? full : withoutRates;
  const report = findReport(catalogue, name);
  const aliases = hasAliases ? aliasesOf(catalogue, report) : [];
  return { ...parseParameters(catalogue, report, sent, options), seesRates, hidden, aliases };
}

/**
 * Parses the parameters of a report for a reader of the whole catalogue.
 * @throws AppError usage, with one entry for each wrong parameter: name, sent value, allowed values.
 */
export function parseParameters(
  catalogue: Catalogue,
  report: Report,
  sent: Readonly<Record<string, string>>,
  days: CutoffDays,
): Query {
  const parameters = openParameters(catalogue, report, sent);
  const { value, list, entries, fail } = parameters;
  const window = parseWindow(parameters, sent);
  const filters = parameters.accepted
    .filter(({ filter }) => filter)
    .flatMap((parameter) => {
      const values = list(parameter.name);
      return values ? [{ parameter, values }] : [];
    });
  const across = entries('columns', catalogue.dimensions);
  const grouped = report.rows ? dimensionsOf(catalogue, report) : entries('group_by', catalogue.dimensions);
  const dimensions = grouped.filter((dimension) => !across.includes(dimension));
  if (grouped.length > 0 && dimensions.length === 0) {
    fail('columns', `columns takes ${sent['columns']} out of group_by, which needs another dimension for its rows`);
  }
  if (!report.rows && report.lines && grouped.length === 0 && sent['group_by'] === undefined) {
    fail('group_by', `group_by is missing; give one or more of ${[...catalogue.dimensions.keys()].join(', ')}`);
  }
  const interval = parseInterval(parameters);
  const hasSubtotals = value('subtotals') === '1';
  if (hasSubtotals) checkSubtotals(parameters, sent, { dimensions, interval });
  const offered = measuresOf(catalogue, report);
  const chosen = entries('measures', new Map(offered.map((measure) => [measure.name, measure])));
  const cutoff = chooseCutoff(value('cutoff_date'), days);
  const query: Query = {
    catalogue,
    report,
    seesRates: true,
    hidden: [],
    aliases: [],
    ...window,
    cutoffDate: cutoff.date,
    cutoffReason: cutoff.reason,
    today: days.today,
    statuses: parameters.accepts('status') ? (list('status') ?? []) : defaultStatuses(catalogue),
    filters,
    interval,
    isExpanded: value('expand') !== undefined,
    includesEmpty: value('include_empty') === '1',
    dimensions,
    across,
    hasSubtotals,
    measures: chosen.length > 0 ? chosen : offered,
    hasLinks: value('links') === '1',
    number: undefined,
    fields: list('fields'),
    sort: list('sort')?.map((name) => ({ column: name.replace(/^-/, ''), isDescending: name.startsWith('-') })),
    page: Number(value('page') ?? 1),
    perPage: parsePerPage(sent, value('per-page')),
    cursor: value('cursor') || undefined,
    limit: sent['limit'] === undefined ? undefined : Number(value('limit')),
    understood: fillDefaults(parameters.accepted, sent, cutoff.date),
  };
  parameters.finish();
  return query;
}

/** Returns a query for another report, of the lines of a query as far as that report takes its parameters. */
export function queryOther(query: Query, report: Report): Query {
  const { catalogue } = query;
  const accepted = parametersOf(catalogue, report);
  const names = accepted.filter(({ name, filter }) => filter || WINDOW.includes(name)).map(({ name }) => name);
  const sent = Object.entries(query.understood).filter(([name]) => names.includes(name));
  return {
    ...query,
    report,
    aliases: [],
    filters: query.filters.filter(({ parameter }) => names.includes(parameter.name)),
    interval: undefined,
    isExpanded: false,
    includesEmpty: false,
    dimensions: dimensionsOf(catalogue, report),
    across: [],
    hasSubtotals: false,
    measures: measuresOf(catalogue, report),
    hasLinks: false,
    number: undefined,
    fields: undefined,
    sort: undefined,
    page: 1,
    perPage: undefined,
    cursor: undefined,
    limit: undefined,
    understood: fillDefaults(accepted, Object.fromEntries(sent), query.cutoffDate),
  };
}

function parseWindow(
  { value, fail }: ParameterReader,
  sent: Readonly<Record<string, string>>,
): Pick<Query, 'startDate' | 'endDate'> {
  const [startDate, endDate] = [value('start_date'), value('end_date')];
  if (sent['start_date'] === undefined) fail('start_date', 'start_date is missing; give the first day as YYYY-MM-DD');
  if (sent['end_date'] === undefined) fail('end_date', 'end_date is missing; give the last day as YYYY-MM-DD');
  if (startDate && endDate && endDate < startDate) {
    fail('end_date', `end_date ${endDate} is before start_date ${startDate}; give a later end or an earlier start`);
  }
  return { startDate: startDate ?? '', endDate: endDate ?? '' };
}

function parseInterval({ value }: ParameterReader): Query['interval'] {
  const interval = value('interval');
  return interval === undefined || interval === 'none' ? undefined : (interval as Period);
}

function checkSubtotals(
  { fail }: ParameterReader,
  sent: Readonly<Record<string, string>>,
  rows: Pick<Query, 'dimensions' | 'interval'>,
): void {
  if (rows.dimensions.length > 0 && lastDepth(rows) === 0)
    fail('subtotals', 'subtotals needs groups of rows; give group_by a second dimension, or an interval');
  const paged = ['page', 'per-page'].filter((name) => sent[name] !== undefined);
  if (paged.length > 0)
    fail(
      'subtotals',
      `subtotals takes all rows of each group, so it takes no ${paged.join(', ')}; leave one of them out`,
    );
}

/** Returns the page size; undefined, for all rows, unless a page or a size is given. */
function parsePerPage(sent: Readonly<Record<string, string>>, perPage: string | undefined): number | undefined {
  if (sent['per-page'] !== undefined) return Number(perPage);
  return sent['page'] === undefined ? undefined : DEFAULT_PER_PAGE;
}

/** Returns the parameters as understood: defaults, sent texts and the cutoff. */
function fillDefaults(
  accepted: readonly Parameter[],
  sent: Readonly<Record<string, string>>,
  cutoffDate: string,
): Record<string, string> {
  const defaults = accepted.flatMap(({ name, default: text }) => (text === undefined ? [] : [[name, text]]));
  const hasCutoff = accepted.some(({ name }) => name === 'cutoff_date');
  return { ...Object.fromEntries(defaults), ...sent, ...(hasCutoff && { cutoff_date: cutoffDate }) };
}

/** Returns the dimensions that a report's definition names. */
export function dimensionsOf({ dimensions }: Catalogue, { rows = [] }: Report): Dimension[] {
  return rows.flatMap((name) => dimensions.get(name) ?? []);
}

/** Returns the statuses of a request that can't choose them, as for the other tables of its workbook. */
function defaultStatuses({ parameters }: Catalogue): string[] {
  return parameters.get('status')?.default?.split(',') ?? [];
}
