import { quoteText } from '../../database/database.ts';
import type { Report } from '../catalogue/catalogue.ts';
import { MISSING, readItem } from '../catalogue/list-item.ts';
import { areIds } from '../catalogue/typed-parameters.ts';
import type { ReportFilter, Selection } from '../request/query.ts';
import { lookup } from './compared-lines.ts';

interface Lookup {
  readonly relation: string;
  readonly key: string;
}

/** Relations of filter attributes, each with its key on a line; `none` matches a line without the key. */
const RELATIONS: Readonly<Record<string, Lookup>> = {
  project: { relation: 'core.named_projects', key: 'project_id' },
  person: { relation: 'core.named_people', key: 'people_id' },
  project_tags: { relation: 'marts.project_tags', key: 'project_id' },
  people_tags: { relation: 'marts.people_tags', key: 'people_id' },
};

/** Returns the column of a line, or of a population's member, that a filter tests. */
export function columnOfFilter(filter: ReportFilter, report: Report): string {
  const [relation, column] = targetOf(filter, report);
  return RELATIONS[relation]?.key ?? column;
}

/**
 * Returns the filters of a selection as SQL conditions over the rows called `alias`.
 * @param catalog Qualifies the relations of another state: empty, or a name and a point.
 */
export function filterConditions(
  { filters, report, baseline }: Pick<Selection, 'filters' | 'report' | 'baseline'>,
  alias: string,
  catalog = '',
): string[] {
  const from = (relation: string) => `${catalog}${lookup(relation, { baseline })}`;
  return [
    ...ownConditions(report, alias, from),
    ...filters.map((filter) => buildCondition(filter, report, alias, from)),
  ];
}

/** Returns the conditions that a report has whatever the filters, over the rows called `alias`. */
export function ownConditions(
  { only = '' }: Report,
  alias: string,
  from: (relation: string) => string = (relation) => relation,
): string[] {
  const [name = '', column] = only.split('.');
  const source = RELATIONS[name];
  return source
    ? [`${alias}.${source.key} IN (SELECT ${source.key} FROM ${from(source.relation)} WHERE ${column})`]
    : [];
}

/**
 * Returns the filter as an SQL condition over the rows called `alias`.
 * @param from Returns the relation that has the attributes. Default: that of the open database.
 */
export function buildCondition(
  filter: ReportFilter,
  report: Report,
  alias: string,
  from: (relation: string) => string = (relation) => relation,
): string {
  const [relation, column] = targetOf(filter, report);
  const condition = anyOf(matchesOf(filter, alias, column, RELATIONS[relation], from));
  return 'expression' in filter.values ? `(${filter.values.expression} IS NULL OR ${condition})` : condition;
}

export function isNotGiven({ values }: ReportFilter): string {
  return 'expression' in values ? `${values.expression} IS NULL` : 'FALSE';
}

function matchesOf(
  filter: ReportFilter,
  alias: string,
  column: string,
  source: Lookup | undefined,
  from: (relation: string) => string,
): string[] {
  if (!source) return isAnyOf(filter, `${alias}.${column}`);
  const key = `${alias}.${source.key}`;
  const select = `SELECT ${source.key} FROM ${from(source.relation)}`;
  if (source.relation.endsWith('_tags')) {
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
