import { quoteText } from '../database.ts';
import type { Report } from './catalogue.ts';
import type { Filter } from './parameters.ts';

/**
 * Where a filter's attribute stands: the relation that has it, and the key that a line has of that relation. A line without the key
 * has no attribute either, so `none` matches it.
 */
const RELATIONS: Readonly<Record<string, { relation: string; key: string }>> = {
  project: { relation: 'marts.projects', key: 'project_id' },
  person: { relation: 'marts.people', key: 'people_id' },
  project_tags: { relation: 'marts.project_tags', key: 'project_id' },
  people_tags: { relation: 'marts.people_tags', key: 'people_id' },
};

/** The columns of a line, or of a member of a population, that a filter looks at. */
export function columnOf(filter: Filter, report: Report): string {
  const [relation, column] = targetOf(filter, report);
  return RELATIONS[relation]?.key ?? column;
}

/** The filter as an SQL condition over the rows called `alias`. */
export function buildCondition(filter: Filter, report: Report, alias: string): string {
  const [relation, column] = targetOf(filter, report);
  const source = RELATIONS[relation];
  if (!source) return isAnyOf(filter, `${alias}.${column}`);
  const key = `${alias}.${source.key}`;
  if (relation.endsWith('_tags')) {
    const tagged = `SELECT ${source.key} FROM ${source.relation}`;
    const matches = filter.values.length > 0 ? [`${key} IN (${tagged} WHERE ${isListed(filter, column)})`] : [];
    const missing = filter.matchesMissing ? [`${key} IS NULL`, `${key} NOT IN (${tagged})`] : [];
    return anyOf([...matches, ...missing]);
  }
  const matches = `${key} IN (SELECT ${source.key} FROM ${source.relation} WHERE ${isAnyOf(filter, column)})`;
  return anyOf([matches, ...(filter.matchesMissing ? [`${key} IS NULL`] : [])]);
}

function targetOf(filter: Filter, report: Report): [relation: string, column: string] {
  const target = filter.parameter.filter === 'row.active' ? report.active : filter.parameter.filter;
  const [relation = '', column = ''] = (target ?? '').split('.');
  return [relation, column];
}

function isAnyOf(filter: Filter, column: string): string {
  const matches = filter.values.length > 0 ? [isListed(filter, column)] : [];
  const missing = filter.matchesMissing
    ? [`${column} IS NULL`, ...(filter.parameter.zero_is_none ? [`${column} = 0`] : [])]
    : [];
  return anyOf([...matches, ...missing]);
}

function isListed({ parameter, values }: Filter, column: string): string {
  // Choices of digits are ids of which only these exist: numbers, not texts.
  const areIds = Array.isArray(parameter.values) && parameter.values.every((value) => /^\d+$/.test(value));
  const literal = (value: string): string => {
    if (parameter.values === 'ids' || areIds) return value;
    return parameter.values === 'flags' ? String(value === '1') : quoteText(value);
  };
  return `${column} IN (${values.map(literal).join(', ')})`;
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' OR ')})`;
}
