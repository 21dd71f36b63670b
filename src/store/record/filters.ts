import type { Field, FieldType, Resource } from '../../records/resource/index.ts';
import { plainField } from './node.ts';
import { type SentParameters, textOf } from './query-string.ts';
import type { ServedResource } from './records.ts';
import { formatLiteral } from './storage/record-sql.ts';
import { parseValue } from './value.ts';
import { isShown, sqlOfField } from './view.ts';

/**
 * Compiles a parameter's values to an SQL condition.
 * @throws Error with the reason.
 */
type Filter = (values: readonly string[], sent: SentParameters) => string;

/** Types whose values may contain a comma. In other types, an encoded comma (%2C) also separates. */
const MAY_HOLD_COMMAS: ReadonlySet<FieldType> = new Set(['key', 'name', 'text', 'tag']);

/** Alternative parameter names that clients of this API use. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  tag_name: 'tags',
  employee_type_id: 'employee_type',
  nonBillable: 'non_billable',
};

/** Returns the filters of a list by parameter name (4.1). */
export function filtersOf(resource: ServedResource, seesRates: boolean): ReadonlyMap<string, Filter> {
  const { rules } = resource;
  const filters = new Map<string, Filter>(aliasesOf(resource));
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.type !== 'week' && isShown(resource, name, seesRates))
      filters.set(name, (values) => isAnyOfParts(sqlOfField(resource, name), field, values));
  }
  for (const [name, { table, fields }] of Object.entries(resource.lists)) {
    const field = plainField(fields);
    const [column = ''] = Object.keys(fields);
    if (field && isShown(resource, name, seesRates))
      filters.set(name, (values) => isListed(resource, table, isAnyOfParts(column, field, values)));
  }
  const { code } = resource;
  if (code !== undefined) filters.set(code, (values) => hasCode(resource, code, values));
  for (const [name, special] of Object.entries(rules.filters ?? {}))
    filters.set(name, (values, sent) => special(values.join(','), textsOf(sent)));
  for (const [other, name] of Object.entries({ ...OTHER_NAMES, ...resource.aliases })) {
    const filter = filters.get(name);
    if (filter) filters.set(other, filter);
  }
  return filters;
}

/** Returns filters under another name, or on a related record. */
function aliasesOf(resource: ServedResource): [string, Filter][] {
  const aliases: [string, Filter][] = [];
  if (hasOneDay(resource)) {
    const day = { type: 'date' } as const;
    aliases.push(
      ['start_date', (values) => `date >= ${parseLiteral(day, values.join(','))}`],
      ['end_date', (values) => `date <= ${parseLiteral(day, values.join(','))}`],
    );
  }
  if (resource.fields['billable'])
    aliases.push([
      'nonBillable',
      (values) => isAnyOfParts(`(NOT ${sqlOfField(resource, 'billable')})`, { type: 'boolean' }, values),
    ]);
  if (resource.fields['project_id'] && resource.id !== 'project_id')
    aliases.push([
      'client_id',
      (values) =>
        `project_id IN (SELECT project_id FROM source.projects WHERE ${isAnyOfParts('client_id', { type: 'id' }, values)})`,
    ]);
  return aliases;
}

/** Returns whether records have a single date, which start_date and end_date filter. */
export function hasOneDay({ fields }: Resource): boolean {
  return fields['date'] !== undefined && fields['start_date'] === undefined;
}

function isListed({ id }: Resource, table: string, condition: string): string {
  return `${id} IN (SELECT ${id} FROM source.${table} WHERE ${condition})`;
}

/**
 * Formats an SQL condition that selects at most one record, or none by an empty code (4.1).
 * Loaded data may contain a code twice: the later record wins.
 */
function hasCode({ table, id, fields }: Resource, code: string, values: readonly string[]): string {
  const literals = values.map((text) => parseLiteral(fields[code] as Field, text)).filter((each) => each !== 'NULL');
  const isNamed = `lower(${code}) IN (${literals.map((literal) => `lower(${literal})`).join(', ')})`;
  return literals.length === 0 ? 'FALSE' : `${id} = (SELECT max(${id}) FROM ${table} WHERE ${isNamed})`;
}

/** Formats an SQL condition: the column has a comma-separated value; an empty one matches null. */
export function isAnyOf(column: string, field: Field, text: string): string {
  return isAnyOfParts(column, field, text.split(','));
}

function isAnyOfParts(column: string, field: Field, parts: readonly string[]): string {
  if (field.type === 'json') return isAnyOfParts(`json_extract_string(${column}, '$')`, { type: 'text' }, parts);
  if (field.type === 'ids') return hasAnyOf(column, parts);
  const texts = MAY_HOLD_COMMAS.has(field.type) ? parts : parts.flatMap((part) => part.split(','));
  const literals = texts.map((text) => parseLiteral(field, text));
  const values = literals.filter((literal) => literal !== 'NULL');
  const isOneOf = values.length > 0 ? [`${column} IN (${values.join(', ')})`] : [];
  const isNone = literals.some((literal) => literal === 'NULL' || literal === "''") ? [`${column} IS NULL`] : [];
  return `(${[...isOneOf, ...isNone].join(' OR ')})`;
}

/** Formats an SQL condition: the list has one of the ids; an empty id matches null. */
function hasAnyOf(column: string, parts: readonly string[]): string {
  const ids = parts.flatMap((part) => part.split(',')).map((text) => parseLiteral({ type: 'id' }, text));
  const isNone = ids.includes('NULL') ? ` OR ${column} IS NULL` : '';
  return `(list_has_any(${column}, CAST([${ids.join(', ')}] AS BIGINT[]))${isNone})`;
}

/**
 * Parses a text as a literal of a field.
 * @throws Error with the reason.
 */
export function parseLiteral(field: Field, text: string): string {
  const parsed = parseValue(field, text.trim());
  if ('value' in parsed) return formatLiteral(field, parsed.value);
  throw new Error(`${JSON.stringify(text)} is ${parsed.fault}`);
}

function textsOf(sent: SentParameters): ReadonlyMap<string, string> {
  return new Map([...sent.keys()].map((name) => [name, textOf(sent, name) ?? '']));
}
