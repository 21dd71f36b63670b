import type { Value } from '../../base/database/index.ts';
import { AppError, type FieldError, isObject } from '../../base/index.ts';
import {
  type Field,
  type Fields,
  type Items,
  MAX_CODE_CHARACTERS,
  ownLists,
  type Resource,
} from '../../records/resource/index.ts';
import { plainField, type Row } from './node.ts';
import { type Parsed, parseValue } from './value.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Sent {
  /** Fields and lists in their database form. */
  readonly values: Row;
  readonly body: Body;
}

/**
 * Reads a body.
 * Ignores computed and unknown fields, so a client may send back a whole answer.
 * @param own Fields that the resource's rules read themselves.
 * @param before The record before the change, if it exists.
 * @throws AppError input naming every invalid field.
 */
export function readBody(resource: Resource, body: unknown, own: readonly string[] = [], before?: Row): Sent {
  if (!isObject(body)) {
    const message = body === undefined ? 'The body is missing' : 'The body is not an object';
    throw new AppError('usage', message, { fields: [{ field: 'body', message }] });
  }
  const values: Record<string, Value> = {};
  const faults: FieldError[] = [];
  const take = (name: string, parsed: Parsed) => {
    if ('value' in parsed) values[name] = parsed.value;
    else faults.push({ field: name, message: `${name}: ${parsed.fault}` });
  };
  const isRead = (name: string) => !resource.computed.includes(name) && !own.includes(name);
  for (const name of Object.keys(resource.fields).filter(isRead)) {
    const parsed = readField(resource, name, body, before);
    if (parsed) take(name, parsed);
  }
  for (const [name, items] of ownLists(resource).filter(([each]) => isRead(each))) {
    if (body[name] !== undefined) take(name, parseList(items, body[name]));
  }
  throwFaults(faults);
  return { values, body };
}

/** @throws AppError input naming the fields, if there are any. */
export function throwFaults(faults: readonly FieldError[]): void {
  if (faults.length === 0) return;
  throw new AppError('input', faults.map(({ message }) => message).join('; '), { fields: faults });
}

export function fieldFault(field: string, message: string): AppError {
  return new AppError('input', `${field}: ${message}`, { fields: [{ field, message: `${field}: ${message}` }] });
}

/**
 * Parses a field that may be sent under several names.
 * Clients send back all of them and change the one they know, so a changed value wins.
 */
function readField(resource: Resource, name: string, body: Body, before: Row | undefined): Parsed | undefined {
  const field = resource.fields[name];
  const sent = (field?.from ?? [name]).filter((path) => findSent(body, path) !== undefined);
  if (!field || sent.length === 0) return undefined;
  // An id and an object may share a name: region 3, region {id: 3}.
  const plain = sent.filter((path) => !isObject(findSent(body, path)));
  const paths = plain.length > 0 ? plain : sent;
  const known = before?.[name] ?? resource.defaults[name] ?? null;
  const parsed = paths.map((path) => parseField(resource, name, field, findSent(body, path)));
  const news = parsed.filter((each) => !('value' in each) || !isSame(each.value, known));
  const [first = parsed[0], ...others] = news;
  const isUnclear = others.some(
    (other) => first && 'value' in first && 'value' in other && !isSame(first.value, other.value),
  );
  return isUnclear ? { fault: `${paths.join(' and ')} have different values; send only one of them` } : first;
}

/** Returns the value at a path: a name, or a member of an object such as department.department_id. */
function findSent(body: Body, path: string): unknown {
  const [head = '', member] = path.split('.');
  const outer = body[head];
  if (member === undefined) return outer;
  return isObject(outer) ? outer[member] : undefined;
}

function isSame(one: Value, other: Value): boolean {
  return String(one ?? '') === String(other ?? '');
}

function parseField({ code, required }: Resource, name: string, field: Field, sent: unknown): Parsed {
  const parsed = parseValue(field, sent);
  if (!('value' in parsed)) return parsed;
  if (required.includes(name) && (parsed.value === null || parsed.value === '')) return { fault: 'missing' };
  if (name === code && [...String(parsed.value ?? '')].length > MAX_CODE_CHARACTERS)
    return { fault: `longer than ${MAX_CODE_CHARACTERS} characters` };
  return parsed;
}

export function parseList(items: Items, sent: unknown): Parsed {
  if (sent === null || sent === '') return { value: [] };
  if (items.shape === 'entries') return parseEntries(items, sent);
  if (!Array.isArray(sent)) return { fault: 'not a list' };
  if (sent.length > (items.most ?? sent.length)) return { fault: `more than ${items.most} entries` };
  const plain = plainField(items.fields);
  return parseItems(sent, (item) => (plain ? parsePlain(plain, item) : parseItem(items.fields, item)));
}

function parseEntries({ fields }: Items, sent: unknown): Parsed {
  if (!isObject(sent)) return { fault: 'not an object with dates as keys' };
  const entries = Object.entries(sent).map(([effective_date, work_days_hours]) => ({
    effective_date,
    work_days_hours,
  }));
  return parseItems(entries, (entry) => parseItem(fields, entry));
}

function parseItems(sent: readonly unknown[], parse: (item: unknown) => Parsed): Parsed {
  const values: Value[] = [];
  for (const [index, item] of sent.entries()) {
    const parsed = parse(item);
    if (!('value' in parsed)) return { fault: `item ${index + 1}: ${parsed.fault}` };
    values.push(parsed.value);
  }
  return { value: values };
}

function parsePlain(field: Field, item: unknown): Parsed {
  const parsed = parseValue(field, item);
  return 'value' in parsed && parsed.value === null ? { fault: 'missing' } : parsed;
}

function parseItem(fields: Fields, item: unknown): Parsed {
  if (!isObject(item)) return { fault: 'not an object' };
  const row: Record<string, Value> = {};
  for (const [name, field] of Object.entries(fields)) {
    const parsed = parseValue(field, item[name]);
    if (!('value' in parsed)) return { fault: `${name}: ${parsed.fault}` };
    if (field.required && parsed.value === null) return { fault: `${name}: missing` };
    row[name] = parsed.value;
  }
  return { value: row };
}
