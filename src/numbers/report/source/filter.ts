import { quoteText } from '../../../base/database/index.ts';
import type { Report } from '../catalogue/catalogue.ts';
import { MISSING, readItem } from '../catalogue/list-item.ts';
import { areIds } from '../catalogue/typed-parameters.ts';
import type { ReportFilter, Selection } from '../request/query.ts';
import { LOOKUPS } from './lookups.ts';
import { type StateSource, stateSource } from './state-source.ts';

/** Returns the column of a line, or of a population's member, that a filter tests. */
export function columnOfFilter(filter: ReportFilter, report: Report): string {
  const [relation, column] = targetOf(filter, report);
  return LOOKUPS[relation]?.key ?? column;
}

/**
 * Returns the filters of a selection as SQL conditions over the rows called `alias`.
 * @param source The data that has the attributes. Default: that of the selection.
 */
export function filterConditions(selection: Selection, alias: string, source = stateSource(selection)): string[] {
  const { filters, report } = selection;
  return filters.map((filter) => buildCondition(filter, report, alias, source));
}

/** Returns the filter as an SQL condition over the rows called `alias`. @param source The data that has the attributes. */
export function buildCondition(filter: ReportFilter, report: Report, alias: string, source: StateSource): string {
  const [relation, column] = targetOf(filter, report);
  const condition = anyOf(matchesOf(filter, alias, column, LOOKUPS[relation], source));
  return 'expression' in filter.values ? `(${filter.values.expression} IS NULL OR ${condition})` : condition;
}

export function isNotGiven({ values }: ReportFilter): string {
  return 'expression' in values ? `${values.expression} IS NULL` : 'FALSE';
}

function matchesOf(
  filter: ReportFilter,
  alias: string,
  column: string,
  found: (typeof LOOKUPS)[string] | undefined,
  source: StateSource,
): string[] {
  if (!found) return isAnyOf(filter, `${alias}.${column}`);
  const key = `${alias}.${found.key}`;
  const select = `SELECT ${found.key} FROM ${source.relation(found.relation)}`;
  if (found.relation.endsWith('_tags')) {
    const tagged = isListed(filter, column).map((listed) => `${key} IN (${select} WHERE ${listed})`);
    return [...tagged, ...ifMissing(filter, [`${key} IS NULL`, `${key} NOT IN (${select})`])];
  }
  return [`${key} IN (${select} WHERE ${anyOf(isAnyOf(filter, column))})`, ...ifMissing(filter, [`${key} IS NULL`])];
}

function targetOf(filter: ReportFilter, report: Report): [relation: string, column: string] {
  const target = filter.parameter.filter === 'row.active' ? report.active : filter.parameter.filter;
  const [relation = '', column = ''] = (target ?? '').split('.');
  return [relation, column];
}

function isAnyOf(filter: ReportFilter, column: string): string[] {
  const zero = filter.parameter.zero_is_none ? [`${column} = 0`] : [];
  return [...isListed(filter, column), ...ifMissing(filter, [`${column} IS NULL`, ...zero])];
}

/** Returns the condition that a column has one of the given values; empty if none is possible. */
function isListed({ parameter, values }: ReportFilter, column: string): string[] {
  // Ids are compared as numbers, and tags are trimmed and lower-cased on load.
  if ('expression' in values) {
    const given = values.expression;
    if (areIds(parameter)) return [`list_contains(CAST(${given} AS BIGINT[]), ${column})`];
    if (parameter.values === 'flags') return [`list_contains(CAST(${given} AS BOOLEAN[]), ${column})`];
    const texts = parameter.values === 'texts' ? `list_transform(${given}, lambda item_: lower(trim(item_)))` : given;
    return [`list_contains(${texts}, CAST(${column} AS VARCHAR))`];
  }
  const literal = (value: string): string => {
    if (areIds(parameter)) return value;
    if (parameter.values === 'flags') return String(value === '1');
    return parameter.values === 'texts' ? `lower(${quoteText(readItem(value).trim())})` : quoteText(value);
  };
  const listed = values.filter((value) => value !== MISSING).map(literal);
  return listed.length > 0 ? [`${column} IN (${listed.join(', ')})`] : [];
}

/** Returns conditions that apply only if missing values were requested. */
function ifMissing({ values }: ReportFilter, conditions: readonly string[]): string[] {
  if ('expression' in values) {
    return [`list_count(${values.expression}) < len(${values.expression}) AND ${anyOf(conditions)}`];
  }
  return values.includes(MISSING) ? [...conditions] : [];
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' OR ')})`;
}
