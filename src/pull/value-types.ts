import { isObject } from '../json-object.ts';
import type { Fields } from '../resource/field.ts';
import type { Resource } from '../resource/resource.ts';
import { findResource } from '../resource/resources.ts';

type ValueType = 'text' | 'number' | 'boolean' | 'list' | 'object';

/** The JSON types that a source sends, by field: hours, or contracts.cost_rate for an item of a list. Null has no type. */
export type FieldTypes = Readonly<Record<string, readonly ValueType[]>>;

/** The known fields of a record, and for lists the known fields of their items. */
type KnownFields = ReadonlyMap<string, readonly string[]>;

/** Adds the types of further records. Fields that the resource doesn't have are left out. */
export function addTypes(types: FieldTypes, known: KnownFields, records: readonly unknown[]): FieldTypes {
  const found = new Map(Object.entries(types).map(([field, before]) => [field, new Set(before)]));
  const add = (field: string, value: unknown) => {
    if (value === null || value === undefined) return;
    const before = found.get(field);
    if (before) before.add(typeOf(value));
    else found.set(field, new Set([typeOf(value)]));
  };
  for (const record of records.filter(isObject)) {
    for (const [field, inner] of known) {
      const value = record[field];
      add(field, value);
      if (inner.length === 0 || !Array.isArray(value)) continue;
      for (const item of value.filter(isObject)) for (const name of inner) add(`${field}.${name}`, item[name]);
    }
  }
  return mergeTypes({}, Object.fromEntries([...found].map(([field, each]) => [field, [...each]])));
}

export function mergeTypes(before: FieldTypes, now: FieldTypes): FieldTypes {
  const fields = new Set([...Object.keys(before), ...Object.keys(now)]);
  return Object.fromEntries(
    [...fields].map((field) => [field, [...new Set([...(before[field] ?? []), ...(now[field] ?? [])])]]),
  );
}

/** Describes the fields whose values have other types than before (5.3), in one sentence each. */
export function describeDrift(resource: string, before: FieldTypes, now: FieldTypes): string[] {
  return Object.entries(now).flatMap(([field, types]) => {
    const known = before[field] ?? [];
    const other = types.filter((type) => !known.includes(type));
    if (known.length === 0 || other.length === 0) return [];
    return [`${resource}: ${field} has come as ${other.join(' and ')}, and as ${known.join(' and ')} before.`];
  });
}

/** Returns the fields that a resource reads, by the names that records may have for them. */
export function knownFields({ id, fields, lists, nested }: Resource): KnownFields {
  const plain = [id, ...namesOf(fields)].map((name): [string, string[]] => [name, []]);
  const inner = [
    ...Object.entries(lists).map(([list, items]) => ({ list, fields: items.fields })),
    ...Object.entries(nested).map(([list, name]) => ({ list, fields: findResource(name).fields })),
  ];
  return new Map([...plain, ...inner.map((each): [string, string[]] => [each.list, namesOf(each.fields)])]);
}

function namesOf(fields: Fields): string[] {
  const paths = Object.entries(fields).flatMap(([name, { from }]) => from ?? [name]);
  return [...new Set(paths.map((path) => path.split('.')[0] ?? path))];
}

function typeOf(value: unknown): ValueType {
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  if (type === 'number' || type === 'boolean' || type === 'object') return type;
  return 'text';
}
