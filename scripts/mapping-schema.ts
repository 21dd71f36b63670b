import type { Resource } from '../src/records/resource/resource.ts';
import { CONTROL_NAMES } from '../src/records/ingest/mapping/control-fields.ts';
import { DECIMAL_MARKS } from '../src/records/ingest/mapping/decimal-text.ts';
import { HOURS_FORMATS } from '../src/records/ingest/mapping/hours-text.ts';
import { listTables } from '../src/records/ingest/mapping/list-tables.ts';
import { UNPIVOTED_PARTS } from '../src/records/ingest/mapping/mapping.ts';
import { DELIMITER_NAMES, OVERLAPS } from '../src/records/ingest/mapping/mapping-file.ts';
import { AMOUNT_UNITS } from '../src/records/ingest/mapping/notation.ts';
import { PREFERENCES, SIGNS, SUM_UNITS } from '../src/records/ingest/mapping/read-source.ts';
import { fieldCalled, fieldNames } from '../src/records/ingest/mapping/record-members.ts';

type EditorSchema = Readonly<Record<string, unknown>>;

const TEXT: EditorSchema = { type: ['string', 'number'] };

const COLUMNS: EditorSchema = {
  description: 'A column, or several whose texts have blanks between them.',
  anyOf: [TEXT, { type: 'array', minItems: 1, items: TEXT }],
};

const NOTATION: Readonly<Record<string, EditorSchema>> = {
  dates: { type: 'string', description: 'The form of days, such as DD/MM/YYYY or "DD.MM.YYYY HH:MM".' },
  decimal: {
    enum: DECIMAL_MARKS,
    description: 'The mark before the decimals. Groups of three digits may be set apart.',
  },
  hours: {
    enum: HOURS_FORMATS,
    description: '7.5, 7:30, 450 minutes, 27000 seconds, 27000000 milliseconds, 0.9375 days, or units: 7:30, 1h 30m, 18:25 min, 7.5 hrs.',
  },
  amounts: { enum: AMOUNT_UNITS, description: 'The unit of rates and amounts.' },
  day_hours: { type: 'number', exclusiveMinimum: 0, maximum: 24, description: 'The hours of a day. Default: 8.' },
  words: {
    type: 'object',
    description: 'Words with what they stand for: true, false, or the number or the name of a code.',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
};

const NOTATION_REFERENCES = Object.fromEntries(Object.keys(NOTATION).map((key) => [key, { $ref: `#/$defs/${key}` }]));

const SOURCES = {
  column: { $ref: '#/$defs/columns' },
  name: { $ref: '#/$defs/columns', description: 'An id made of the name in a column, or in several.' },
  named: { ...TEXT, description: 'An id made of this name.' },
  row: { const: true },
  value: { type: ['string', 'number', 'boolean'] },
  from: { $ref: '#/$defs/columns', description: 'The begin of the work; its end is in `to`.' },
  sum: {
    ...objectOf(Object.fromEntries(SUM_UNITS.map((unit) => [unit, TEXT]))),
    description: 'Hours, minutes and seconds in columns of their own.',
  },
  filled: { $ref: '#/$defs/columns', description: 'True where the column has a value other than 0.' },
  unpivot: { enum: UNPIVOTED_PARTS, description: 'A part of a column that became a row.' },
} as const;

const MODIFIERS: Readonly<Record<string, EditorSchema>> = {
  to: { $ref: '#/$defs/columns' },
  less: {
    anyOf: [{ $ref: '#/$defs/columns' }, { $ref: '#/$defs/source' }],
    description:
      'The breaks that are taken off hours, such as {column: Break, hours: minutes}, or the columns that are taken off an amount.',
  },
  sign: { enum: SIGNS, description: 'The amount has the other sign, as that of a credit note.' },
  fill: { const: 'down', description: 'A blank cell has the value of the last one above.' },
  order: { const: 'last-first', description: 'Names are written King, Ada.' },
  spread: { const: 'workdays', description: 'The hours are those of all work days from start_date to end_date.' },
  prefer: { enum: PREFERENCES, description: 'The record that counts, if several give different values.' },
};

/** The kinds of sources that a field of any type has. */
const ANY_SOURCE = ['column', 'value', 'unpivot', 'from', 'sum', 'filled'] as const;

const FILTERS: EditorSchema = {
  type: 'object',
  additionalProperties: {
    anyOf: [
      { type: ['string', 'number', 'boolean', 'null'] },
      { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
    ],
  },
};

const PERIODS = ['days', 'weeks', 'months'];

const ROWS: Readonly<Record<string, EditorSchema>> = {
  open: { type: 'string', description: 'What a person has to decide. The load stops until it is removed.' },
  where: { $ref: '#/$defs/filters', description: 'The rows that are read: columns with their text, or several.' },
  skip: { $ref: '#/$defs/filters', description: 'The rows that are left out. An empty text is a blank cell.' },
  total: { $ref: '#/$defs/filters', description: "The rows with the file's own total: left out, and compared." },
  controls: {
    $ref: '#/$defs/controls',
    description: 'Columns that are compared with what is read, and read into no field.',
  },
  overlap: { enum: OVERLAPS, description: 'Which rows count of a day that several files have differently.' },
  unpivot: {
    description: 'Columns whose headers are days, weeks or months become rows.',
    anyOf: [
      { enum: PERIODS },
      objectOf({ columns: { enum: PERIODS }, month: { type: 'string', description: 'The month of headers 1 to 31.' } }),
    ],
  },
};

/** Builds the JSON Schema of mapping.yaml, for editors. */
export function buildMappingSchema(resources: readonly Resource[]): EditorSchema {
  const names = resources.map(({ name }) => name);
  const tables = listTables(resources);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Plumbline mapping',
    description: 'Says which column of a CSV file or a sheet is which field, and how its values are written.',
    ...objectOf({
      ...NOTATION_REFERENCES,
      names: {
        description: 'Names that stand for another one: the earlier name of the same, or an id.',
        ...objectOf(Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/corrections' }]))),
      },
      files: {
        type: 'array',
        items: { anyOf: [...names, ...tables.map(({ name }) => name)].map((name) => ({ $ref: `#/$defs/${name}` })) },
      },
    }),
    $defs: {
      columns: COLUMNS,
      ...NOTATION,
      source: sourceOf(ANY_SOURCE),
      idSource: sourceOf(['column', 'name', 'named', 'row', 'value', 'unpivot']),
      filters: FILTERS,
      controls: objectOf(Object.fromEntries(CONTROL_NAMES.map((name) => [name, { $ref: '#/$defs/source' }]))),
      corrections: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
      ...Object.fromEntries(resources.map((resource) => [resource.name, fileOf(resource, resource.name)])),
      ...Object.fromEntries(tables.map(({ name, rows }) => [name, fileOf(rows, name)])),
    },
  };
}

function fileOf(resource: Resource, title: string): EditorSchema {
  const fields = fieldNames(resource).map((name) => {
    const type = fieldCalled(resource, name)?.type;
    return [name, { $ref: type === 'id' || type === 'key' ? '#/$defs/idSource' : '#/$defs/source' }];
  });
  const members = {
    file: { ...TEXT, description: 'The name of the file; * stands for any characters.' },
    sheet: { ...TEXT, description: 'The sheet of a workbook, or the list of a JSON file.' },
    resource: { const: title },
    header_row: { type: 'integer', minimum: 1, description: 'The row with the headers. Default: it is found by them.' },
    delimiter: { enum: Object.keys(DELIMITER_NAMES) },
    ...ROWS,
    ...NOTATION_REFERENCES,
    fields: objectOf(Object.fromEntries(fields)),
  };
  return { ...objectOf(members), required: ['file', 'resource'] };
}

/** Returns the schema of a field's source; only ids are made of names and rows. */
function sourceOf(kinds: readonly (keyof typeof SOURCES)[]): EditorSchema {
  const members = {
    ...Object.fromEntries(kinds.map((kind) => [kind, SOURCES[kind]])),
    ...MODIFIERS,
    ...NOTATION_REFERENCES,
  };
  const source = { ...objectOf(members), oneOf: kinds.map((kind) => ({ required: [kind] })) };
  return { anyOf: [{ $ref: '#/$defs/columns' }, source] };
}

function objectOf(properties: Readonly<Record<string, unknown>>): EditorSchema {
  return { type: 'object', additionalProperties: false, properties };
}
