import fc from 'fast-check';
import type { Field, Fields } from '../../src/records/resource/field.ts';
import type { Resource } from '../../src/records/resource/resource.ts';
import { resources } from '../../src/records/resource/resources.ts';

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** The highest id of the test company, for records and references. */
export const MAX_ID = 4;

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '\0', 'a\0b', '\ud800', '\udfff\ud800'];

const DEPTH = 200;

/** Values of every JSON type that no field expects. */
const HOSTILE: readonly unknown[] = [
  ...NAMES,
  "'; DROP TABLE source.people; --",
  '9'.repeat(400),
  'x'.repeat(20_000),
  ...[1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, -1, 0.1, 24.00001, 1e11],
  ...['NaN', 'Infinity', '1e5', ' 1', '٣', '2026-02-30', '0000-01-01', '9999-12-31', '2026-01-01T00:00:00+99:99'],
  ...[true, null, [], {}, [[]], [null], [{}], { id: 1 }, { add: null }, { set: { set: [] } }],
  Object.fromEntries([['__proto__', { name: 'x' }]]),
  Array.from({ length: DEPTH }).reduce<unknown>((inner) => [inner], 1),
  Array.from({ length: DEPTH }).reduce<unknown>((inner) => ({ a: inner }), 1),
];

/** Bodies that are not JSON, or are ambiguous JSON. */
const RAW_BODIES = [
  '',
  '{',
  'null',
  '1e999',
  '"\ud800"',
  '\ufeff{}',
  '{"name":"a","name":"b"}',
  '{"people_id":1e400}',
  '{"__proto__":{"people_id":1}}',
  '['.repeat(100_000),
  '[{},{}]',
  '{"hours":0.1000000000000000000000000000000001}',
];

/** Query strings that are empty or invalid. */
const RAW_QUERIES = ['%', '%00', '%ED%A0%80', 'a[]=1', '__proto__=1', '=', '&&', 'page=0', 'page=9e9', 'per-page=-1'];

const day = fc
  .integer({ min: 0, max: 200 })
  .map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10));
const id = fc.integer({ min: 1, max: MAX_ID });
const decimal = fc.constantFrom<unknown>('0', '1.5', '7.3333', 8, 2.25, '100', '99999999999.9999');

const VALID: Readonly<Record<Field['type'], fc.Arbitrary<unknown>>> = {
  id,
  key: id.map(String),
  name: fc.constantFrom('Ana', 'Ben', ''),
  text: fc.constantFrom('a note', ''),
  word: fc.constantFrom('sideways', ''),
  tag: fc.constantFrom('blue', 'Red'),
  boolean: fc.constantFrom<unknown>(true, false, 1, 0),
  integer: fc.integer({ min: 0, max: 4 }),
  hours: fc.constantFrom<unknown>('0', 1, '7.5', 24, '0.3333'),
  effort: fc.constantFrom<unknown>('0', 40, '120.5'),
  percent: fc.constantFrom<unknown>('0', 40, '99.9999', 100),
  week: fc.constantFrom([0, 8, 8, 8, 8, 8, 0], [0, 0, 0, 0, 0, 0, 0]),
  rate: decimal,
  amount: decimal,
  date: fc.oneof({ weight: 9, arbitrary: day }, { weight: 1, arbitrary: fc.constantFrom('1970-01-01', '2099-12-31') }),
  timestamp: day.map((text) => `${text} 12:00:00`),
  color: fc.constantFrom('4a90d9', '#FF0000'),
  ids: fc.array(id, { maxLength: 3 }),
  json: fc.jsonValue({ maxDepth: 2 }),
};

const hostile = fc.constantFrom(...HOSTILE);

/** 1 for a hostile value; 0 for a valid one. */
type Hostility = 0 | 1;

const HOSTILITIES: fc.Arbitrary<Hostility> = fc.constantFrom(0, 0, 0, 1);

function anyValue({ type, codes, words }: Field, hostility: Hostility): fc.Arbitrary<unknown> {
  const choices = codes ? Object.keys(codes).map(Number) : words && Object.keys(words);
  const valid = choices ? fc.constantFrom<unknown>(...choices) : VALID[type];
  return fc.oneof(
    { weight: 12, arbitrary: valid },
    { weight: hostility, arbitrary: fc.constantFrom(null, ...HOSTILE) },
  );
}

/** Generates an object with some of these fields and all required ones. */
function anyObject(
  fields: Fields,
  hostility: Hostility,
  lists: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<object> {
  const values = Object.entries(fields).map(([name, field]) => [name, anyValue(field, hostility)] as const);
  const required = Object.keys(fields).filter((name) => fields[name]?.required);
  const record = fc.record({ ...Object.fromEntries(values), ...lists }, { requiredKeys: required });
  const strange = fc.array(fc.tuple(fc.constantFrom(...NAMES), hostile), { maxLength: hostility });
  return fc.tuple(record, strange).map(([drawn, more]) => {
    const { start_date: start, end_date: end } = drawn as Record<string, unknown>;
    // Random dates rarely form a window with start before end.
    const days = start && end && String(start) > String(end) ? { start_date: end, end_date: start } : {};
    return Object.fromEntries([...Object.entries({ ...drawn, ...days }), ...more]);
  });
}

function bodyOf({ id: idField, fields, lists: items }: Resource): fc.Arbitrary<object> {
  return HOSTILITIES.chain((hostility) => {
    const lists = Object.entries(items).map(([name, { fields: inner }]) => {
      const list = fc.array(anyObject(inner, hostility), { maxLength: 3 });
      const changes = fc.record({ add: list, del: fc.array(id, { maxLength: 2 }) }, { requiredKeys: [] });
      return [name, fc.oneof(list, changes, fc.array(id, { maxLength: 3 }))] as const;
    });
    const sent = Object.entries(fields).filter(([name]) => name !== idField);
    return anyObject(Object.fromEntries(sent), hostility, Object.fromEntries(lists));
  });
}

/** Encodes a value for a URL, which can't hold lone surrogates. */
const encode = (value: unknown) => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return encodeURIComponent(Buffer.from(text).toString());
};

function queryOf({ fields }: Resource): fc.Arbitrary<string> {
  const filter = fc
    .constantFrom(...Object.keys(fields))
    .chain((name) => anyValue(fields[name] as Field, 1).map((value) => [name, value]));
  const other = fc.tuple(
    fc.constantFrom('page', 'per-page', 'sort', 'fields', 'expand', 'modified_since', ...NAMES),
    hostile,
  );
  const sort = fc.constantFrom(...Object.keys(fields)).map((name) => ['sort', `-${name}`]);
  const pair = fc
    .oneof(filter, filter, sort, other)
    .map(([name, value]) => `${encode(name)}=${encode(value).slice(0, 2_000)}`);
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: pair }, { weight: 1, arbitrary: fc.constantFrom(...RAW_QUERIES) }), {
      maxLength: 4,
    })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

/** Any request for records: valid, nearly valid or hostile. */
export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc.constantFrom(...resources).chain((resource) => {
  const path = `/v3/${resource.name.replaceAll('_', '-')}`;
  const one = fc
    .oneof(
      { weight: 9, arbitrary: id.map(String) },
      { weight: 1, arbitrary: hostile.map((value) => encode(value).slice(0, 2_000)) },
    )
    .map((text) => `${path}/${text}`);
  const text = fc.oneof(
    { weight: 20, arbitrary: bodyOf(resource).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.constantFrom(...RAW_BODIES) },
    { weight: 1, arbitrary: hostile.map((value) => JSON.stringify(value)) },
  );
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ method: fc.constant('GET'), path: queryOf(resource).map((query) => path + query) }),
    },
    { weight: 1, arbitrary: fc.record({ method: fc.constant('GET'), path: one }) },
    { weight: 6, arbitrary: fc.record({ method: fc.constant('POST'), path: fc.constant(path), body: text }) },
    { weight: 5, arbitrary: fc.record({ method: fc.constantFrom('PATCH', 'PUT'), path: one, body: text }) },
    { weight: 1, arbitrary: fc.record({ method: fc.constant('DELETE'), path: one }) },
  );
});
