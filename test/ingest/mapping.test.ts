import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildMappingSchema } from '../../scripts/mapping-schema.ts';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseDateFormat } from '../../src/records/ingest/mapping/date-format.ts';
import { openMadeIds } from '../../src/records/ingest/mapping/made-ids.ts';
import { identityMapping, matchesFile } from '../../src/records/ingest/mapping/mapping.ts';
import { MAX_MAPPING_FILES, parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { nearestField } from '../../src/records/ingest/mapping/nearest-field.ts';
import { type Notation, translateField, translateNumber } from '../../src/records/ingest/mapping/notation.ts';
import { MAX_MAPPING_WORDS } from '../../src/records/ingest/mapping/read-form.ts';
import { MAX_MAPPING_CHARACTERS, MAX_MAPPING_DEPTH } from '../../src/records/ingest/mapping/yaml-reader.ts';
import { type Files, withDataset } from './dataset.ts';
import { sheetBook } from './sheet-book.ts';

const mappingOf = (text: string, given: Notation = {}) => parseMapping(text, 'mapping.yaml', inputResources, given);
const messageOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return expect.fail('No error was thrown');
};
const faultOf = (text: string) => messageOf(() => mappingOf(text));
const translated = (type: 'hours' | 'rate' | 'date', notation: Notation, text: string) =>
  translateField({ type }, notation)?.(text);

describe('headers without a mapping', () => {
  it('fold case, blanks and underscores', async () => {
    const files = { 'people.csv': ' People  ID ,Cost_ Rate,name\n1,45.5,Ada\n' };
    const sql = 'SELECT people_id, CAST(cost_rate AS VARCHAR) AS rate FROM source.people';
    await withDataset(files, async ({ rows }) => expect(await rows(sql)).toEqual([{ people_id: 1, rate: '45.5000' }]));
  });

  it.each(['people.csv', 'people.2.csv'])('two that become one field are an error in %s', async (name) => {
    const load = withDataset({ [name]: 'people_id,Cost rate,cost_rate\n1,2,3\n' }, async () => undefined);
    await expect(load).rejects.toThrow(
      `${name} names the column cost_rate twice, in column 2 (Cost rate) and column 3`,
    );
  });

  it('are found below a title', async () => {
    const files = { 'people.csv': 'Staff list\n\npeople_id;name\n1;Ada\n' };
    await withDataset(files, async ({ rows }) =>
      expect(await rows('SELECT people_id, name FROM source.people')).toEqual([{ people_id: 1, name: 'Ada' }]),
    );
  });
});

describe('notations', () => {
  it.each([
    ['DD/MM/YYYY', '13/02/2026', '2026-02-13'],
    ['D.M.YYYY', '1.2.2024', '2024-02-01'],
    ['MM/DD/YYYY', '02/13/2026', '2026-02-13'],
    ['DD/MM/YYYY', '2026-02-13', '2026-02-13'],
    ['DD/MM/YYYY', '31/02/2026', undefined],
    ['DD/MM/YYYY', '13.02.2026', undefined],
    ['DD/MM/YYYY', '13/02/26', undefined],
    ['DD/MM/YYYY', '13/02/2026 09:00', undefined],
    ['DD/MM/YYYY HH:MM', '13/02/2026 09:00:00', '2026-02-13'],
    ['YYYY-MM-DD HH:MM', '2026-02-13T09:00', '2026-02-13'],
  ])('%s reads %s as %s', (format, text, day) => {
    expect(parseDateFormat(format)?.read(text)).toBe(day);
  });

  it.each(['DD/MM', 'DD/DD/YYYY', 'YYYY', '', 'DD/MM/YYYY x', 'dd/mm/yyyy', 'YYYY-DD-MM', 'YYYY-D-M HH:MM'])(
    '%s is no format',
    (text) => {
      expect(parseDateFormat(text)).toBeUndefined();
    },
  );

  it.each([
    ['comma', '45,50', '45.50'],
    ['comma', '25.000,00', '25000.00'],
    ['comma', '1\u202f045,5', '1045.5'],
    ['comma', '-1.234.567', '-1234567'],
    ['comma', ',5', '.5'],
    ['point', '1,234.5', '1234.5'],
    ['point', "1'234", '1234'],
  ] as const)('a decimal %s reads %s as %s', (decimal, text, expected) => {
    expect(translated('rate', { decimal }, text)).toBe(expected);
  });

  it.each([
    ['comma', '1.5'],
    ['comma', '1.2345'],
    ['comma', '1.234 567'],
    ['comma', '1,2,3'],
    ['comma', ','],
    ['comma', '1e3'],
    ['comma', '1'.repeat(61)],
    ['point', '45,50'],
    ['point', '1,23.4'],
  ] as const)('with a decimal %s, %s is no number', (decimal, text) => {
    expect(translated('rate', { decimal }, text)).toEqual({ fault: `not a number with a decimal ${decimal}` });
  });

  it.each([
    ['h:mm', '7:30', '7.5'],
    ['h:mm', '07:30:36', '7.51'],
    ['h:mm', '0:20', '0.333333333333'],
    ['minutes', '450', '7.5'],
    ['seconds', '27000', '7.5'],
    ['seconds', '7260', '2.016666666666'],
  ] as const)('hours as %s read %s as %s', (hours, text, expected) => {
    expect(translated('hours', { hours }, text)).toBe(expected);
  });

  it('numbers of cells have a decimal point, also beside texts with a comma', () => {
    const read = translateNumber({ type: 'hours' }, { hours: 'minutes', decimal: 'comma' });
    expect(read?.('1.125')).toBe('0.01875');
    expect(translateNumber({ type: 'rate' }, { decimal: 'comma' })).toBeUndefined();
  });

  it.each(['7.5', '7:60', '7:3', '-1:00', ''])('hours as h:mm refuse %s', (text) => {
    expect(translated('hours', { hours: 'h:mm' }, text)).toEqual({ fault: 'not hours written h:mm' });
  });

  it('hours of seconds round to four decimals as the exact quotient does', () => {
    fc.assert(
      fc.property(fc.nat({ max: 86_400 }), (seconds) => {
        const [whole = '', decimals = ''] = String(translated('hours', { hours: 'seconds' }, `${seconds}`)).split('.');
        const shown = BigInt(`${whole}${decimals.padEnd(12, '0')}`);
        expect((shown + 50_000_000n) / 100_000_000n).toBe((BigInt(seconds) * 20_000n + 3_600n) / 7_200n);
      }),
    );
  });
});

describe('ids made of names and rows', () => {
  it('are the same in every load, and have 15 digits', () => {
    expect(openMadeIds().ofName('people', ['Ada King'])).toBe('472909625256499');
    expect(openMadeIds().ofName('people', [' Ada ', 'King'])).toBe('472909625256499');
    expect(openMadeIds().ofName('projects', ['Ada King'])).not.toBe('472909625256499');
  });

  it('a blank last part has none', () => {
    expect(openMadeIds().ofName('projects', ['Acme', ' '])).toBeUndefined();
    expect(openMadeIds().ofName('projects', ['', 'Web'])).toBe(openMadeIds().ofName('projects', ['Web']));
  });

  it('a person has one with any part of the name', () => {
    expect(openMadeIds().ofName('people', ['Ada King', ''])).toBe('472909625256499');
    expect(openMadeIds().ofName('people', [' ', ''])).toBeUndefined();
  });

  it('two names whose parts join to one text are an error', () => {
    const ids = openMadeIds();
    ids.ofName('projects', ['Acme', 'Web site']);
    const message = messageOf(() => ids.ofName('projects', ['Acme Web', 'site']));
    expect(message).toMatch(
      /^Two names would have the same id, projects \d{15}: Acme \| Web site and Acme Web \| site$/,
    );
  });

  it('a renamed one keeps its id, and one may be given', () => {
    const { ids } = mappingOf('names: {people: {Ada Lovelace: Ada  King, Bo: 17, Beau: Bo}}');
    expect(ids.ofName('people', ['Ada Lovelace'])).toBe(openMadeIds().ofName('people', ['Ada King']));
    expect([ids.ofName('people', ['Bo']), ids.ofName('people', ['Beau'])]).toEqual(['17', '17']);
  });

  it('equal rows have different ids, which other rows do not change', () => {
    const [one, other] = [openMadeIds(), openMadeIds()];
    const origin = { entry: undefined, file: 't.csv' };
    const [first, second] = [one.ofRow('logged_time', 'a', true, origin), one.ofRow('logged_time', 'a', true, origin)];
    expect(second).toBe(`${first}-2`);
    other.ofRow('logged_time', 'b', true, origin);
    expect(other.ofRow('logged_time', 'a', true, origin)).toBe(first);
    expect(one.ofRow('tasks', 'a', false, origin)).toMatch(/^[1-6]\d{14}$/);
  });
});

describe('numbers in a mapping file', () => {
  const fieldsOf = (fields: string) =>
    mappingOf(`files: [{file: t.csv, resource: people, fields: ${fields}}]`).files[0]?.fields;

  it.each(['12345678901234567890', '1234567890123.4567', '1.10', '1e3'])('%s keeps all of its digits', (text) => {
    expect(fieldsOf(`{cost_rate: {value: ${text}}}`)).toMatchObject([{ value: text }]);
    expect(fieldsOf(`{name: [${text}, ${text}], notes: {column: ${text}}}`)).toMatchObject([
      { columns: [text, text] },
      { columns: [text] },
    ]);
  });

  it('keep them as names, too', () => {
    expect(mappingOf('words: {1.10: true}').words?.get('1.10')).toBe(true);
    expect(mappingOf('names: {people: {007: 17}}').ids.ofName('people', ['007'])).toBe('17');
    expect(faultOf('words:\n  ja: true\n  1.10: [1]')).toBe('mapping.yaml:3: words.1.10: is no code');
  });
});

describe('a wrong mapping file', () => {
  const file = (rest: string) => `files:\n  - file: a.csv\n    resource: people\n${rest}`;
  it.each([
    ['dats: DD/MM/YYYY', 'mapping.yaml:1: dats: is unknown'],
    ['dates: DD/MM', 'mapping.yaml:1: dates: is DD/MM, which is no format of days'],
    ['decimal: dot', 'mapping.yaml:1: decimal: is dot, not one of comma, point'],
    [
      'hours: long',
      'mapping.yaml:1: hours: is long, not one of decimal, h:mm, minutes, seconds, milliseconds, days, units',
    ],
    ['words: {ja: [1]}', 'mapping.yaml:1: words.ja: is no code'],
    ['files: {}', 'mapping.yaml:1: files: is an object, not a list'],
    ['files:\n  - resource: people', 'mapping.yaml:2: files[1]: has no file'],
    [
      'files:\n  - file: a.csv\n    resource: persons',
      'mapping.yaml:3: files[1].resource: is persons, which is no resource',
    ],
    [file('    colums: {}'), 'mapping.yaml:4: files[1].colums: is unknown'],
    [file('    header_row: 0'), 'mapping.yaml:4: files[1].header_row: is 0, not the number of a row'],
    [file('    delimiter: ","'), 'mapping.yaml:4: files[1].delimiter: is ,, not one of comma, semicolon, tab'],
    [file('    fields: {costrate: Cost}'), 'mapping.yaml:4: files[1].fields.costrate: is unknown'],
    [
      file('    fields: {name: {name: X}}'),
      'mapping.yaml:4: files[1].fields.name: takes no name, because name is no id',
    ],
    [file('    fields: {name: {colum: X}}'), 'mapping.yaml:4: files[1].fields.name.colum: is unknown'],
    [
      file('    fields: {name: {}}'),
      'mapping.yaml:4: files[1].fields.name: needs one of column, name, row, value, named, from, sum, filled, unpivot',
    ],
    [file('    fields: {name: []}'), 'mapping.yaml:4: files[1].fields.name: is an empty list'],
    [
      file('    fields: {people_type_id: {value: boss}}'),
      'mapping.yaml:4: files[1].fields.people_type_id.value: is boss, which is no code',
    ],
    [
      file('    fields: {active: {column: A, words: {on: 1}}}'),
      'mapping.yaml:4: files[1].fields.active.words.on: is 1',
    ],
    [
      file('    fields: {active: A}')
        .replace('people', 'projects')
        .replace('active: A', 'contract: {column: A, words: {pauschal: lump}}'),
      'mapping.yaml:4: files[1].fields.contract.words.pauschal: is lump, which is no word that is known',
    ],
    ['names: {person: {}}', 'mapping.yaml:1: names.person: is unknown'],
    ['names: {people: {A: B, B: A}}', 'mapping.yaml:1: names.people.A: stands for itself in the end'],
    ['names: {people: {A: 0}}', 'mapping.yaml:1: names.people.A: is 0'],
    ['a: b: c', 'mapping.yaml:1: Nested mappings are not allowed in compact mappings'],
    ['files: []\nfiles: []', 'mapping.yaml:2: Map keys must be unique'],
  ])('%s', (text, message) => {
    expect(faultOf(text)).toBe(message);
  });

  it('is bounded', () => {
    expect(faultOf('x'.repeat(MAX_MAPPING_CHARACTERS + 1))).toBe(
      `mapping.yaml has more than ${MAX_MAPPING_CHARACTERS} characters`,
    );
    expect(faultOf('['.repeat(10_000))).toBe(
      `mapping.yaml has more than ${MAX_MAPPING_DEPTH} lists and objects inside each other`,
    );
    expect(faultOf(`files: [${'{file: a, resource: people},'.repeat(MAX_MAPPING_FILES + 1)}]`)).toBe(
      `mapping.yaml:1: files: has more than ${MAX_MAPPING_FILES} files`,
    );
    const words = Array.from({ length: MAX_MAPPING_WORDS + 1 }, (_, index) => `w${index}: true`);
    expect(faultOf(`words: {${words}}`)).toBe(`mapping.yaml:1: words: has more than ${MAX_MAPPING_WORDS} words`);
  });

  it('aliases are refused', () => {
    expect(faultOf('words: &a {x: true}\nfiles: [*a]')).toMatch(/^mapping.yaml can't be read: /);
  });

  it('a flag that says something else is refused', () => {
    const [flag] = [parseDateFormat('MM/DD/YYYY')];
    expect(messageOf(() => mappingOf('dates: DD/MM/YYYY', { dates: flag }))).toBe(
      'A flag says dates: MM/DD/YYYY, and mapping.yaml says dates: DD/MM/YYYY',
    );
  });
});

describe('a mapping on files', () => {
  const mapping = (fields: string, more = '') =>
    mappingOf(`${more}\nfiles: [{file: t.csv, resource: people, fields: ${fields}}]`);
  const load = (text: string, given = mapping('{people_id: Nr, name: Wer, cost_rate: Satz}', 'decimal: comma')) =>
    withDataset(
      { 't.csv': text },
      async ({ summary, rows }) => ({
        summary,
        people: await rows('SELECT people_id, name, CAST(cost_rate AS VARCHAR) AS rate FROM source.people'),
      }),
      { mapping: given },
    );

  it('reads only the named columns as fields, and names the others', async () => {
    const { summary, people } = await load('Nr;Wer;Satz;cost_rate\n1;Ada;"45,5";9\n');
    expect(people).toEqual([{ people_id: 1, name: 'Ada', rate: '45.5000' }]);
    expect(summary.unknownFields).toEqual([{ resource: 'people', fields: ['cost_rate (column 4)'] }]);
  });

  it('reads words as those of a field', async () => {
    const fields = '{project_id: Nr, contract: {column: Art, words: {pauschal: fixed}}}';
    const given = mappingOf(`files: [{file: t.csv, resource: projects, fields: ${fields}}]`);
    await withDataset(
      { 't.csv': 'Nr;Art\n1;Pauschal\n2;Capped\n' },
      async ({ rows }) =>
        expect(await rows('SELECT contract FROM source.projects ORDER BY project_id')).toEqual([
          { contract: 'fixed' },
          { contract: 'capped' },
        ]),
      { mapping: given },
    );
  });

  it('names the columns that none of several resources reads, once', async () => {
    const people = '{file: t.csv, resource: people, fields: {people_id: {name: Who}, name: Who}}';
    const contracts = '{file: t.csv, resource: contracts, fields: {people_id: {name: Who}, effective_date: From}}';
    const text = 'Who;From;Bill rate\nAda;2026-01-01;100\nAda;2026-03-01;110\n';
    const { summary, people: found } = await load(text, mappingOf(`files: [${people}, ${contracts}]`));
    expect(found).toHaveLength(1);
    expect(summary.unknownFields).toEqual([{ resource: 'people', fields: ['bill rate'] }]);
  });

  it('sets a record aside whose value is in another form, with the value', async () => {
    const { summary } = await load('Nr;Wer;Satz\n1;Ada;45.5\n2;Bo;1\n');
    const [reason] = summary.reasons;
    expect(reason).toMatchObject({ reason: 'cost_rate: not a number with a decimal comma', count: 1 });
    expect(reason?.values).toEqual([{ field: 'cost_rate', text: '"45.5"' }]);
  });

  it('a missing column is an error that names the nearest', async () => {
    const text = 'Nr;Were;Satz\n1;Ada;1\n';
    await expect(load(text)).rejects.toThrow('t.csv has no column "Wer", which the mapping names for name');
    await expect(load(text)).rejects.toMatchObject({
      hint: 'Is it "Were"? Its columns are Nr, Were, Satz. Nothing was loaded.',
    });
  });

  it('a line that is no record is set aside once, whatever its file holds', async () => {
    const timed =
      '{file: t.csv, resource: logged_time, fields: {logged_time_id: {row: true}, people_id: {name: Wer}, date: Tag, hours: Std}}';
    const people = '{file: t.csv, resource: people, fields: {people_id: {name: Wer}, name: Wer}}';
    const clients = '{file: t.csv, resource: clients, fields: {client_id: {name: Kunde}, name: Kunde}}';
    const text = 'Wer,Kunde,Tag,Std\nAda,Acme,2026-02-13,1\nBo,Acme,2026-02-13,1,2\n';
    for (const parts of [`${people},${clients},${timed}`, `${people},${clients}`]) {
      const { summary } = await load(text, mappingOf(`files: [${parts}]`));
      expect(summary.reasons.map(({ count }) => count)).toEqual([1]);
    }
  });

  it('a row of a sheet with a cell without a value is set aside once, too', async () => {
    const parts = [
      '{file: t.xlsx, sheet: Zeit, resource: people, fields: {people_id: {name: Wer}, name: Wer}}',
      '{file: t.xlsx, sheet: Zeit, resource: logged_time, fields: {logged_time_id: {row: true}, people_id: {name: Wer}, date: Tag, hours: Std}}',
    ];
    const fault = { xml: '<c t="e"><v>#REF!</v></c>' };
    const rows = [
      ['Wer', 'Tag', 'Std'],
      ['Ada', '2026-02-13', '1'],
      ['Bo', '2026-02-13', fault],
    ];
    const files = { 't.xlsx': sheetBook(rows, { sheets: ['Zeit'] }) };
    const { reasons, people } = await withDataset(
      files,
      async ({ summary, rows: read }) => ({ ...summary, people: await read('SELECT name FROM source.people') }),
      { mapping: mappingOf(`files: [${parts}]`) },
    );
    expect(reasons.map(({ resource, count }) => ({ resource, count }))).toEqual([
      { resource: 'logged_time', count: 1 },
    ]);
    expect(people).toEqual([{ name: 'Ada' }]);
  });

  it('a column that is there twice is an error only if it is mapped', async () => {
    expect((await load('Nr,Wer,Satz,x,x\n1,Ada,1,a,b\n')).people).toHaveLength(1);
    await expect(load('Nr,Wer,Satz,wer\n1,Ada,1,a\n')).rejects.toThrow(
      't.csv names the column Wer twice, in column 2 and column 4',
    );
  });

  it.each<[string, Files, string]>([
    ['a file that is not there', { 'people.csv': 'people_id\n1\n' }, 'The mapping names the file t.csv, which isn'],
  ])('%s is an error', async (_name, files, message) => {
    const given = mapping('{people_id: Nr}');
    await expect(withDataset(files, async () => undefined, { mapping: given })).rejects.toThrow(message);
  });

  it('a delimiter and a header row can be named', async () => {
    const text = 'Nr,Wer;x\nNr;Wer,Satz\n1;Ada,2\n';
    const given = mappingOf(
      'files: [{file: t.csv, resource: people, delimiter: semicolon, header_row: 2, fields: {people_id: Nr}}]',
    );
    expect((await load(text, given)).people).toMatchObject([{ people_id: 1 }]);
    const far = mappingOf('files: [{file: t.csv, resource: people, header_row: 9, fields: {people_id: Nr}}]');
    await expect(load(text, far)).rejects.toThrow('t.csv has no headers in row 9');
  });
});

it('names of files take any characters for *', () => {
  const cases = [
    ['time-*.csv', 'Time-1.csv', true],
    ['*a*b*', 'xaxb', true],
    ['*a*b*', 'ba', false],
    ['a*a', 'a', false],
    ['a.csv', 'b.csv', false],
  ] as const;
  for (const [pattern, name, expected] of cases) expect(matchesFile(pattern, name), pattern).toBe(expected);
});

it('a name near a field is found, others not', () => {
  expect(nearestField('Cost rte', ['cost_rate', 'name'])).toBe('cost_rate');
  expect(nearestField('colour', ['cost_rate', 'name'])).toBeUndefined();
});

it('the identity has no files, no words and no notation', () => {
  expect(identityMapping()).toMatchObject({ files: [], notation: {}, words: undefined });
});

describe('the schema for editors', () => {
  const schema = buildMappingSchema(inputResources);
  const validate = new Ajv2020({ strict: false }).compile(schema);

  it('is the one that is published', async () => {
    await expect(`${JSON.stringify(schema, null, 1)}\n`).toMatchFileSnapshot('../../docs/mapping.schema.json');
  });

  it.each(['harvest', 'toggl', 'clockify', 'kimai', 'french', 'service'])('accepts the mapping of %s', (tool) => {
    expect(validate(parse(readFileSync(`test/ingest/exports/${tool}/mapping.yaml`, 'utf8')))).toBe(true);
  });

  it.each(['dats: x', 'files: [{file: a.csv, resource: people, fields: {nam: x}}]', 'files: [{file: a}]'])(
    'refuses %s',
    (text) => {
      expect(validate(parse(text))).toBe(false);
      expect(messageOf(() => mappingOf(text))).toMatch(/^mapping\.yaml:1: /);
    },
  );
});
