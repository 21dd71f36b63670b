/*
 * Text becomes a query: `parse-query` reads the parameters of a report, this file those of one number.
 * A query is a Selection of lines, their Grouping and their Presentation (`query`).
 * `change-query` makes every other query of the same lines.
 * Other parts import this file.
 */
import { type Days, isDay } from '../../../base/calendar/index.ts';
import { AppError, listNames } from '../../../base/index.ts';
import { needsBaseline } from '../catalogue/baseline.ts';
import { type Catalogue, findReport, offeredMeasures, type Report, summingReports } from '../catalogue/catalogue.ts';
import {
  countedIn,
  describeParts,
  hasOwnRates,
  isNumber,
  partsOfNumber,
  termsOf,
} from '../catalogue/measure-meaning.ts';
import { FORM_PARAMETERS, isRequired } from '../catalogue/parameters.ts';
import { assertVisible, type Catalogues, chooseCatalogue, hiddenColumns } from '../catalogue/rates.ts';
import { regroup, reselect } from './change-query.ts';
import { parseParameters, parseQuery } from './parse-query.ts';
import { parseParts } from './part.ts';
import type { NumberQuery, Query, QueryOptions, ReportFilter } from './query.ts';

export { assertSameVersion, cursorAfter, dataVersionOfCursor, LINE_ORDER, parsePlace } from './line-cursor.ts';
export type { Presentation, Query, QueryOptions } from './query.ts';

const DEFAULT_REPORT = 'pivot';

/** The keys of a row, its first and its last day, and the part of its number. */
const OF_ROW = ['row', 'period_start', 'period_end', 'part'];

/** Parameters of every number, beside those of its report. */
const OF_NUMBER = ['report', 'measure', ...OF_ROW];

/** Parameters that choose how rows and lines are shown, and no number. */
const SHOWING = [...FORM_PARAMETERS, 'interval', 'bridge', 'measures'];

/** Returns whether a parameter chooses a number: its report, its measure, the lines that it sums, or the keys of its row. */
export function choosesNumber(parameter: string): boolean {
  return !SHOWING.includes(parameter);
}

/**
 * Parses a request for a report; with the parameter measure, it is for the lines behind a number.
 * @throws AppError unknown for an unknown report, usage for wrong parameters, forbidden for a hidden column.
 */
export function parseReportRequest(
  catalogues: Catalogues,
  name: string,
  sent: Readonly<Record<string, string>>,
  options: QueryOptions,
): Query {
  const query = parseQuery(catalogues, name, sent, options);
  if (sent['measure'] === undefined || query.compared) return query;
  if (sent['kind'] !== undefined)
    throw wrong('kind', 'kind: measure has lines of its own kinds', {
      hint: 'Give part=kind:NAME to see those of one.',
    });
  const chosen = Object.fromEntries(Object.entries(sent).filter(([parameter]) => choosesNumber(parameter)));
  const number = parseNumberQuery(catalogues, chosen, options);
  const [measure] = number.grouping.measures;
  const operands = measure ? partsOfNumber(measure) : [];
  if (!measure || operands.length === 0) return { ...query, number };
  throw wrong('measure', `measure: ${measure.name} is ${describeParts(measure)}`, {
    hint: `Give ${operands.join(' or ')}.`,
  });
}

/**
 * Parses a request for one number: a measure of a report's row, of which the filters are the row's keys.
 * @param sent The report, the measure, and the parameters of the report. Without a report, the number is of all lines that the filters let through.
 * @throws AppError usage for wrong parameters, forbidden for a measure that reveals a cost.
 */
export function parseNumberQuery(
  { full, withoutRates }: Catalogues,
  sent: Readonly<Record<string, string>>,
  options: QueryOptions,
): NumberQuery {
  const { seesRates = true, baseline } = options;
  const { report: name = DEFAULT_REPORT, measure: measureName } = sent;
  const summing = summingReports(full);
  const asked = summing.find((report) => report.name === name);
  if (!asked) throw wrong('report', `report: ${JSON.stringify(name)} is not ${oneOf(name, summing)}`);
  assertChoosing(sent);
  assertVisible(sent, seesRates ? [] : hiddenColumns(full, asked));
  const catalogue = chooseCatalogue({ full, withoutRates }, options);
  const report = rowsOf(catalogue, name, sent['group_by']);
  const offered = offeredMeasures(catalogue, report).filter(isNumber);
  const measure = offered.find((each) => each.name === measureName);
  if (!measure) {
    const fault = measureName === undefined ? ' is missing; give' : `: ${JSON.stringify(measureName)} is not`;
    throw wrong('measure', `measure${fault} ${oneOf(measureName, offered)}`);
  }
  if (!baseline && needsBaseline(catalogue, termsOf(measure)))
    throw wrong('measure', `measure: ${measure.name} is empty without a baseline`, { hint: 'Give baseline, too.' });
  const passed = Object.entries(sent).filter(([parameter]) => !OF_NUMBER.includes(parameter));
  const query = parseParameters(catalogue, report, Object.fromEntries(passed), options);
  const own = Object.entries(sent).filter(([parameter]) => OF_ROW.includes(parameter));
  const rowFilters = parseKeys(catalogue, report, query, sent['row'], options);
  const filters = hasOwnRates(measure) ? query.selection.filters : [...query.selection.filters, ...rowFilters];
  return {
    ...regroup(reselect(query, { filters }), {
      measures: [countedIn(measure, query.selection.earned)],
      interval: undefined,
    }),
    understood: { ...query.understood, ...Object.fromEntries(own) },
    row: parsePeriod(sent, query.selection),
    rowFilters,
    parts: parseParts(sent['part'], measure),
  };
}

/** Returns the filters of a row's keys. @throws AppError usage for a text that names anything but filters of the report. */
function parseKeys(
  catalogue: Catalogue,
  report: Report,
  { selection: { startDate, endDate } }: Query,
  text: string | undefined,
  options: QueryOptions,
): readonly ReportFilter[] {
  const keys = Object.fromEntries(new URLSearchParams(text));
  const other = Object.keys(keys).find((name) => !catalogue.parameters.get(name)?.filter);
  if (other !== undefined) throw wrong('row', `row: "${other}" is no filter; give keys such as project_id=501`);
  const groups = isRequired(report, 'group_by') ? { group_by: [...catalogue.dimensions.keys()][0] ?? '' } : {};
  const sent = { start_date: startDate, end_date: endDate, ...groups, ...keys };
  return parseParameters(catalogue, report, sent, options).selection.filters;
}

/** Returns the days of the row. @throws AppError usage for a period that isn't a part of the window. */
function parsePeriod(sent: Readonly<Record<string, string>>, { startDate, endDate }: Days): Days {
  const { period_start: start = startDate, period_end: end = endDate } = sent;
  for (const [field, day] of [
    ['period_start', start],
    ['period_end', end],
  ] as const) {
    if (!isDay(day) || day < startDate || day > endDate) {
      throw wrong(field, `${field}: ${JSON.stringify(day)} is not a day of the window, ${startDate} to ${endDate}`);
    }
  }
  if (end < start) throw wrong('period_end', `period_end ${end} is before period_start ${start}`);
  return { startDate: start, endDate: end };
}

/** Returns the report; without the dimensions of its rows, it has the one row of the totals. */
function rowsOf(catalogue: Catalogue, name: string, groupBy: string | undefined): Report {
  const report = findReport(catalogue, name);
  return report.rows || groupBy !== undefined ? report : { ...report, rows: [] };
}

/** @throws AppError usage for parameters that only show a number, which would be ignored. */
function assertChoosing(sent: Readonly<Record<string, string>>): void {
  const fields = Object.keys(sent)
    .filter((parameter) => !choosesNumber(parameter))
    .map((field) => ({ field, message: `${field} chooses how a report is shown, and no number` }));
  if (fields.length === 0) return;
  const message = fields.map((each) => each.message).join('; ');
  throw new AppError('usage', message, { fields, hint: `Leave out ${fields.map(({ field }) => field).join(', ')}.` });
}

function oneOf(text: string | undefined, known: readonly { readonly name: string }[]): string {
  const names = known.map(({ name }) => name);
  return `one of ${listNames(text ?? '', names)}`;
}

function wrong(field: string, message: string, context: { readonly hint?: string } = {}): AppError {
  return new AppError('usage', message, { fields: [{ field, message }], ...context });
}
