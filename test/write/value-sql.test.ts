import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import type { Meta, Table, Unit } from '../../src/numbers/report/catalogue/table.ts';
import { writeCsv } from '../../src/numbers/write/csv-writer.ts';
import { writeJson } from '../../src/numbers/write/json-writer.ts';
import { writeNdjson } from '../../src/numbers/write/ndjson-writer.ts';
import { columnsOf, META, readBytes, tableOf, withoutSelection } from './tables.ts';

/** Texts that could break a format: formulas, quotes, line ends, control characters, scripts. */
const TEXTS = [
  ...[
    '',
    ' ',
    'plain',
    'null',
    '=1+1',
    '+1',
    '-1',
    '@sum',
    '\tx',
    '\rx',
    '\nx',
    "'=1",
    'a=b',
    '=a,b',
    '="a"',
    '-"\r\n,',
  ],
  ...['a,b', 'a"b', '"', '""', 'a\rb', 'a\nb', 'a\r\nb', '\\', '\\n', '\\u000b', '/', "it's", '$1', '%s', '{}', ';'],
  ...['late; rate', '; "; '],
  ...[
    'é',
    'ß',
    '日本語',
    '👩‍💻 at work',
    '\u2028',
    '\u2029',
    '\u00a0',
    '\u007f',
    '\u0085',
    'a\ufeffb',
    '\ufffd',
    '‮abc',
  ],
  ...Array.from({ length: 0x20 }, (_, code) => `a${String.fromCharCode(code)}b`),
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)),
  'x'.repeat(40_000),
  '"\n\u0001=,\\'.repeat(7_000),
];

const DECIMALS: Readonly<Record<string, readonly string[]>> = {
  'DECIMAL(9,4)': ['0', '8', '0.5', '12.25', '0.3333', '0.1', '0.1230', '-0.5', '-0.0001', '-12.3400', '99999.9999'],
  'DECIMAL(18,4)': ['0', '100', '1.05', '1.005', '1.0005', '-1.2', '99999999999999.9999', '-99999999999999.9990'],
  'DECIMAL(38,4)': ['0', '1.5', '9999999999999999999999999999999999.9999', '-9999999999999999999999999999999999.9900'],
  'DECIMAL(18,2)': ['0', '1.5', '-1.25', '100'],
  'DECIMAL(38,1)': ['0', '1.5', '9999999999999999999999999999999999999.9'],
  'DECIMAL(9,1)': ['0', '1.5', '-2'],
  'DECIMAL(9,0)': ['0', '15', '-2', '120'],
};
const DECIMAL_UNITS: readonly Unit[] = ['hours', 'money', 'rate', 'percent', 'budget', 'text', 'count'];

let database: Database;

beforeAll(async () => {
  database = await openDatabase(':memory:');
  await database.run('CREATE TABLE texts (place INTEGER, text VARCHAR, other VARCHAR)');
  for (const [place, text] of [...TEXTS, null].entries()) {
    await database.run('INSERT INTO texts VALUES (?, ?, ?)', [place, text, text]);
  }
});
afterAll(() => database.close());

/** Writes one table in every text format, by the database and by JavaScript. */
async function writeBoth(makeTable: () => Table, meta: Partial<Meta> = {}) {
  const make = () => ({ ...makeTable(), meta: { ...META, ...meta } });
  const unread: Table['rows'] = {
    [Symbol.asyncIterator]: () => {
      throw new Error('The rows were read in JavaScript');
    },
  };
  const writers = [
    (table: Table) => writeCsv(table),
    (table: Table) => writeCsv(table, { csv: 'comma' }),
    (table: Table) => writeJson(table),
    (table: Table) => writeJson(table, { decimals: 'string' }),
    (table: Table) => writeNdjson(table),
    (table: Table) => writeNdjson(table, { decimals: 'string' }),
  ];
  const written = writers.map(async (write) => {
    const byDatabase = await readBytes(write({ ...make(), rows: unread }));
    const byJavaScript = await readBytes(write(withoutSelection(make())));
    return { byDatabase: byDatabase.toString(), byJavaScript: byJavaScript.toString() };
  });
  return Promise.all(written);
}

function firstDifference(one: string, other: string): string | undefined {
  if (one === other) return undefined;
  const at = Array.from(one).findIndex((_, index) => one[index] !== other[index]);
  return `${JSON.stringify(one.slice(at - 30, at + 30))} against ${JSON.stringify(other.slice(at - 30, at + 30))}`;
}

describe('the database writes the same bytes as JavaScript', () => {
  it.each(['code', 'list'] as const)('for any text, as a text and as a %s', async (unit) => {
    const columns = columnsOf({ text: 'text', other: unit });
    const statement = 'SELECT text, other FROM texts ORDER BY place';
    for (const { byDatabase, byJavaScript } of await writeBoth(() => tableOf(database, columns, [statement]))) {
      expect(firstDifference(byDatabase, byJavaScript)).toBeUndefined();
      expect(byDatabase.length).toBeGreaterThan(2 * 40_000);
    }
  });

  it.each(Object.entries(DECIMALS))(
    'for decimals of the type %s, in every unit and currency',
    async (type, decimals) => {
      const columns = columnsOf(Object.fromEntries(DECIMAL_UNITS.map((unit) => [`as_${unit}`, unit])));
      const list = DECIMAL_UNITS.map((unit) => `CAST(value AS ${type}) AS as_${unit}`).join(', ');
      const values = [...decimals.map(quoteText), 'NULL'].map((value, place) => `(${place}, ${value})`).join(', ');
      const statement = `SELECT ${list} FROM (VALUES ${values}) AS listed (place, value) ORDER BY place`;
      for (const minor_units of [0, 2, 3, 4]) {
        const make = () => tableOf(database, columns, [statement]);
        for (const { byDatabase, byJavaScript } of await writeBoth(make, { minor_units })) {
          expect(firstDifference(byDatabase, byJavaScript)).toBeUndefined();
        }
      }
    },
  );

  it('for ids, dates, booleans, enumerations and null', async () => {
    const columns = columnsOf({ id: 'id', big: 'count', day: 'date', flag: 'boolean', kind: 'text', huge: 'id' });
    const statement = `SELECT CAST(id AS INTEGER) AS id, CAST(id AS BIGINT) * 90071992547409 AS big, DATE '1970-01-01' + CAST(id AS INTEGER) AS day,
        id % 2 = 0 AS flag, CAST('=b' AS ENUM('a', '=b')) AS kind, CAST(id AS HUGEINT) * 90071992547409930001 AS huge
      FROM (VALUES (-1), (0), (7), (47481)) AS listed (id) UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL`;
    for (const { byDatabase, byJavaScript } of await writeBoth(() => tableOf(database, columns, [statement]))) {
      expect(firstDifference(byDatabase, byJavaScript)).toBeUndefined();
    }
  });

  it('for columns with names that need quoting', async () => {
    const columns = columnsOf({ 'a "b", c': 'text', "it's\n": 'hours' });
    const statement = `SELECT 'x' AS "a ""b"", c", CAST(1.5 AS DECIMAL(9,4)) AS "it's\n"`;
    for (const { byDatabase, byJavaScript } of await writeBoth(() => tableOf(database, columns, [statement]))) {
      expect(firstDifference(byDatabase, byJavaScript)).toBeUndefined();
    }
  });

  it('for several statements, some of them without rows, and for none', async () => {
    const columns = columnsOf({ id: 'id' });
    const [some, none] = ['SELECT range AS id FROM range(5000)', 'SELECT 1 AS id WHERE FALSE'];
    for (const statements of [[none, some, none, some], [some, none], [none, none], [none]]) {
      for (const { byDatabase, byJavaScript } of await writeBoth(() => tableOf(database, columns, statements))) {
        expect(firstDifference(byDatabase, byJavaScript)).toBeUndefined();
      }
    }
  });
});

it('writes the words of a list as a JSON array', async () => {
  const table = tableOf(database, columnsOf({ causes: 'list' }), [
    "SELECT * FROM (VALUES ('late; rate'), ('late'), (NULL)) AS listed (causes)",
  ]);
  const expected = '{"causes":["late","rate"]}\n{"causes":["late"]}\n{"causes":null}\n';
  expect((await readBytes(writeNdjson(table))).toString()).toBe(expected);
});

it.each([
  ['TIMESTAMP', 'text', '2026-01-01 10:00:00', '"2026-01-01 10:00:00"'],
  ['DECIMAL(4,4)', 'hours', '0.5', '0.50'],
  ['VARCHAR', 'hours', '0.5', '0.50'],
] as const)('leaves a column of %s and the unit %s to JavaScript', async (type, unit, value, expected) => {
  const table = tableOf(database, columnsOf({ value: unit }), [`SELECT CAST('${value}' AS ${type}) AS value`]);
  expect((await readBytes(writeNdjson(table))).toString()).toBe(`{"value":${expected}}\n`);
});
