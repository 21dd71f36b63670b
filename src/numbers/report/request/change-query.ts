import { type Catalogue, type Dimension, measuresOf, type Parameter, type Report } from '../catalogue/catalogue.ts';
import { parametersOf } from '../catalogue/parameters.ts';
import type { ChosenPart } from './part.ts';
import type { Grouping, NumberQuery, Presentation, Query, Selection } from './query.ts';

/** Parameters other than filters that choose the lines of a report. */
const WINDOW = ['period', 'start_date', 'end_date', 'cutoff_date', 'status', 'baseline'];

/** All columns and rows in the report's own order, with nothing added. */
export const PLAIN: Presentation = {
  fields: undefined,
  sort: undefined,
  page: 1,
  perPage: undefined,
  cursor: undefined,
  limit: undefined,
  hasLinks: false,
  hasInsights: false,
  hasCauses: false,
  isStatement: false,
  isExpanded: false,
  aliases: [],
};

/** Returns a query for another report, of the lines of a query as far as that report takes its parameters. */
export function queryOther({ selection, understood }: Query, report: Report): Query {
  const { catalogue, filters, cutoffDate } = selection;
  const accepted = parametersOf(catalogue, report);
  const names = accepted.filter(({ name, filter }) => filter || WINDOW.includes(name)).map(({ name }) => name);
  const sent = Object.entries(understood).filter(([name]) => names.includes(name));
  return {
    selection: { ...selection, report, filters: filters.filter(({ parameter }) => names.includes(parameter.name)) },
    grouping: {
      dimensions: dimensionsOf(catalogue, report),
      interval: undefined,
      across: [],
      rowDimensions: undefined,
      measures: measuresOf(catalogue, report),
      hasSubtotals: false,
      includesEmpty: false,
      hasAllPeriods: report.has_all_periods ?? false,
    },
    presentation: PLAIN,
    number: undefined,
    compared: undefined,
    understood: fillDefaults(accepted, Object.fromEntries(sent), cutoffDate),
  };
}

/** Returns a query for the rows of a nested report: as those of a query, in the groups of that report. */
export function queryNested(query: Query, report: Report): Query {
  const { measures, interval, includesEmpty } = query.grouping;
  const { hasLinks } = query.presentation;
  const other = queryOther(query, report);
  return {
    ...regroup(other, { measures, interval, includesEmpty }, { ...PLAIN, hasLinks }),
    understood: { ...other.understood, ...(includesEmpty && { include_empty: '1' }) },
  };
}

export function withoutNested(query: Query): Query {
  const { expand: _, ...understood } = query.understood;
  return { ...present(query, { isExpanded: false }), understood };
}

/** Returns a query for other lines in the same groups. */
export function reselect<Any extends Query>(query: Any, change: Partial<Selection>): Any {
  return { ...query, selection: { ...query.selection, ...change } };
}

/** Returns a query for the same lines in other groups. @param presentation Default: plain, as columns and rows are others. */
export function regroup<Any extends Query>(query: Any, change: Partial<Grouping>, presentation = PLAIN): Any {
  return { ...query, grouping: { ...query.grouping, ...change }, presentation };
}

/** Returns a query for the same rows, shown in another way. */
export function present(query: Query, change: Partial<Presentation>): Query {
  return { ...query, presentation: { ...query.presentation, ...change } };
}

/** Returns the query of a part of a number. */
export function narrow(number: NumberQuery, part: ChosenPart): NumberQuery {
  const parts = [...number.parts, part];
  const text = parts.map(({ by, key }) => `${by}:${key ?? ''}`).join(',');
  return { ...number, parts, understood: { ...number.understood, part: text } };
}

/** Returns the parameters as understood: defaults, sent texts and the cutoff. */
export function fillDefaults(
  accepted: readonly Parameter[],
  sent: Readonly<Record<string, string>>,
  cutoffDate: string,
): Record<string, string> {
  const defaults = accepted.flatMap(({ name, default: text }) => (text === undefined ? [] : [[name, text]]));
  const hasCutoff = accepted.some(({ name }) => name === 'cutoff_date');
  return { ...Object.fromEntries(defaults), ...sent, ...(hasCutoff && { cutoff_date: cutoffDate }) };
}

export function dimensionsOf({ dimensions }: Catalogue, { rows = [] }: Report): Dimension[] {
  return rows.flatMap((name) => dimensions.get(name) ?? []);
}
