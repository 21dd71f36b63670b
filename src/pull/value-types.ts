import { isObject } from '../base/index.ts';
import { type Fields, findResource, innerLists, ownLists, type Resource } from '../records/resource/index.ts';

type ValueType = 'text' | 'number' | 'boolean' | 'list' | 'object';

/**
 * The JSON types that a source sends, by field: hours, or contracts.cost_rate for an item of a list. Null has no type: a field that
 * comes without a value has an empty list.
 */
export type FieldTypes = Readonly<Record<string, readonly ValueType[]>>;

/** The known fields of a record, and for lists the known fields of their items. */
type KnownFields = ReadonlyMap<string, readonly string[]>;

/** Adds the types of further records. Fields that the resource doesn't have are left out. */
export function addTypes(types: FieldTypes, known: KnownFields, records: readonly unknown[]): FieldTypes {
  const found = new Map(Object.entries(types).map(([field, before]) => [field, new Set(before)]));
  const add = (field: string, value: unknown) => {
    if (value === undefined) return;
    const types = found.get(field) ?? new Set();
    if (value !== null) types.add(typeOf(value));
    found.set(field, types);
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
export function knownFields(resource: Resource): KnownFields {
  const { id, fields, nested } = resource;
  const plain = [id, ...namesOf(fields)].map((name): [string, string[]] => [name, []]);
  const inner = [
    ...ownLists(resource).map(([list, items]) => {
      const within = innerLists(resource, list).map(({ field }) => [field, { type: 'json' }] as const);
      return { list, fields: { ...items.fields, ...Object.fromEntries(within) } };
    }),
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
