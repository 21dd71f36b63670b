import { type Days, type Period, readPeriod } from '../../../base/calendar/index.ts';
import { AppError } from '../../../base/index.ts';
import { stateParameter } from '../catalogue/as-of-state.ts';
import { planParameter } from '../catalogue/baseline.ts';
import { aliasesOf, type Catalogue, findReport, type Report } from '../catalogue/catalogue.ts';
import { type CutoffDays, chooseCutoff } from '../catalogue/cutoff.ts';
import { isRequired, openParameters, type ParameterReader, WINDOW_PARAMETERS } from '../catalogue/parameters.ts';
import { assertVisible, type Catalogues, chooseCatalogue, hiddenColumns } from '../catalogue/rates.ts';
import { dimensionsOf, fillDefaults } from './change-query.ts';
import { assertEarned, parseMeasures } from './parse-measures.ts';
import { type Comparing, type Grouping, lastDepth, type Presentation, type Query, type QueryOptions } from './query.ts';

/** The page size when only a page number is given. Unit: rows. */
const DEFAULT_PER_PAGE = 50;

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
  const catalogue = chooseCatalogue({ full, withoutRates }, options);
  const report = findReport(catalogue, name);
  const query = parseParameters(catalogue, report, sent, options);
  assertEarned(query, sent);
  return {
    ...query,
    selection: { ...query.selection, hidden },
    presentation: { ...query.presentation, aliases: hasAliases ? aliasesOf(catalogue, report) : [] },
  };
}

/**
 * Parses the parameters of a report.
 * @param catalogue The definitions that the reader may see.
 * @throws AppError usage, with one entry for each wrong parameter: name, sent value, allowed values.
 */
export function parseParameters(
  catalogue: Catalogue,
  report: Report,
  sent: Readonly<Record<string, string>>,
  options: QueryOptions,
): Query {
  const parameters = openParameters(catalogue, report, sent);
  const { value, list, entries, fail } = parameters;
  const window = parseWindow(parameters, sent, options);
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
  if (isRequired(report, 'group_by') && grouped.length === 0 && sent['group_by'] === undefined) {
    fail('group_by', `group_by is missing; give one or more of ${[...catalogue.dimensions.keys()].join(', ')}`);
  }
  const interval = parseInterval(parameters);
  const hasSubtotals = value('subtotals') === '1';
  if (hasSubtotals) checkSubtotals(parameters, sent, { dimensions, interval });
  const hasInsights = value('insights') === '1';
  if (hasInsights && interval) {
    fail('insights', `insights is about whole rows, so it takes no interval; leave one of them out`);
  }
  const shown = parseMeasures(parameters, catalogue, report, sent);
  const cutoff = chooseCutoff(value('cutoff_date'), window.endDate, cutoffDaysOf(report, options));
  const query: Query = {
    selection: {
      catalogue,
      report,
      seesRates: options.seesRates ?? true,
      part: options.part,
      contracts: options.company.contracts,
      bills: options.company.bills,
      hidden: [],
      ...window,
      cutoffDate: cutoff.date,
      cutoffReason: cutoff.reason,
      today: options.today,
      ofState: stateParameter(options.company.asOf),
      baseline: value('baseline') === undefined ? undefined : (options.baseline ?? failUnopened()),
      kinds: list('kind'),
      statuses: parameters.accepts('status') ? (list('status') ?? []) : defaultStatuses(catalogue),
      earned: shown.choice,
      filters,
      books: options.books,
      projects: undefined,
    },
    grouping: {
      dimensions,
      interval,
      across,
      rowDimensions: undefined,
      measures: shown.measures,
      hasSubtotals,
      includesEmpty: value('include_empty') === '1',
      hasAllPeriods: report.has_all_periods ?? false,
    },
    presentation: parsePresentation(parameters, sent, { fields: shown.fields, hasInsights }),
    number: undefined,
    compared: report.compares && parseCompared(parameters, report, sent),
    understood: fillDefaults(
      shown.understood(parameters.accepted),
      { ...sent, ...planParameter(options.baseline), ...parametersOfWindow(window) },
      cutoff.date,
    ),
  };
  parameters.finish();
  return query;
}

function parsePresentation(
  { value, list }: ParameterReader,
  sent: Readonly<Record<string, string>>,
  shown: Pick<Presentation, 'fields' | 'hasInsights'>,
): Presentation {
  return {
    ...shown,
    sort: list('sort')?.map((name) => ({ column: name.replace(/^-/, ''), isDescending: name.startsWith('-') })),
    page: Number(value('page') ?? 1),
    perPage: parsePerPage(sent, value('per-page')),
    cursor: value('cursor') || undefined,
    limit: sent['limit'] === undefined ? undefined : Number(value('limit')),
    hasLinks: value('links') === '1',
    hasCauses: value('causes') === '1',
    isStatement: value('statement') === '1',
    isExpanded: value('expand') !== undefined,
    aliases: [],
  };
}

/** Returns the days by which a report has its cutoff. A comparison counts by today, even if its window is closed: what that does is a cause of its own. */
function cutoffDaysOf({ compares }: Report, options: QueryOptions): CutoffDays {
  return compares ? { ...options, closings: [] } : options;
}

function parseCompared(
  { value, list, fail }: ParameterReader,
  report: Report,
  sent: Readonly<Record<string, string>>,
): Comparing {
  for (const name of ['from', 'measure'].filter((each) => isRequired(report, each) && sent[each] === undefined))
    fail(name, `${name} is missing; give ${MISSING_WORDS[name]}`);
  value('to');
  const onlyChanged = value('only_changed');
  return { causes: list('cause'), isOnlyChanged: onlyChanged === undefined ? undefined : onlyChanged === '1' };
}

const MISSING_WORDS: Readonly<Record<string, string>> = {
  from: 'the name of a kept state, a day for the newest state on or before it, or closings',
  measure: 'the measure whose difference the lines explain',
};

/** Returns the days of the window, whether they or a period are given; empty texts for those that are wrong. */
function parseWindow(parameters: ParameterReader, sent: Readonly<Record<string, string>>, days: CutoffDays): Days {
  const { value, fail } = parameters;
  const [startDate, endDate] = [value('start_date'), value('end_date')];
  const { period } = sent;
  if (period !== undefined) {
    const given = WINDOW_PARAMETERS.filter((name) => sent[name] !== undefined);
    if (given.length > 0)
      fail('period', `period stands for both days, so it takes no ${given.join(', ')}; give either`);
    const read = readPeriod(period, days.today, days.company);
    if ('days' in read) return read.days;
    fail('period', `period: ${JSON.stringify(period)} ${read.fault}`);
    return { startDate: '', endDate: '' };
  }
  if (sent['start_date'] === undefined) {
    const other = sent['end_date'] === undefined ? ', or a period instead of both days' : '';
    fail('start_date', `start_date is missing; give the first day as YYYY-MM-DD${other}`);
  }
  if (sent['end_date'] === undefined) fail('end_date', 'end_date is missing; give the last day as YYYY-MM-DD');
  if (startDate && endDate && endDate < startDate) {
    fail('end_date', `end_date ${endDate} is before start_date ${startDate}; give a later end or an earlier start`);
  }
  return { startDate: startDate ?? '', endDate: endDate ?? '' };
}

function parametersOfWindow({ startDate, endDate }: Days): Readonly<Record<string, string>> {
  return { start_date: startDate, end_date: endDate };
}

function failUnopened(): never {
  throw new AppError('internal', 'A report with a baseline was asked for without its state');
}

function parseInterval({ value }: ParameterReader): Grouping['interval'] {
  const interval = value('interval');
  return interval === undefined || interval === 'none' ? undefined : (interval as Period);
}

function checkSubtotals(
  { fail }: ParameterReader,
  sent: Readonly<Record<string, string>>,
  rows: Pick<Grouping, 'dimensions' | 'interval'>,
): void {
  if (rows.dimensions.length > 0 && lastDepth(rows) === 0)
    fail('subtotals', 'subtotals needs groups of rows; give group_by a second dimension, or an interval');
  const overlapping = rows.dimensions.filter(({ overlaps }) => overlaps).map(({ name }) => name);
  if (overlapping.length > 1)
    fail(
      'subtotals',
      `subtotals takes one dimension whose rows overlap; leave out all but one of ${overlapping.join(', ')}`,
    );
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

/** Returns the statuses of a request that can't choose them, as for the other tables of its workbook. */
function defaultStatuses({ parameters }: Catalogue): string[] {
  return parameters.get('status')?.default?.split(',') ?? [];
}
