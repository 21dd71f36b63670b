import type { Field } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';
import { CONTROL_FIELDS, CONTROL_NAMES } from './control-fields.ts';
import { type FieldSource, type SourceKind, UNPIVOTED_PARTS } from './mapping.ts';
import { assertCode, type Form, NOTATION_KEYS, readForm } from './read-form.ts';
import { fieldCalled, fieldNames } from './record-members.ts';
import { failUnknown, type YamlValue } from './yaml-reader.ts';

/** The names that say where a value comes from; one of them is given. */
const KIND_KEYS = ['column', 'name', 'row', 'value', 'named', 'from', 'sum', 'filled', 'unpivot'] as const;

const FIELD_KEYS = [...KIND_KEYS, 'to', 'less', 'sign', 'fill', 'order', 'spread', 'prefer', ...NOTATION_KEYS] as const;

/** The signs that an amount may be given. */
export const SIGNS = ['minus'] as const;

export const SUM_UNITS = ['hours', 'minutes', 'seconds'] as const;

/** The record whose values count, if several give different ones. */
export const PREFERENCES = ['first', 'last'] as const;

type KindKey = (typeof KIND_KEYS)[number];
type Members = Readonly<Partial<Record<(typeof FIELD_KEYS)[number], YamlValue>>>;

type ReadKind = (
  value: YamlValue,
  members: Members,
  field: Field | undefined,
) => Partial<FieldSource> & Pick<FieldSource, 'kind'>;

const READ_KINDS: Readonly<Record<KindKey, ReadKind>> = {
  column: (value) => ({ kind: 'column', columns: readColumns(value) }),
  name: (value) => ({ kind: 'name', columns: readColumns(value) }),
  row: (value) => (value.value === true ? { kind: 'row' } : value.fail('is not true', 'Write row: true.')),
  value: (value, _, field) => ({ kind: 'value', value: readConstant(value, field) }),
  named: (value) => ({ kind: 'named', value: value.text() }),
  from: readInterval,
  sum: readSum,
  filled: (value) => ({ kind: 'filled', columns: readColumns(value) }),
  unpivot: (value) => ({ kind: 'unpivot', value: value.oneOf(UNPIVOTED_PARTS) }),
};

/** The type of the fields that a kind of source is for. */
const NEEDED_TYPES: Readonly<Partial<Record<SourceKind, readonly string[]>>> = {
  name: ['id', 'key'],
  row: ['id', 'key'],
  named: ['id', 'key'],
  interval: ['hours'],
  sum: ['hours'],
  filled: ['boolean'],
};

/** Reads the fields of a file with their sources. @throws AppError input for one that means nothing. */
export function readFields(value: YamlValue, resource: Resource, form: Form): FieldSource[] {
  const known = fieldNames(resource);
  return value.entries().map(([name, source]) => {
    if (!known.includes(name)) failUnknown(source, name, known);
    return readSource(source, name, fieldCalled(resource, name), form);
  });
}

/** Reads the columns that the hours and amounts of a file are compared with. */
export function readControls(value: YamlValue, { notation, words }: Form): FieldSource[] {
  // Amounts have signs of currencies, which only a decimal mark makes readable.
  const form = { notation: { ...notation, decimal: notation.decimal ?? 'point' }, words } as const;
  return value.entries().map(([name, source]) => {
    const known = CONTROL_NAMES.find((each) => each === name);
    return known ? readSource(source, name, CONTROL_FIELDS[known], form) : failUnknown(source, name, CONTROL_NAMES);
  });
}

function readSource(value: YamlValue, field: string, type: Field | undefined, form: Form): FieldSource {
  const isShort = typeof value.value !== 'object' || Array.isArray(value.value);
  if (isShort) return { field, kind: 'column', columns: readColumns(value), ...form };
  const members = value.members(FIELD_KEYS);
  const kinds = KIND_KEYS.filter((key) => members[key] !== undefined);
  const [key] = kinds;
  if (key === undefined || kinds.length > 1)
    return value.fail(`needs one of ${KIND_KEYS.join(', ')}`, 'Write for example column: Hours.');
  const source = READ_KINDS[key](members[key] ?? value, members, type);
  const needed = NEEDED_TYPES[source.kind];
  if (needed && !needed.includes(type?.type ?? ''))
    return value.fail(
      `takes no ${key}, because ${field} is ${needed[0] === 'id' ? 'no id' : `no ${needed[0]}`}`,
      'Write column: with the name of a column.',
    );
  const less = members.less && readLess(members.less, field, type, form);
  return {
    field,
    columns: [],
    ...readModifiers(members, value, type),
    ...readForm(members, form, type),
    ...(less && { less }),
    ...source,
  };
}

/** Reads what changes a value after it is found. */
function readModifiers(
  { fill, order, spread, prefer, sign, to, from }: Members,
  value: YamlValue,
  type: Field | undefined,
) {
  if (sign && type?.type !== 'amount')
    sign.fail('is for amounts only', 'Leave it out, or write it at the field amount.');
  if (to && !from) value.fail('has to without from', 'Write from: with the column in which the work begins.');
  if (spread && type?.type !== 'hours')
    spread.fail('is for hours only', 'Leave it out, or write it at the field hours.');
  return {
    ...(fill && { fillsDown: fill.oneOf(['down']) === 'down' }),
    ...(order && { isLastFirst: order.oneOf(['last-first']) === 'last-first' }),
    ...(spread && { spread: spread.oneOf(['workdays']) }),
    ...(prefer && { prefer: prefer.oneOf(PREFERENCES) }),
    ...(sign && { isNegated: sign.oneOf(SIGNS) === 'minus' }),
  };
}

/** Kinds of sources that may be taken off hours. */
const SUBTRACTED: readonly FieldSource['kind'][] = ['column', 'sum'];

/**
 * Reads the breaks that are taken off hours: a column with its form, or hours and minutes in two, whose texts say their unit. Of an
 * amount, each column of a list is taken off.
 */
function readLess(value: YamlValue, field: string, type: Field | undefined, form: Form): FieldSource {
  if (type?.type === 'amount') return readLessAmount(value, field, type, form);
  if (type?.type !== 'hours')
    value.fail('is for hours and amounts only', 'Leave it out, or write it at the field hours.');
  const less = readSource(value, field, type, {
    notation: { ...form.notation, hours: 'units' },
    words: form.words,
  });
  if (SUBTRACTED.includes(less.kind)) return less;
  return value.fail('names no column of breaks', 'Write for example less: {column: Break, hours: minutes}.');
}

function readLessAmount(value: YamlValue, field: string, type: Field, form: Form): FieldSource {
  const less = readSource(value, field, type, form);
  if (less.kind === 'column' && less.less === undefined) return less;
  return value.fail('names no column of amounts', 'Write for example less: [Tax 1, Tax 2].');
}

function readInterval(from: YamlValue, { to }: Members): ReturnType<ReadKind> {
  const columns = readColumns(from);
  const end = to ?? from.fail('has no to', 'Write to: with the column in which the work ends.');
  return { kind: 'interval', columns: [...columns, ...readColumns(end)], split: columns.length };
}

function readSum(value: YamlValue): ReturnType<ReadKind> {
  const members = value.members(SUM_UNITS);
  const units = SUM_UNITS.filter((unit) => members[unit] !== undefined);
  if (units.length === 0) value.fail('names no column', 'Write for example {hours: Hours, minutes: Minutes}.');
  return { kind: 'sum', columns: units.map((unit) => members[unit]?.text() ?? ''), units };
}

function readColumns(value: YamlValue): string[] {
  if (!Array.isArray(value.value)) return [value.text()];
  const columns = value.items().map((item) => item.text());
  return columns.length > 0 ? columns : value.fail('is an empty list', 'Name the columns.');
}

/** Reads a value that every row has; of a code, its number or its name. */
function readConstant(value: YamlValue, type: Field | undefined): string {
  const { value: given } = value;
  if (typeof given === 'object') return value.fail('is no plain value', 'Write a text, a number, true or false.');
  const code = assertCode(value, type, given as string | number | boolean);
  return code ?? (typeof given === 'number' ? value.text() : String(given));
}
