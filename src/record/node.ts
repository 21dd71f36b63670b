import type { Value } from '../database/database.ts';
import type { Field, Fields, Items } from '../resource/field.ts';
import type { Shape } from './shape.ts';

/** A record as the database has it: a value for each column, and for each list its items in order. */
export type Row = Readonly<Record<string, Value>>;

/** The member of a decimal with its digits: a symbol, because JSON that is kept as it came may have any name. */
const DIGITS = Symbol('digits');

/** A decimal with exactly these digits. */
export interface Exact {
  readonly [DIGITS]: string;
  /** Whether JSON has it as a string, unless the reader wants numbers (4.1). */
  readonly isText?: boolean;
}

/** Makes a number with exactly these digits. */
function exact(digits: string): Exact {
  return { [DIGITS]: digits };
}

/** Returns the digits of a number. */
export function digitsOf(number: Exact): string {
  return number[DIGITS];
}

/** A record, or a part of one, as an answer shows it, in whatever format. */
export type Node = string | number | boolean | null | Exact | readonly Node[] | { readonly [name: string]: Node };

/** A record as answers show it: its fields by name. */
export type RecordNode = Readonly<Record<string, Node>>;

/** Whether a node is a number with exactly its digits. */
export function isExact(node: Node): node is Exact {
  return typeof node === 'object' && node !== null && DIGITS in node;
}

/**
 * A record with all that it may show: booleans as 1 and 0, rates as strings of four decimals, other decimals as numbers of as many as they need.
 * @param seesRates Without, the fields that a cost could be read from are missing.
 */
export function describeRecord(shape: Shape, row: Row, seesRates: boolean): RecordNode {
  const { fields, lists, defaults, unshown, needsRates, decimalStrings, aliases } = shape;
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

/** A record with everything that is kept of it, as the record of changes has it. */
export function describeWhole(shape: Shape, row: Row): RecordNode {
  return describeRecord({ ...shape, unshown: [], aliases: {} }, row, true);
}

/** A value of a field as answers show it. */
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

/** The one field of items that are plain values and not objects. */
export function plainField(fields: Fields): Field | undefined {
  const [field, ...others] = Object.values(fields);
  return others.length === 0 && field?.from?.includes('$') ? field : undefined;
}

/** "12.5000" as "12.5", "8.0000" as "8". */
function trimDecimals(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Formats a node as JSON. @param hasNumbers Whether decimals that are strings otherwise are numbers, with all their digits. */
export function formatJson(node: Node, hasNumbers = false): string {
  if (node === null || typeof node !== 'object') return JSON.stringify(node);
  if (Array.isArray(node)) return `[${node.map((item) => formatJson(item, hasNumbers)).join(',')}]`;
  if (isExact(node)) return node.isText && !hasNumbers ? `"${node[DIGITS]}"` : trimDecimals(node[DIGITS]);
  const members = Object.entries(node as RecordNode).map(
    ([name, member]) => `${JSON.stringify(name)}:${formatJson(member, hasNumbers)}`,
  );
  return `{${members.join(',')}}`;
}
