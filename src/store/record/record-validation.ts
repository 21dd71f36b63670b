import { quoteText, type Value } from '../../base/database/index.ts';
import type { FieldError } from '../../base/index.ts';
import {
  type Fields,
  findResource,
  type Items,
  type Resource,
  SQL_TYPES,
  sharedDaysReason,
} from '../../records/resource/index.ts';
import { throwFaults } from './body.ts';
import { plainField, type Row } from './node.ts';
import { formatLiteral } from './storage/record-sql.ts';
import type { Transaction } from './storage/transaction.ts';

/** An id in a record, and the resource it must belong to. */
interface Reference {
  readonly field: string;
  readonly resource: string;
  readonly id: Value;
  /** The project that the referenced record must belong to. */
  readonly project?: Value;
}

function keyOf({ resource, id, project }: Reference): string {
  return `${resource} ${id} ${project ?? ''}`;
}

/**
 * Checks a record before it is written: required fields, rules and references.
 * Accepts existing values: a dataset may contain dangling references (1.3).
 * @throws AppError input naming every invalid field.
 */
export async function validateRecord(
  transaction: Transaction,
  resource: Resource,
  row: Row,
  before: Row | undefined,
): Promise<void> {
  throwFaults(missingFields(resource, row, before));
  const { known } = transaction;
  const references = referencesOf(resource, row, before).filter((reference) => !known.has(keyOf(reference)));
  const parts = belongingsOf(resource, row, before).filter((part) => !known.has(keyOf(part)));
  const own = [...usedCode(resource, row, before), ...sharedDays(resource, row)];
  const questions = [
    ...constraintViolations(resource, row),
    ...itemViolations(resource, row),
    ...missingReferences(references),
    ...parts.map(foreignPart),
    ...own,
  ];
  const read = own.length > 0 ? transaction.rows : transaction.referred;
  if (questions.length > 0) throwFaults(await read<FieldError & Row>(questions.join('\nUNION ALL\n')));
  for (const reference of [...references, ...parts]) known.add(keyOf(reference));
}

/** Returns errors of missing fields; a record loaded without one may be changed elsewhere. */
function missingFields({ required }: Resource, row: Row, before: Row | undefined): FieldError[] {
  const isBlank = (value: Value | undefined) => value === undefined || value === null || value === '';
  return required
    .filter((name) => isBlank(row[name]) && !(before && isBlank(before[name])))
    .map((name) => ({ field: name, message: `${name}: missing` }));
}

/** Returns SQL that selects the violations of the dataset's constraints in a record. */
function constraintViolations(resource: Resource, row: Row): string[] {
  const { constraints, fields, lists } = resource;
  if (constraints.length === 0) return [];
  const columns = Object.entries(fields).map(
    ([name, field]) => `${formatLiteral(field, row[name] ?? null)} AS ${name}`,
  );
  const filled = Object.keys(lists).map((name) => `${((row[name] ?? []) as Value[]).length > 0} AS has_${name}`);
  return [
    ...constraints.map(({ broken, reason }) =>
      violation(reason, `(SELECT ${[...columns, ...filled].join(', ')})`, broken),
    ),
    ...wholeViolations(resource, columns, row),
  ];
}

/** Returns SQL that selects the first violation of each constraint of the items of a record's lists. */
function itemViolations({ lists }: Resource, row: Row): string[] {
  return Object.entries(lists).flatMap(([name, { fields, constraints = [] }]) => {
    const items = (row[name] ?? []) as Row[];
    if (items.length === 0 || constraints.length === 0) return [];
    const values = items.map((item, index) => `(${[index + 1, ...literals(fields, item, false)].join(', ')})`);
    const columns = ['place', ...Object.keys(fields)].join(', ');
    return constraints.map(
      ({ broken, reason }) => `SELECT * FROM (
        SELECT ${quoteText(name)} AS field, ${quoteText(`${name}: item `)} || place || ${quoteText(`: ${reason}`)} AS message
        FROM (VALUES ${values.join(', ')}) AS items (${columns}) WHERE ${broken} ORDER BY place LIMIT 1) AS violations`,
    );
  });
}

/** Returns SQL that selects the violations of constraints over a record and its lists. @param columns Its fields. */
function wholeViolations({ whole, id, fields, lists }: Resource, columns: readonly string[], row: Row): string[] {
  if (whole.length === 0) return [];
  const own = `${row[id] ?? 0} AS ${id}`;
  const record = [own, ...columns.filter((_, index) => Object.keys(fields)[index] !== id)].join(', ');
  const tables = Object.entries(lists).map(([name, items]) => {
    const rows = ((row[name] ?? []) as Row[]).map(
      (item) => `SELECT ${[own, ...literals(items.fields, item)].join(', ')}`,
    );
    const none = `SELECT ${[own, ...literals(items.fields, {})].join(', ')} WHERE FALSE`;
    return `${items.table} AS (${[none, ...rows].join(' UNION ALL ')})`;
  });
  return whole.map(
    ({ broken, reason }) =>
      `SELECT * FROM (WITH ${tables.join(', ')} ${violation(reason, `(SELECT ${record})`, broken)}) AS violations`,
  );
}

function literals(fields: Fields, row: Row, isNamed = true): string[] {
  return Object.entries(fields).map(
    ([name, field]) =>
      `CAST(${formatLiteral(field, row[name] ?? null)} AS ${SQL_TYPES[field.type]})${isNamed ? ` AS ${name}` : ''}`,
  );
}

/** Returns SQL that selects the error of a broken constraint, whose reason begins with the field. @param record SQL of the record. */
function violation(reason: string, record: string, broken: string): string {
  const [field = ''] = reason.split(' ');
  return `SELECT ${quoteText(field)} AS field, ${quoteText(reason)} AS message FROM ${record} AS record WHERE ${broken}`;
}

/** Returns SQL that selects an error if another record with the same keys has a day of the record. */
function sharedDays({ apart, table, id, fields }: Resource, row: Row): string[] {
  if (!apart) return [];
  const literal = (name: string) => {
    const field = fields[name];
    return field ? formatLiteral(field, row[name] ?? null) : 'NULL';
  };
  const { keys, start, end } = apart;
  const conditions = [
    ...keys.map((key) => `${key} IS NOT DISTINCT FROM ${literal(key)}`),
    `COALESCE(${start} <= ${literal(end)}, TRUE)`,
    `COALESCE(${end} >= ${literal(start)}, TRUE)`,
    ...(row[id] === undefined ? [] : [`${id} <> ${row[id]}`]),
  ];
  return [
    `SELECT * FROM (
      SELECT '${start}' AS field, ${sharedDaysReason({ id, ...apart })} AS message
      FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${start}, ${id} LIMIT 1) AS rivals`,
  ];
}

function missingReferences(references: readonly Reference[]): string[] {
  return [...new Set(references.map(({ resource }) => resource))].map((name) => {
    const { table, id } = findResource(name);
    const group = references.filter(({ resource }) => resource === name);
    const values = group.map((reference) => `(${quoteText(reference.field)}, ${reference.id})`).join(', ');
    return `SELECT field, field || ': there is no record ' || sent || ' in ${name}' AS message
      FROM (VALUES ${values}) AS given (field, sent) WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${id} = sent)`;
  });
}

function referencesOf({ fields, lists }: Resource, row: Row, before: Row | undefined): Reference[] {
  const own = findReferences(fields, row, '').filter(({ field, id }) => before?.[field] !== id);
  const inLists = Object.entries(lists).flatMap(([name, items]) => {
    if (row[name] === before?.[name]) return [];
    const were = new Set(findListed(name, items, before).map(keyOf));
    return findListed(name, items, row).filter((reference) => !were.has(keyOf(reference)));
  });
  return [...own, ...inLists];
}

function findListed(name: string, items: Items, row: Row | undefined): Reference[] {
  const plain = plainField(items.fields);
  return ((row?.[name] ?? []) as Value[]).flatMap((item, index) =>
    plain
      ? findReferences({ [name]: plain }, { [name]: item }, '')
      : findReferences(items.fields, item as Row, `${name}[${index + 1}].`),
  );
}

function findReferences(fields: Fields, row: Row, prefix: string): Reference[] {
  return Object.entries(fields).flatMap(([name, { refers }]) => {
    const id = row[name] ?? null;
    return refers && id !== null ? [{ field: prefix + name, resource: refers, id }] : [];
  });
}

/** Resources whose records must belong to the project named beside them. */
const PARTS_OF_PROJECTS: ReadonlySet<string> = new Set(['phases', 'project_tasks']);

function belongingsOf({ fields }: Resource, row: Row, before: Row | undefined): Reference[] {
  const project = row['project_id'] ?? null;
  if (project === null) return [];
  return findReferences(fields, row, '')
    .filter(({ resource }) => PARTS_OF_PROJECTS.has(resource))
    .filter(({ field, id }) => before?.[field] !== id || before?.['project_id'] !== project)
    .map((reference) => ({ ...reference, project }));
}

function foreignPart({ field, resource, id, project = null }: Reference): string {
  const part = findResource(resource);
  const message = `${field}: ${id} does not belong to project ${project}`;
  return `SELECT ${quoteText(field)} AS field, ${quoteText(message)} AS message
    FROM ${part.table} WHERE ${part.id} = ${id} AND project_id <> ${project}`;
}

/** Returns SQL that selects an error if another record has the code, ignoring case. */
function usedCode({ code, table, id }: Resource, row: Row, before: Row | undefined): string[] {
  const text = code === undefined ? null : (row[code] ?? null);
  if (code === undefined || text === null || text === before?.[code]) return [];
  const others = before ? ` AND ${id} <> ${before[id]}` : '';
  return [
    `SELECT ${quoteText(code)} AS field, ${quoteText(`${code}: ${text} is already the code of record `)} || ${id} AS message
      FROM ${table} WHERE lower(${code}) = lower(${quoteText(String(text))})${others}`,
  ];
}
