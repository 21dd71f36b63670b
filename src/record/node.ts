import type { Value } from '../database/database.ts';
import type { Field, Fields, Items } from '../resource/field.ts';
import type { Resource } from '../resource/resource.ts';

/** A record in its database form: a value for each column, and each list's items in order. */
export type Row = Readonly<Record<string, Value>>;

/** The key of a decimal's digits: a symbol, since stored JSON may use any name. */
const DIGITS = Symbol('digits');

export interface Exact {
  readonly [DIGITS]: string;
  /** True if JSON shows it as a string, unless the reader wants numbers (4.1). */
  readonly isText?: boolean;
}

function exact(digits: string): Exact {
  return { [DIGITS]: digits };
}

export function digitsOf(number: Exact): string {
  return number[DIGITS];
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
  const { fields, lists, defaults, unshown, needsRates, decimalStrings, aliases } = resource;
  const isShown = (name: string) => !unshown.includes(name) && (seesRates || !needsRates.includes(name));
  const node: Record<string, Node> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (isShown(name))
      node[name] = describeValue(field, row[name] ?? defaults[name] ?? null, decimalStrings.includes(name));
  }
  for (const [alias, name] of Object.entries(aliases)) {
    if (isShown(name)) node[alias] = node[name] ?? null;
  }
  for (const [name, items] of Object.entries(lists)) {
    if (isShown(name)) node[name] = describeItems(items, row[name]);
  }
  return node;
}

/** Describes a record with every stored field, as service.changes keeps it. */
export function describeWhole(resource: Resource, row: Row): RecordNode {
  return describeRecord({ ...resource, unshown: [], aliases: {} }, row, true);
}

export function describeValue(field: Field, value: Value, isString = false): Node {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (field.type === 'rate' || isString) return { [DIGITS]: String(value), isText: true };
  if (field.type === 'hours' || field.type === 'amount') return exact(trimDecimals(String(value)));
  if (field.type === 'week') return (value as Value[]).map((hours) => exact(trimDecimals(String(hours))));
  if (field.type === 'ids') return value as number[];
  if (field.type === 'json') return JSON.parse(String(value)) as Node;
  return value as string | number;
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

function describeItem(fields: Fields, item: Row): Node {
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
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * Formats a node as JSON.
 * @param hasNumbers Writes string decimals as numbers, with all their digits.
 */
export function formatJson(node: Node, hasNumbers = false): string {
  if (node === null || typeof node !== 'object') return JSON.stringify(node);
  if (Array.isArray(node)) return `[${node.map((item) => formatJson(item, hasNumbers)).join(',')}]`;
  if (isExact(node)) return node.isText && !hasNumbers ? `"${node[DIGITS]}"` : trimDecimals(node[DIGITS]);
  const members = Object.entries(node as RecordNode).map(
    ([name, member]) => `${JSON.stringify(name)}:${formatJson(member, hasNumbers)}`,
  );
  return `{${members.join(',')}}`;
}
