import type { Field, Fields, FieldType, Items } from '../../src/records/resource/field.ts';
import { AMOUNT_LIMIT, EFFORT_LIMIT, MAX_JSON_PARTS, RATE_LIMIT } from '../../src/records/resource/field.ts';
import type { Resource } from '../../src/records/resource/resource.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface WrongRecord {
  readonly record: Readonly<Record<string, Json>>;
  /** The wrong field, which begins the reason. */
  readonly field: string;
}

const WEEK = [0, 8, 8, 8, 8, 8, 0];

const VALUES: Readonly<Record<FieldType, { readonly good: Json; readonly wrong: readonly Json[] }>> = {
  id: { good: 1, wrong: ['abc', -7, 1.5, true, [1], { id: 1 }] },
  key: { good: 'a1', wrong: [true, ['a1'], { id: 'a1' }] },
  name: { good: 'Ada', wrong: [true, ['Ada'], { name: 'Ada' }] },
  text: { good: 'A-1', wrong: [false, ['A-1'], { text: 'A-1' }] },
  // The good value is the first of the field's own words.
  word: { good: null, wrong: ['sideways', 7, true, ['inside'], { word: 'inside' }] },
  tag: { good: 'red', wrong: [true, ['red'], { label: 'red' }] },
  boolean: { good: true, wrong: ['maybe', 2, [true]] },
  integer: { good: 1, wrong: ['abc', 1.5, 4294967296, [1]] },
  hours: { good: 8, wrong: ['abc', '8h', -1, 25, true, [8]] },
  // Beside a percentage, remaining hours would be a fault.
  effort: { good: null, wrong: ['abc', '8h', -1, Number(EFFORT_LIMIT), true, [8]] },
  percent: { good: 40, wrong: ['abc', '40 %', -1, 100.0001, true, [40]] },
  week: { good: WEEK, wrong: ['abc', 8, [8, 8], [...WEEK.slice(1), 25], [...WEEK.slice(1), 'x'], { monday: 8 }] },
  rate: { good: 10, wrong: ['abc', '10 EUR', -1, Number(RATE_LIMIT), true, [10]] },
  amount: { good: 10, wrong: ['abc', '10 EUR', -1, Number(AMOUNT_LIMIT), true, [10]] },
  date: { good: '2026-01-05', wrong: ['abc', '2026-02-31', '05.01.2026', '1969-12-31', '2100-01-01', 20260105, true] },
  timestamp: { good: '2026-01-05 08:00:00', wrong: ['abc', '2026-02-31 08:00:00', 1767600000, true] },
  // An unreadable color is dropped and its record kept: test/long/records/ingest-fields.test.ts.
  color: { good: '4a90d9', wrong: [] },
  ids: { good: [1, 2], wrong: ['abc', [-7], [1.5], { id: 1 }, [null], true] },
  json: { good: { view: [1] }, wrong: [Array(MAX_JSON_PARTS).fill([])] },
};

/** Values of good records for which those of their types are wrong together. */
const FIT: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  retainers: { expires_after: null, amounts: [{ amount: 40 }] },
  invoice_lines: { covers: [{ logged_time_id: 'a' }] },
  write_offs: { covers: [{ logged_time_id: 'a' }] },
};

/** Types whose CSV values are texts, so none is wrong. */
const TEXTS: ReadonlySet<FieldType> = new Set(['key', 'name', 'text', 'tag']);

/** Makes a good record with every field and list, then one per wrong value of each. */
export function wrongRecords(
  resource: Resource,
  format: 'json' | 'csv',
): { good: WrongRecord['record']; bad: WrongRecord[] } {
  // A list inside the items of another is no member of the record.
  const own = Object.fromEntries(Object.entries(resource.lists).filter(([, { within }]) => !within));
  const good = { ...goodObject(resource.fields, own), ...FIT[resource.name] };
  const lists = [
    ...Object.entries(own).map(([name, { shape }]) => ({
      name,
      noList: shape === 'list' ? { no: 'list' } : [1],
    })),
    ...Object.keys(resource.nested ?? {}).map((name) => ({ name, noList: { no: 'list' } })),
  ];
  const bad = [
    ...wrongObjects(resource.fields, good).filter(({ type }) => format === 'json' || !TEXTS.has(type)),
    ...lists.map(({ name, noList }) => ({ field: name, record: { ...good, [name]: noList } })),
    ...requiredOf(resource.fields).map((field) => ({ field, record: without(good, resource.fields[field], field) })),
  ];
  return {
    good,
    bad: bad.map(({ field, record }, index) => ({ field, record: withId(resource, record, field, index) })),
  };
}

/** Makes a list with one good item, then one item per wrong value of each of its fields. */
export function wrongItems(items: Items): { list: Json; wrongCount: number } {
  if (items.shape === 'entries') {
    const wrong = VALUES.week.wrong.map((week, index) => [`2026-03-${index + 10}`, week]);
    const entries = [['2026-02-01', WEEK], ['tomorrow', WEEK], ['2026-02-31', WEEK], ...wrong];
    return { list: Object.fromEntries(entries) as Json, wrongCount: entries.length - 1 };
  }
  // The fields that name the item around a list come from that item.
  const own = Object.entries(items.fields).filter(([name]) => !items.within?.keys.includes(name));
  const fields: Fields = Object.fromEntries(own);
  const [plain] = Object.values(fields).filter(({ from }) => from?.includes('$'));
  const { good, wrong } = plain
    ? VALUES[plain.type]
    : {
        good: goodItem(fields),
        wrong: wrongObjects(fields, goodItem(fields)).map(({ record }) => record),
      };
  return { list: [good, ...wrong, ...(plain ? [] : ['no object', 5])], wrongCount: wrong.length + (plain ? 0 : 2) };
}

/** Makes a good item; one that covers a record names either logged time or an expense. */
function goodItem(fields: Fields): Record<string, Json> {
  const { logged_time_id: covered, project_expense_id: _, ...item } = goodObject(fields);
  return covered === undefined ? goodObject(fields) : { ...item, logged_time_id: covered };
}

function goodObject(fields: Fields, items: Resource['lists'] = {}): Record<string, Json> {
  const object: Record<string, Json> = {};
  for (const [name, field] of Object.entries(fields)) {
    const [word] = Object.keys(field.words ?? {});
    put(object, field.from?.[0] ?? name, word ?? VALUES[field.type].good);
  }
  for (const [name, { shape }] of Object.entries(items)) object[name] = shape === 'entries' ? {} : [];
  return object;
}

function wrongObjects(fields: Fields, good: Readonly<Record<string, Json>>) {
  return Object.entries(fields).flatMap(([name, field]) =>
    (field.from ?? [name]).flatMap((path) =>
      wrongValuesAt(field, path).map((value) => {
        const record = without(good, field, name);
        put(record, path, value);
        return { field: name, type: field.type, record };
      }),
    ),
  );
}

/** Lists the wrong values of a field at a path, except objects with a member of the field. */
function wrongValuesAt({ type, isSigned, from = [] }: Field, path: string): readonly Json[] {
  const wrong = VALUES[type].wrong.map((value) => (isSigned && value === -1 ? -Number(AMOUNT_LIMIT) : value));
  if (!from.some((other) => other.startsWith(`${path}.`))) return wrong;
  return wrong.filter((value) => typeof value !== 'object' || Array.isArray(value));
}

/** Copies a record without a field, under any of its names. */
function without(record: Readonly<Record<string, Json>>, field: Field | undefined, name: string): Record<string, Json> {
  const copy = structuredClone(record) as Record<string, Json>;
  for (const path of field?.from ?? [name]) {
    const [head = '', member] = path.split('.');
    if (member === undefined) delete copy[head];
    else delete (copy[head] as Record<string, Json> | undefined)?.[member];
  }
  return copy;
}

function put(record: Record<string, Json>, path: string, value: Json): void {
  const [head = '', member] = path.split('.');
  if (member === undefined) record[head] = value;
  else record[head] = { ...(record[head] as Record<string, Json> | undefined), [member]: value };
}

function requiredOf(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required);
}

/** Gives each record an id of its own, unless the id is the wrong value. */
function withId({ id, fields }: Resource, record: Readonly<Record<string, Json>>, field: string, index: number) {
  return field === id ? record : { ...record, [fields[id]?.from?.[0] ?? id]: 1000 + index };
}
