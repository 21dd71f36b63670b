import { quoteText } from '../../../base/database/index.ts';
import type { Field, Fields, Items } from '../../resource/field.ts';
import { ownLists, type Resource } from '../../resource/resource.ts';
import { fieldFaults, fieldValue, type RawField } from './field-values.ts';
import { hasIds, hasValues } from './lists.ts';
import { hasKeys, type RawPart, type RecordShape } from './validation.ts';

/** The path of a plain item's value: the item itself. */
const ITSELF = '$';

export interface RecordOptions {
  /** The field of nested records that `container_id` fills if missing. */
  readonly containerId?: string | undefined;
  readonly usualKeys?: readonly (readonly string[])[] | undefined;
  readonly absent?: readonly string[] | undefined;
}

/** Returns the shape of a resource's records, with `raw` as the struct of their top-level values as text. */
export function recordShape(
  resource: Resource,
  { containerId, usualKeys, absent = [] }: RecordOptions = {},
): RecordShape {
  const lists: RawPart[] = [
    ...ownLists(resource).map(([name, { shape }]) => ({ name, text: `raw.${name}`, shape })),
    ...Object.keys(resource.nested).map((name) => ({ name, text: `raw.${name}`, shape: 'list' as const })),
  ];
  const present = withoutFields(resource.fields, absent);
  const fields = fieldsOfObject(present).map((raw) => (raw.name === containerId ? fillIn(raw) : raw));
  return {
    fields,
    absent: withoutFields(resource.fields, Object.keys(present)),
    parts: [...lists, ...objectParts(present)],
    constraints: resource.constraints,
    extras: idColumns(resource),
    keys: [...topKeys(present), ...lists.map(({ name }) => name)],
    usualKeys,
    isObject: true,
  };
}

/**
 * Returns the shape of a list's items, with `raw` as built by rawItem.
 * @param inner The keys of the lists inside the items.
 */
export function itemShape(items: Items, inner: readonly string[]): RecordShape {
  const isObject = !isPlain(items);
  const fields = isObject ? fieldsOfObject(items.fields) : fieldsOfValue(items.fields);
  const keys = isObject ? [...topKeys(items.fields), ...inner] : [];
  const parts = inner.map((name) => ({ name, text: `raw.${name}`, shape: 'list' as const }));
  return { fields, absent: {}, parts, constraints: items.constraints ?? [], extras: {}, keys, isObject };
}

/**
 * Returns SQL for the values of a record as a struct of texts.
 * Records with the usual keys read them by position from `entry_keys` and `entry_values`.
 */
export function rawRecord({ keys, usualKeys }: RecordShape): string {
  const structure = Object.fromEntries(keys.map((key) => [key, 'VARCHAR']));
  const parsed = `from_json(json, ${quoteText(JSON.stringify(structure))})`;
  const [usual] = usualKeys ?? [];
  if (!usual) return parsed;
  const members = keys.map((key) => {
    const place = usual.indexOf(key) + 1;
    return `${quoteText(key)}: ${place > 0 ? `entry_values[${place}]` : 'CAST(NULL AS VARCHAR)'}`;
  });
  return `CASE WHEN ${hasKeys(usual)} THEN {${members.join(', ')}} ELSE ${parsed} END`;
}

/**
 * Returns SQL for the values of an item as a struct of texts.
 * An entry is an object of one key; a tag may be an object with a name.
 */
export function rawItem(items: Items, inner: readonly string[]): string {
  const shape = itemShape(items, inner);
  if (shape.isObject) return rawRecord(shape);
  const members = Object.entries(items.fields).map(([name, field]) => `${quoteText(name)}: ${itemText(items, field)}`);
  return `{${members.join(', ')}}`;
}

function itemText({ shape }: Items, field: Field): string {
  if (shape === 'entries')
    return field.from?.includes(ITSELF) ? "json_extract_string(json, '$.*')[1]" : 'json_keys(json)[1]';
  const itself = `json_extract_string(json, '${ITSELF}')`;
  if (field.type !== 'tag') return itself;
  return `CASE WHEN json_type(json) = 'OBJECT' THEN json_extract_string(json, '$.name') ELSE ${itself} END`;
}

function isPlain({ fields }: Items): boolean {
  return Object.values(fields).some(({ from }) => from?.includes(ITSELF));
}

function fieldsOfValue(fields: Fields): RawField[] {
  return Object.entries(fields).map(([name, field]) => ({ name, field, text: `raw.${name}`, kind: 'json_type(json)' }));
}

function fieldsOfObject(fields: Fields): RawField[] {
  return Object.entries(fields).map(([name, field]) => {
    const paths = field.from ?? [name];
    if (paths.length === 1 && paths[0] === name) return { name, field, text: `raw.${name}`, kind: pathKind(name) };
    return {
      name,
      field,
      text: firstText(paths.map(pathText), field),
      kind: `COALESCE(${paths.map((path) => `NULLIF(${pathKind(path)}, 'NULL')`).join(', ')})`,
    };
  });
}

/** Returns SQL for the first text that isn't blank; for a name, a blank one if there is no other. */
function firstText(texts: readonly string[], { type }: Field): string {
  const filled = texts.map((text) => `NULLIF(${text}, '')`);
  return `COALESCE(${[...filled, ...(type === 'name' ? texts : [])].join(', ')})`;
}

/** Returns SQL for the text at path `a` or `a.b`; CSV holds the object a as text. */
function pathText(path: string): string {
  const [head, member] = path.split('.');
  if (!member) return `raw.${head}`;
  return `CASE WHEN raw.${head}[1] = '{' AND json_valid(raw.${head}) THEN json_extract_string(raw.${head}, '$."${member}"') END`;
}

function pathKind(path: string): string {
  return `json_type(json, '$.${path
    .split('.')
    .map((key) => `"${key}"`)
    .join('.')}')`;
}

/** Returns the objects that fields are read from, except those that may also be a plain value. */
function objectParts(fields: Fields): RawPart[] {
  const paths = Object.values(fields).flatMap(({ from }) => from ?? []);
  const heads = paths.filter((path) => path.includes('.')).map(headOf);
  return [...new Set(heads)]
    .filter((head) => !paths.includes(head))
    .map((name) => ({ name, text: `raw.${name}`, shape: 'object' }));
}

function withoutFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Returns the optional fields of a resource that records with these keys lack. */
export function absentFields({ fields }: Resource, keys: readonly string[]): string[] {
  return Object.entries(fields)
    .filter(([name, field]) => !field.required && !topKeys({ [name]: field }).some((key) => keys.includes(key)))
    .map(([name]) => name);
}

function topKeys(fields: Fields): string[] {
  return [...new Set(Object.entries(fields).flatMap(([name, { from }]) => (from ?? [name]).map(headOf)))];
}

function headOf(path: string): string {
  return path.split('.')[0] ?? path;
}

function fillIn(raw: RawField): RawField {
  return { ...raw, text: `COALESCE(NULLIF(NULLIF(${raw.text}, ''), '0'), CAST(container_id AS VARCHAR))` };
}

/** Returns SQL that tells whether a list holds at least one readable value without faults. */
function hasReadable(list: string, raw: RawField): string {
  const isReadable = (text: string) => {
    const value = fieldValue({ ...raw, text });
    const faults = fieldFaults({ ...raw, name: value }).map(({ condition }) => `NOT (${condition})`);
    return [`${value} IS NOT NULL`, ...faults].join(' AND ');
  };
  return raw.field.type === 'id' ? hasIds(list, isReadable) : hasValues(list, isReadable);
}

/** Returns `has_<list>` columns for the lists of plain values that a constraint uses: true if one is readable. */
function idColumns(resource: Resource): Record<string, string> {
  const conditions = resource.constraints.map(({ broken }) => broken).join(' ');
  const used = Object.entries(resource.lists).filter(([name]) => conditions.includes(`has_${name}`));
  return Object.fromEntries(
    used.map(([name, { fields }]) => {
      const [raw] = fieldsOfValue(fields);
      return [`has_${name}`, raw ? hasReadable(`raw.${name}`, raw) : 'FALSE'];
    }),
  );
}
