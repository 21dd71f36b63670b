import { quoteText } from '../database/database.ts';
import type { Field, Fields, Items, Resource } from '../resource/field.ts';
import { hasIds, hasValues } from './lists.ts';
import { fieldFaults, fieldValue, type RawField } from './readings.ts';
import type { RawPart, Shape } from './validation.ts';

/** Where the value of a plain item stands: in the item itself. */
const ITSELF = '$';

/** What may be known of records before they are read. */
export interface RecordOptions {
  /** The field that `container_id` fills in where it is missing; of nested records. */
  readonly containerId?: string | undefined;
  /** Lists of keys that most of them have. */
  readonly usualKeys?: readonly (readonly string[])[] | undefined;
  /** Names of fields that none of them has. */
  readonly absent?: readonly string[] | undefined;
}

/** What the records of a resource are made of, when `raw` is the struct of their top-level values as text. */
export function recordShape(resource: Resource, { containerId, usualKeys, absent = [] }: RecordOptions = {}): Shape {
  const lists: RawPart[] = [
    ...Object.entries(resource.items ?? {}).map(([name, { shape }]) => ({ name, text: `raw.${name}`, shape })),
    ...Object.keys(resource.nested ?? {}).map((name) => ({ name, text: `raw.${name}`, shape: 'list' as const })),
  ];
  const present = withoutFields(resource.fields, absent);
  const fields = fieldsOfObject(present).map((raw) => (raw.name === containerId ? fillIn(raw) : raw));
  return {
    fields,
    absent: withoutFields(resource.fields, Object.keys(present)),
    parts: [...lists, ...objectParts(present)],
    rules: resource.rules ?? [],
    extras: idColumns(resource),
    keys: [...topKeys(present), ...lists.map(({ name }) => name)],
    usualKeys,
    isObject: true,
  };
}

/** What the items of a list are made of, when `raw` is as rawItem makes it. */
export function itemShape(items: Items): Shape {
  const isObject = !isPlain(items);
  const fields = isObject ? fieldsOfObject(items.fields) : fieldsOfValue(items.fields);
  const keys = isObject ? topKeys(items.fields) : [];
  return { fields, absent: {}, parts: [], rules: items.rules ?? [], extras: {}, keys, isObject };
}

/**
 * SQL for the values of a record's keys as a struct of texts. Where most records have the same keys, theirs stand in
 * `entry_keys` and `entry_values`; each of these values is then known by its place.
 */
export function rawRecord({ keys, usualKeys }: Shape): string {
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

/** SQL for whether a record has a list of keys, in this order. */
export function hasKeys(keys: readonly string[]): string {
  return `entry_keys = [${keys.map(quoteText).join(', ')}]`;
}

/** SQL for the values of an item as a struct of texts. An entry is an object of one key, a tag may be an object with a name. */
export function rawItem(items: Items): string {
  const shape = itemShape(items);
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

/** The first text that isn't blank; of a name, whose blank text is one, else a blank one. */
function firstText(texts: readonly string[], { type }: Field): string {
  const filled = texts.map((text) => `NULLIF(${text}, '')`);
  return `COALESCE(${[...filled, ...(type === 'name' ? texts : [])].join(', ')})`;
}

/** The text at `a`, or at `a.b`: in the object a, which CSV holds as text. */
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

/** The objects that fields are read from; what may also be a plain value isn't one of them. */
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

/** Names of the fields of a resource that records of these keys don't have, of those that it can be without. */
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

/** SQL for whether a list holds at least one value of a field that can be read and has no fault. */
function hasReadable(list: string, raw: RawField): string {
  const isReadable = (text: string) => {
    const value = fieldValue({ ...raw, text });
    const faults = fieldFaults({ ...raw, name: value }).map(({ condition }) => `NOT (${condition})`);
    return [`${value} IS NOT NULL`, ...faults].join(' AND ');
  };
  return raw.field.type === 'id' ? hasIds(list, isReadable) : hasValues(list, isReadable);
}

/** `has_<list>` for each list of plain values that a rule asks for: whether it has a readable one. */
function idColumns(resource: Resource): Record<string, string> {
  const rules = (resource.rules ?? []).map(({ broken }) => broken).join(' ');
  const asked = Object.entries(resource.items ?? {}).filter(([name]) => rules.includes(`has_${name}`));
  return Object.fromEntries(
    asked.map(([name, { fields }]) => {
      const [raw] = fieldsOfValue(fields);
      return [`has_${name}`, raw ? hasReadable(`raw.${name}`, raw) : 'FALSE'];
    }),
  );
}
