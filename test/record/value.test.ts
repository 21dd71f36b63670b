import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText, type Value } from '../../src/base/database/database.ts';
import { buildRecordQuery, LEFT_OUT, REASONS } from '../../src/records/ingest/records/record-query.ts';
import { EFFORT_LIMIT, type Field, type FieldType, RATE_LIMIT } from '../../src/records/resource/field.ts';
import { defineResource } from '../../src/records/resource/resource.ts';
import { type Parsed, parseValue } from '../../src/store/record/value.ts';

/** One field of each type, and integers with codes or a range. */
const FIELDS: Readonly<Record<string, Field>> = {
  id: { type: 'id' },
  key: { type: 'key' },
  name: { type: 'name' },
  text: { type: 'text' },
  word: { type: 'word', words: { inside: 'part of it', on_top: 'beside it' } },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  code: { type: 'integer', codes: { 0: 'none', 1: 'some', 4: 'all' } },
  range: { type: 'integer', min: 1, max: 12 },
  hours: { type: 'hours' },
  week: { type: 'week' },
  rate: { type: 'rate' },
  amount: { type: 'amount' },
  date: { type: 'date' },
  timestamp: { type: 'timestamp' },
  color: { type: 'color' },
  effort: { type: 'effort' },
  percent: { type: 'percent' },
  ids: { type: 'ids' },
  json: { type: 'json' },
};

/** Every type of the schema, checked by the compiler; a tag is only read in lists. */
const TYPES: Readonly<Record<Exclude<FieldType, 'tag'>, true>> = {
  id: true,
  key: true,
  name: true,
  text: true,
  word: true,
  boolean: true,
  integer: true,
  hours: true,
  effort: true,
  percent: true,
  week: true,
  rate: true,
  amount: true,
  date: true,
  timestamp: true,
  color: true,
  ids: true,
  json: true,
};

const digits = fc.tuple(
  fc.constantFrom('', '-', '+'),
  fc.bigInt({ min: 0n, max: 10n ** 20n }),
  fc.constantFrom('', '.', '.0', '.00005', '.5', '.12345'),
);

/** Texts close to values of some type, and numbers in unusual notations. */
const nearly = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '00',
    '0.0',
    '1.0',
    '1.',
    '.5',
    '-0',
    '-1',
    '+1',
    '1e3',
    '1E3',
    ' 5',
    '5 ',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
    '1,5',
  ),
  fc.constantFrom(
    'true',
    'True',
    'TRUE',
    'false',
    'yes',
    'no',
    't',
    'null',
    '{}',
    '[]',
    'inside',
    ' On_Top\t',
    'constructor',
    '{"a":1}',
    '[1]',
    "it's",
    'ä',
    '\u0000',
    '\n',
    '"',
  ),
  fc.constantFrom(
    '24',
    '24.0',
    '24.0000004',
    '24.0000005',
    '23.9999995',
    '24.000001',
    '24.00005',
    '100.00004',
    '100.00005',
    EFFORT_LIMIT,
    '-0.00004',
    RATE_LIMIT,
    `${Number(RATE_LIMIT) - 1}.99995`,
    '99999999999.9999',
    '100000000000',
  ),
  fc.constantFrom(
    '2147483647',
    '2147483648',
    '-2147483648',
    '9007199254740991',
    '9007199254740992',
    '9223372036854775807',
    '9223372036854775808',
  ),
  digits.map((parts) => parts.join('')),
);

const dates = fc.oneof(
  fc.constantFrom(
    '1970-01-01',
    '1969-12-31',
    '2099-12-31',
    '2100-01-01',
    '2026-02-29',
    '2028-02-29',
    '2026-2-3',
    '2026-02-31',
    '0000-00-00',
    '20260203',
    '2026-13-01',
    '12026-01-01',
  ),
  fc
    .date({ min: new Date('1960-01-01'), max: new Date('2110-01-01'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
);

const times = fc
  .tuple(
    dates,
    fc.constantFrom('', ' ', 'T', 't'),
    fc.constantFrom(
      '',
      '00:00',
      '23:59:59',
      '24:00:00',
      '12:30:60',
      '12:60',
      '7:00',
      '12:00:00.5',
      '12:00:00.123456789',
      '12:00:00.1234567891',
    ),
    fc.constantFrom('', 'Z', 'z', '+02', '+02:00', '-0530', '+2', '+14:00', '-15:59', '+16:00', ' +02', '+02:60'),
  )
  .map((parts) => parts.join(''));

const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1, max: 25, noNaN: true }),
  fc.constantFrom(0, -0, 1, 24, 24.00005, 0.1 + 0.2, 1e21, 1e-7, 5e-324, 2 ** 53, 399999999.99995, 1.00005),
);

const scalars = fc.oneof(nearly, dates, times, numbers, fc.string(), fc.boolean(), fc.constant(null));

const weeks = fc.array(fc.oneof(nearly, numbers, fc.constantFrom(8, '8', '7.5')), { minLength: 6, maxLength: 8 });

/** Weeks as text, as in a CSV cell. */
const weekTexts = fc
  .tuple(
    fc.array(fc.constantFrom('8', '7.5', '0', '8.00005', '25', 'x'), { minLength: 6, maxLength: 8 }),
    fc.constantFrom(',', ', '),
  )
  .chain(([hours, comma]) => fc.constantFrom(hours.join(comma), `[${hours.join(comma)}]`));

const values = fc.oneof(
  { weight: 8, arbitrary: scalars },
  { weight: 2, arbitrary: weeks },
  { weight: 2, arbitrary: weekTexts },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** A value or a refusal; the wording of reasons may differ. */
type Verdict = { readonly value: Value } | 'refused';

function judgeWritten(field: Field, parsed: Parsed): Verdict {
  return 'value' in parsed ? { value: plain(field, parsed.value) } : 'refused';
}

function judgeLoaded(field: Field, row: { value: Value; reasons: Value } | undefined): Verdict {
  const { value = null, reasons = null } = row ?? {};
  return reasons === null ? { value: plain(field, value) } : 'refused';
}

/** Parses JSON, whose spelling doesn't matter. */
function plain({ type }: Field, value: Value): Value {
  return type === 'json' && typeof value === 'string' ? (JSON.parse(value) as Value) : value;
}

/**
 * Tells whether the two may differ: unsafe integers load from text only, U+0000 can't be written,
 * and numbers for text fields keep each side's notation of exponents.
 */
function isApart({ type }: Field, sent: unknown): boolean {
  if (typeof sent === 'string' && sent.includes('\0')) return true;
  if (type === 'ids') return /\d{16}|e\+/.test(JSON.stringify(sent));
  if (type === 'id') return typeof sent !== 'object' && Math.abs(Number(sent)) > Number.MAX_SAFE_INTEGER;
  return (
    ['key', 'name', 'text'].includes(type) && typeof sent === 'number' && !/^-?\d{1,15}(\.\d{1,6})?$/.test(String(sent))
  );
}

/** Moments of years that four digits don't write, in the engine's own words. */
const YEARS = ['12026-01-01 23:59:59', '0044-03-15 (BC) 12:00:00', '9999-12-31 23:59:59', 'infinity'];

describe('a written value', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(':memory:');
  });
  afterAll(() => database.close());

  const load = async (field: Field, sent: readonly unknown[]): Promise<{ value: Value; reasons: Value }[]> => {
    const resource = defineResource({
      name: 'things',
      id: 'thing_id',
      fields: { thing_id: { type: 'id' }, x: field },
    });
    const records = sent.map(
      (value, index) => `(${index}, ${quoteText(JSON.stringify({ thing_id: index + 1, x: value }))})`,
    );
    const relation = `SELECT 1 AS file, json, CAST(NULL AS VARCHAR) AS problem, CAST(NULL AS BIGINT) AS container_row,
      CAST(NULL AS BIGINT) AS container_id FROM (VALUES ${records.join(', ')}) AS given (place, json)`;
    return database.rows(
      `SELECT x AS value, COALESCE(${REASONS}, list_transform(${LEFT_OUT}, lambda v: v.reason)) AS reasons FROM (${buildRecordQuery(resource, relation)}) ORDER BY thing_id`,
    );
  };

  it('covers every type', () => {
    const covered = new Set(Object.values(FIELDS).map(({ type }) => type));
    expect([...covered].sort()).toEqual(Object.keys(TYPES).sort());
  });

  it.each(Object.entries(FIELDS))('is null if blank, and so is a loaded one: %s', async (_name, field) => {
    const blank = field.type === 'name' ? '' : null;
    expect(parseValue(field, '')).toEqual({ value: blank });
    expect(await load(field, ['', null])).toEqual([
      { value: blank, reasons: null },
      { value: null, reasons: null },
    ]);
  });

  it.each(Object.entries(FIELDS))('is judged and read like a loaded one: %s', async (_name, field) => {
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 40, maxLength: 40 }), async (drawn) => {
        const sent = drawn.filter((value) => !isApart(field, value));
        const loaded = await load(field, sent);
        const written = sent.map((value) => [value, judgeWritten(field, parseValue(field, value))]);
        const loadedVerdicts = sent.map((value, index) => [value, judgeLoaded(field, loaded[index])]);
        expect(written).toEqual(loadedVerdicts);
      }),
      { numRuns: 15, examples: [[YEARS]] },
    );
  });
});
