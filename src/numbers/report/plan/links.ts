import type { Value } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Dimension, Parameter } from '../catalogue/catalogue.ts';
import { MISSING, writeItem } from '../catalogue/list-item.ts';
import { hasOwnRates } from '../catalogue/measure-meaning.ts';
import { periodEnd } from '../catalogue/period.ts';
import type { Column } from '../catalogue/table.ts';
import { choosesNumber } from '../request/number.ts';
import type { Query, Selection } from '../request/query.ts';
import type { SqlColumn } from '../source/sql-columns.ts';
import type { SummaryPlan } from '../source/summary-plan.ts';

/** The column with the query that lists the lines behind a row. */
export const LINK_COLUMN: Column = {
  name: '_lines',
  label: 'Lines',
  unit: 'text',
  description: 'The query that lists the lines behind a number of the row: add &measure=NAME to it.',
  needsRates: false,
  better: undefined,
};

/** Returns the columns that find a row's lines: for each parameter, its value on the row. */
export function linkColumns({ query, querySql, keys }: SummaryPlan): SqlColumn[] {
  if (!query.presentation.hasLinks) return [];
  const filters = keys.flatMap(({ name, dimension, period }) =>
    dimension && !period
      ? [{ name: parameterOf(query.selection, dimension).name, expression: `row_keys.${name}` }]
      : [],
  );
  const periods = keys.flatMap(({ name, period }) => (period ? [{ period, start: `row_keys.${name}` }] : []));
  if (periods.length === 0) return filters.map(linked);
  const starts = [querySql.start, ...periods.map(({ start }) => start)];
  const ends = [querySql.end, ...periods.map(({ period, start }) => periodEnd(period, start))];
  const window = [
    { name: 'period_start', expression: `GREATEST(${starts.join(', ')})` },
    { name: 'period_end', expression: `LEAST(${ends.join(', ')})` },
  ];
  return [...filters, ...window].map(linked);
}

/**
 * Returns a function that writes the query for the lines of a row.
 * @param columns The link columns; the function takes their values on the row, or none for the totals.
 */
export function linkWriter(query: Query, columns: readonly SqlColumn[]): (values?: readonly Value[]) => string {
  const shared = shownParameters(query);
  const isApart = query.grouping.measures.some(hasOwnRates) || isFilteredTwice(query);
  const names = columns.map(({ name }) => name.slice(LINKED.length));
  return (values = []) => {
    const own = values.map((value, index) => [names[index] ?? '', formatKey(value)]);
    return formatLink({ ...shared, ...(isApart ? asRow(own) : Object.fromEntries(own)) });
  };
}

/** Tests whether the parameter of a row's key filters already, by another of the values that a line has. */
function isFilteredTwice({ selection, grouping }: Query): boolean {
  return grouping.dimensions.some((dimension) => {
    if (!dimension.overlaps) return false;
    const own = parameterOf(selection, dimension);
    return selection.filters.some(({ parameter }) => parameter === own);
  });
}

/** Returns a row's keys apart from the filters of its report: whose lines have the rates of an effect, or that filter twice. */
function asRow(own: readonly (readonly string[])[]): Record<string, string> {
  const isPeriod = ([name = '']: readonly string[]) => name.startsWith('period_');
  const keys = new URLSearchParams(Object.fromEntries(own.filter((entry) => !isPeriod(entry)))).toString();
  return { ...(keys && { row: keys }), ...Object.fromEntries(own.filter(isPeriod)) };
}

/**
 * Returns the query for the lines of a measure.
 * @param keys Values of further filters, by parameter: one, or several.
 */
export function linkNumber(query: Query, measure: string, keys: LinkKeys = {}): string {
  const own = Object.entries(keys).map(([name, value]) => [name, [value].flat().map(formatKey).join(',')]);
  return formatLink({ ...shownParameters(query), ...Object.fromEntries(own), measure });
}

type LinkKeys = Readonly<Record<string, Value | readonly string[]>>;

/** Returns the parameters that choose the lines of a query, as far as they aren't the default. Its days are fixed, whatever their period. */
function shownParameters({ selection: { catalogue, report, ofState }, understood }: Query): Record<string, string> {
  const sent = Object.entries(understood).filter(
    ([name, value]) => name !== 'period' && choosesNumber(name) && catalogue.parameters.get(name)?.default !== value,
  );
  return { report: report.name, ...ofState, ...Object.fromEntries(sent) };
}

function formatLink(parameters: Readonly<Record<string, string>>): string {
  return `/v3/reports/lines?${new URLSearchParams(parameters)}`;
}

const LINKED = 'linked_';

function linked({ name, expression }: SqlColumn): SqlColumn {
  return { name: `${LINKED}${name}`, expression };
}

/** Returns the parameter that filters by a dimension: one that isn't given, if there is one and a line has several of its values. */
function parameterOf({ catalogue, filters }: Selection, { name, line, overlaps }: Dimension): Parameter {
  const parameters = [...catalogue.parameters.values()].filter(({ filter }) => filter === line);
  const free = parameters.find((parameter) => !overlaps || filters.every((filter) => filter.parameter !== parameter));
  const [parameter] = free ? [free] : parameters;
  if (!parameter) throw new AppError('internal', `no parameter filters by ${name}`);
  return parameter;
}

function formatKey(value: Value): string {
  if (value === null) return MISSING;
  return typeof value === 'boolean' ? String(Number(value)) : writeItem(String(value));
}
