import { describe, expect, test } from 'vitest';
import { reasonsOf, rowsOf, withDataset } from '../../ingest/dataset.ts';

const entry = { logged_time_id: 'a', people_id: 1, date: '2026-01-05', hours: 8 };
const person = { people_id: 1 };

/** Returns a record as JSON with the value of one field inserted as raw JSON. */
function withField(record: object, field: string, json: string): string {
  const rest = Object.entries(record).filter(([name]) => name !== field);
  return `{${[...rest.map(([name, value]) => `"${name}":${JSON.stringify(value)}`), `"${field}":${json}`].join(',')}}`;
}

const DAY = 'not a day written YYYY-MM-DD';

describe('1.2 a valid value is read', () => {
  test.each([
    ['an id as a number', 'people', person, 'department_id', '7', 7],
    ['an id as a string', 'people', person, 'department_id', '"7"', 7],
    ['an id with leading zeros', 'people', person, 'department_id', '"007"', 7],
    ['an id of a floating column', 'people', person, 'department_id', '7.0', 7],
    ['an id of 18 digits', 'people', person, 'department_id', '123456789012345678', 123456789012345678n],
    ['no id: 0', 'people', person, 'department_id', '0', null],
    ['no id: "0"', 'people', person, 'department_id', '"0"', null],
    ['no id: empty', 'people', person, 'department_id', '""', null],
    ['no id: null', 'people', person, 'department_id', 'null', null],
    ['any text as a key', 'logged_time', entry, 'logged_time_id', '"61d2-x"', '61d2-x'],
    ['a number as a key', 'logged_time', entry, 'logged_time_id', '17', '17'],
    ['a name', 'people', person, 'name', '"Zoë \\"Z\\" \\u00c5"', 'Zoë "Z" Å'],
    ['an empty name', 'people', person, 'name', '""', ''],
    ['a name that looks like a list', 'people', person, 'name', '"[1,2]"', '[1,2]'],
    ['a name that looks like an object', 'people', person, 'name', '"{x"', '{x'],
    ['a name that looks like true', 'people', person, 'name', '"true"', 'true'],
    ['empty notes', 'logged_time', entry, 'notes', '""', ''],
    ['an empty text', 'people', person, 'email', '""', null],
    ['a number as a text', 'people', person, 'people_code', '17', '17'],
    ['true', 'people', person, 'active', 'true', true],
    ['1', 'people', person, 'active', '1', true],
    ['"1"', 'people', person, 'active', '"1"', true],
    ['"true"', 'people', person, 'active', '"true"', true],
    ['false', 'people', person, 'active', 'false', false],
    ['0', 'people', person, 'active', '0', false],
    ['"0"', 'people', person, 'active', '"0"', false],
    ['"FALSE"', 'people', person, 'active', '"FALSE"', false],
    ['1.0 of a floating column', 'people', person, 'active', '1.0', true],
    ['a code as a number', 'people', person, 'people_type_id', '3', 3],
    ['a code as a string', 'people', person, 'people_type_id', '"3"', 3],
    ['hours as a number', 'logged_time', entry, 'hours', '7.5', '7.5000'],
    ['hours as a string', 'logged_time', entry, 'hours', '"7.5"', '7.5000'],
    ['hours with an exponent', 'logged_time', entry, 'hours', '1.5E-2', '0.0150'],
    ['hours with a big exponent', 'logged_time', entry, 'hours', '2e1', '20.0000'],
    ['0 hours', 'logged_time', entry, 'hours', '0', '0.0000'],
    ['24 hours', 'logged_time', entry, 'hours', '"24.00"', '24.0000'],
    ['hours without a leading zero', 'logged_time', entry, 'hours', '".5"', '0.5000'],
    ['1.0000005 as a number: up', 'logged_time', entry, 'hours', '1.0000005', '1.000001'],
    ['1.0000005 as a string: up', 'logged_time', entry, 'hours', '"1.0000005"', '1.000001'],
    ['a number, to its first 15 digits', 'logged_time', entry, 'hours', '1.00000049999999999', '1.000001'],
    ['float noise', 'logged_time', entry, 'hours', '0.30000000000000004', '0.3000'],
    ['a string, to all its digits', 'logged_time', entry, 'hours', '"1.00000049999999999"', '1.0000'],
    ['a tiny number', 'logged_time', entry, 'hours', '1e-300', '0.0000'],
    ['a tiny number above half of its digit', 'logged_time', entry, 'hours', '6e-300', '0.0000'],
    ['a number that rounds up to the last decimal', 'logged_time', entry, 'hours', '5e-7', '0.000001'],
    ['a rate', 'people', person, 'cost_rate', '"999999999999.9999"', '999999999999.9999'],
    ['a rate of 15 digits', 'people', person, 'cost_rate', '12345678.9012345', '12345678.9012'],
    ['a day', 'people', person, 'start_date', '"2024-02-29"', '2024-02-29'],
    ['the first day', 'people', person, 'start_date', '"1970-01-01"', '1970-01-01'],
    ['the last day', 'people', person, 'start_date', '"2099-12-31"', '2099-12-31'],
    ['no day', 'people', person, 'start_date', '""', null],
    ['a time', 'logged_time', entry, 'created', '"2026-01-05 10:20:30"', '2026-01-05 10:20:30'],
    ['a time with T and Z', 'logged_time', entry, 'created', '"2026-01-05T10:20:30Z"', '2026-01-05 10:20:30'],
    ['a time with an offset', 'logged_time', entry, 'created', '"2026-01-05T10:20:30+02:00"', '2026-01-05 08:20:30'],
    ['a time with milliseconds', 'logged_time', entry, 'created', '"2026-01-05T10:20:30.125Z"', '2026-01-05 10:20:30'],
    [
      'a week',
      'people',
      person,
      'work_days_hours',
      '[0,8,"7.5",8,8,8.25,0]',
      ['0.0000', '8.0000', '7.5000', '8.0000', '8.0000', '8.2500', '0.0000'],
    ],
  ] as const)('%s', async (_name, resource, record, field, json, expected) => {
    const files = { [`${resource}.ndjson`]: withField(record, field, json) };
    expect(await rowsOf(files, `SELECT ${field} AS value FROM source.${resource}`)).toEqual([{ value: expected }]);
  });
});

describe('1.3 a value of the wrong type or outside its range sets the record aside', () => {
  const wrong: [string, string, object, string, string, readonly string[]][] = [
    [
      'id',
      'people',
      person,
      'department_id',
      'not an id',
      [
        '-1',
        '"-1"',
        '1.5',
        '"x"',
        'true',
        '[1]',
        '{"id":1}',
        '" 1 "',
        '"1_000"',
        '"0x10"',
        '99999999999999999999',
        '"99999999999999999999"',
        'NaN',
      ],
    ],
    ['key', 'logged_time', entry, 'logged_time_id', 'not a text', ['[1]', '{"id":1}', 'true']],
    ['name', 'people', person, 'name', 'not a text', ['{}', '[]', '["a"]', '{"first":"a"}', 'true', 'false']],
    ['text', 'people', person, 'email', 'not a text', ['{}', '["a"]', 'true']],
    ['boolean', 'people', person, 'active', 'not true or false', ['2', '"yes"', '-1', '"t"', '[]', '{}', 'NaN']],
    [
      'code',
      'people',
      person,
      'people_type_id',
      'not one of 1, 2, 3, 4',
      ['0', '5', '1.5', '"x"', 'true', '[1]', '-1', '1e400'],
    ],
    ['integer', 'accounts', { account_id: 1 }, 'account_type', 'outside 0 to 2147483647', ['-1']],
    [
      'integer',
      'accounts',
      { account_id: 1 },
      'account_type',
      'not an integer',
      ['1.5', '"x"', '99999999999', 'true', '[1]'],
    ],
    [
      'hours',
      'logged_time',
      entry,
      'hours',
      'outside 0 to 24',
      [
        '-1',
        '25',
        '"-0.0001"',
        '24.000001',
        '1e400',
        '-1e400',
        '12345678901234567890',
        '"12345678901234567890"',
        '"100000"',
      ],
    ],
    [
      'hours',
      'logged_time',
      entry,
      'hours',
      'not a number',
      [
        'NaN',
        'Infinity',
        '-Infinity',
        '"NaN"',
        '"Infinity"',
        '"abc"',
        '" 12.5 "',
        '"1_000"',
        '"0x10"',
        '"1e3"',
        '"1,5"',
        '"+5"',
        '"."',
        '"-"',
        'true',
        '[8]',
        '{"h":8}',
      ],
    ],
    [
      'week',
      'people',
      person,
      'work_days_hours',
      'not 7 numbers from 0 to 24',
      [
        '[8]',
        '[0,8,8,8,8,8]',
        '[0,8,8,8,8,8,25]',
        '[0,8,8,8,8,8,-1]',
        '[0,8,8,8,8,8,"x"]',
        '[0,8,8,8,8,8,null]',
        '8',
        '"x"',
        '{}',
        'true',
        '[[0,8,8,8,8,8,0]]',
      ],
    ],
    ['rate', 'people', person, 'cost_rate', 'below 0', ['-0.0001', '"-5"', '-1e30', '-1e400']],
    [
      'amount',
      'projects',
      { project_id: 1 },
      'budget_total',
      'not below 100000000000',
      ['100000000000', '"100000000000"', '1e400'],
    ],
    [
      'rate',
      'people',
      person,
      'cost_rate',
      'not below 1000000000000',
      ['1000000000000', '"1000000000000"', '1e400', '12345678901234567890', '1e30'],
    ],
    ['rate', 'people', person, 'cost_rate', 'not a number', ['NaN', '"abc"', '"$5"', '"1e3"', 'true', '[]', '{}']],
    [
      'date',
      'people',
      person,
      'start_date',
      DAY,
      [
        '"2026-02-31"',
        '"2026-02-29"',
        '"2026-1-5"',
        '"05.01.2026"',
        '"2026-01-05 00:00:00"',
        '" 2026-01-05"',
        '"2026/01/05"',
        '20260105',
        'true',
        '"x"',
        '[]',
        '{}',
      ],
    ],
    [
      'date',
      'people',
      person,
      'start_date',
      'outside 1970-01-01 to 2099-12-31',
      ['"1969-12-31"', '"2100-01-01"', '"0001-01-01"'],
    ],
    [
      'timestamp',
      'logged_time',
      entry,
      'created',
      'not a time written YYYY-MM-DD HH:MM:SS',
      ['"x"', '17', '"2026-02-31 10:00:00"', '"2026-01-05 25:00:00"', 'true', '[]', '{}'],
    ],
  ];
  test.each(wrong)('%s of %s', async (_type, resource, record, field, problem, values) => {
    const lines = values.map((value) => withField(record, field, value)).join('\n');
    const rows = await rowsOf({ [`${resource}.ndjson`]: lines }, 'SELECT record, reasons FROM source.rejected');
    expect(rows).toEqual(
      values.map((value) => ({ record: withField(record, field, value), reasons: [`${field}: ${problem}`] })),
    );
  });

  test('the record is kept whole, with its file, position and id', async () => {
    const line = '{"people_id":"7","start_date":"2026-02-31","unknown":[1, {"deep":1.50}],"name":"Ann"}';
    const files = { 'people.2.ndjson': `{"people_id":1}\n\n${line}\n`, 'people.1.ndjson': '{"people_id":2}\n' };
    expect(await rowsOf(files, 'FROM source.rejected')).toEqual([
      {
        resource: 'people',
        file: 'people.2.ndjson',
        position: 2,
        record_id: '7',
        item: null,
        reasons: [`start_date: ${DAY}`],
        record: line,
      },
    ]);
  });

  test('every reason of a record is given', async () => {
    const record = { logged_time_id: '', people_id: 0, date: '31.1.2026', hours: 25, billable: 'x' };
    expect(await reasonsOf('logged_time', record)).toEqual([
      'logged_time_id: missing',
      'people_id: missing',
      `date: ${DAY}`,
      'hours: outside 0 to 24',
      'billable: not true or false',
    ]);
  });

  test.each(['5 ', '"x"', 'null', '[{"people_id":1}]', 'true'])('a record that is no object: %s', async (json) => {
    expect(await reasonsOf('people', json)).toEqual(['not an object']);
  });

  test('a record with a repeated field is refused as ambiguous', async () => {
    expect(
      await reasonsOf('logged_time', '{"logged_time_id":"a","people_id":1,"date":"2026-01-05","hours":1,"hours":8}'),
    ).toEqual(['a field occurs twice']);
  });
});

describe('1.2 fields with alternative names', () => {
  const sql = 'SELECT people_id, department_id, department_name FROM source.people';
  test.each([
    ['department_id', '{"people_id":1,"department_id":5}', 5, null],
    ['the department', '{"people_id":1,"department":{"department_id":"5","name":"Design"}}', 5, 'Design'],
    [
      'both: the field comes first',
      '{"people_id":1,"department_id":"6","department":{"department_id":5,"name":"Design"}}',
      6,
      'Design',
    ],
    ['none', '{"people_id":1,"department":null}', null, null],
  ])('%s', async (_name, line, id, name) => {
    expect(await rowsOf({ 'people.ndjson': line }, sql)).toEqual([
      { people_id: 1, department_id: id, department_name: name },
    ]);
  });

  test('a department that is no object sets the person aside', async () => {
    expect(await reasonsOf('people', { people_id: 1, department: 'Design' })).toEqual(['department: not an object']);
    expect(await reasonsOf('people', { people_id: 1, department: { department_id: 'x' } })).toEqual([
      'department_id: not an id',
    ]);
  });

  test.each([
    ['roles', 'role_id'],
    ['project_stages', 'stage_id'],
  ])('%s may call their id id', async (resource, id) => {
    expect(await rowsOf({ [`${resource}.json`]: [{ id: 3 }] }, `SELECT ${id} AS id FROM source.${resource}`)).toEqual([
      { id: 3 },
    ]);
  });

  test('time off may spell repeat_end_date as repeat_end', async () => {
    const timeoff = { timeoff_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05' };
    const files = { 'timeoffs.json': [{ ...timeoff, repeat_end: '2026-03-01' }] };
    expect(await rowsOf(files, 'SELECT repeat_end_date FROM source.timeoffs')).toEqual([
      { repeat_end_date: '2026-03-01' },
    ]);
  });
});

test('1.2 rounded values are counted, exact ones are not', async () => {
  const files = {
    'people.json': [
      {
        people_id: 1,
        cost_rate: 1.00005,
        default_hourly_rate: '2.50000',
        work_days_hours: [0, 8.0000001, '8.0000005', 8, 8, 8, 0],
      },
      { people_id: 2, cost_rate: '1.12345', contracts: [{ cost_rate: 3.33333 }, { cost_rate: 3.3333 }] },
      { people_id: 3, cost_rate: '1.00005', start_date: 'x' },
      { people_id: 4, cost_rate: 0.30000000000000004 },
    ],
  };
  await withDataset(files, async ({ summary }) => {
    expect(summary.resources.find(({ resource }) => resource === 'people')?.roundedValues).toBe(5);
  });
});
