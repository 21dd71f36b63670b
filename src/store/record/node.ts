import type { Value } from '../../base/database/index.ts';
import {
  DECIMAL_TYPES,
  type Field,
  type Fields,
  type Items,
  innerLists,
  type Resource,
} from '../../records/resource/index.ts';

/** A record in its database form: a value for each column, and each list's items in order. */
export type Row = Readonly<Record<string, Value>>;

/** The key of a decimal's digits: a symbol, since stored JSON may use any name. */
const DIGITS = Symbol('digits');

export interface Exact {
  /** All digits that are stored. */
  readonly [DIGITS]: string;
  readonly isString: boolean;
  /** True for a JSON string in the shape of the live service (4.1, --numbers). */
  readonly isLiveString: boolean;
}

function exact(digits: Value, isString: boolean, isLiveString: boolean): Exact {
  return { [DIGITS]: String(digits), isString, isLiveString };
}

/** Returns the digits of a decimal in the form of answers: all of a string, without closing zeros of a number. */
export function digitsOf(number: Exact): string {
  return number.isString ? number[DIGITS] : trimDecimals(number[DIGITS]);
}

/** A record or a part of one in an answer, independent of the format. */
export type Node = string | number | boolean | null | Exact | readonly Node[] | { readonly [name: string]: Node };

/** A record in an answer: its fields by name. */
export type RecordNode = Readonly<Record<string, Node>>;

export function isExact(node: Node): node is Exact {
  return typeof node === 'object' && node !== null && DIGITS in node;
}

/**
 * Describes a record: booleans as 1 and 0, rates as strings of four decimals, the rest trimmed.
 * @param seesRates Without it, fields that reveal a cost are omitted.
 */
export function describeRecord(resource: Resource, row: Row, seesRates: boolean): RecordNode {
  const { fields, lists, defaults, unshown, needsRates, aliases } = resource;
  const isShown = (name: string) => !unshown.includes(name) && (seesRates || !needsRates.includes(name));
  const node: Record<string, Node> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (isShown(name)) node[name] = describeField(resource, name, field, row[name] ?? defaults[name] ?? null);
  }
  for (const [alias, name] of Object.entries(aliases)) {
    if (isShown(name)) node[alias] = node[name] ?? null;
  }
  for (const [name, items] of Object.entries(lists)) {
    if (isShown(name) && !items.within) node[name] = describeList(resource, name, items, row);
  }
  return node;
}

/** Describes a record with every stored field, as service.changes keeps it. */
export function describeWhole(resource: Resource, row: Row): RecordNode {
  return describeRecord({ ...resource, unshown: [], aliases: {} }, row, true);
}

/** Describes a field of a record: a decimal as its resource says, which may differ from others of its type. */
function describeField({ decimalStrings, liveDecimals }: Resource, name: string, field: Field, value: Value): Node {
  const node = describeValue(field, value);
  if (node === null || !isExact(node) || field.type === 'rate') return node;
  const isString = decimalStrings.includes(name);
  const live = liveDecimals[name];
  return exact(node[DIGITS], isString, live === undefined ? isString : live === 'string');
}

export function describeValue(field: Field, value: Value): Node {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (field.type === 'rate') return exact(value, true, true);
  if (field.type === 'week') return (value as Value[]).map((hours) => exact(hours, false, false));
  if (field.type === 'ids') return value as number[];
  if (field.type === 'json') return JSON.parse(String(value)) as Node;
  return DECIMAL_TYPES.includes(field.type) ? exact(value, false, false) : (value as string | number);
}

/** Returns the items of a list, each with the items of its own lists, if it has any. */
export function joinInner(resource: Resource, name: string, row: Row): Row[] {
  const items = (row[name] ?? []) as Row[];
  return innerLists(resource, name).reduce((joined, { list, field, keys, fields }) => {
    const all = (row[list] ?? []) as Row[];
    return joined.map((item) => {
      const found = all.filter((each) => keys.every((key) => (each[key] ?? null) === (item[key] ?? null)));
      const bare = found.map((each) => Object.fromEntries(Object.keys(fields).map((key) => [key, each[key] ?? null])));
      return found.length === 0 ? item : { ...item, [field]: bare as Value };
    });
  }, items);
}

/** Returns the columns of a list whose items may have items of their own: the reverse of joinInner. */
export function splitInner(resource: Resource, name: string, items: readonly Row[]): Row {
  const inner = innerLists(resource, name);
  const fields = inner.map(({ field }) => field);
  const plain = items.map((item) => Object.fromEntries(Object.entries(item).filter(([key]) => !fields.includes(key))));
  const lists = inner.map(({ list, field, keys }) => {
    const named = (item: Row) => Object.fromEntries(keys.map((key) => [key, item[key] ?? null]));
    return [list, items.flatMap((item) => ((item[field] ?? []) as Row[]).map((each) => ({ ...named(item), ...each })))];
  });
  return { [name]: plain as Value, ...Object.fromEntries(lists) };
}

/** Describes an item of a list, with the items inside it, if it has any. */
export function describeListItem(resource: Resource, name: string, { fields }: Items, item: Row): RecordNode {
  const inner = Object.fromEntries(
    innerLists(resource, name).flatMap(({ field, fields }) => {
      const items = (item[field] ?? []) as Row[];
      return items.length === 0 ? [] : [[field, items.map((each) => describeItem(fields, each))]];
    }),
  );
  return { ...describeItem(fields, item), ...inner };
}

function describeList(resource: Resource, name: string, items: Items, row: Row): Node {
  if (innerLists(resource, name).length === 0) return describeItems(items, row[name]);
  return joinInner(resource, name, row).map((item): Node => describeListItem(resource, name, items, item));
}

function describeItems({ shape, fields }: Items, value: Value | undefined): Node {
  const items = (value ?? []) as Value[];
  const plain = plainField(fields);
  if (shape === 'list' && plain) return items.map((item) => describeValue(plain, item));
  const rows = items as Record<string, Value>[];
  if (shape === 'list') return rows.map((item) => describeItem(fields, item));
  const week = fields['work_days_hours'];
  const entries = rows.map(({ effective_date, work_days_hours = null }) => [
    String(effective_date),
    week ? describeValue(week, work_days_hours) : null,
  ]);
  return Object.fromEntries(entries);
}

function describeItem(fields: Fields, item: Row): RecordNode {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, describeValue(field, item[name] ?? null)]),
  );
}

/** Returns the single field of items that are plain values; undefined if they are objects. */
export function plainField(fields: Fields): Field | undefined {
  const [field, ...others] = Object.values(fields);
  return others.length === 0 && field?.from?.includes('$') ? field : undefined;
}

/** Formats "12.5000" as "12.5", "8.0000" as "8". */
function trimDecimals(text: string): string {
  return text.includes('.') ? text.replace(/\.?(?<!0)0+$/, '') : text;
}

/**
 * Formats a node as JSON.
 * @param isLive Gives decimals the JSON types of the live service (4.1, --numbers).
 */
export function formatJson(node: Node, isLive = false): string {
  if (node === null || typeof node !== 'object') return JSON.stringify(node);
  if (Array.isArray(node)) return `[${node.map((item) => formatJson(item, isLive)).join(',')}]`;
  if (isExact(node)) {
    const isString = isLive ? node.isLiveString : node.isString;
    return isString ? `"${node[DIGITS]}"` : trimDecimals(node[DIGITS]);
  }
  const members = Object.entries(node as RecordNode).map(
    ([name, member]) => `${JSON.stringify(name)}:${formatJson(member, isLive)}`,
  );
  return `{${members.join(',')}}`;
}
