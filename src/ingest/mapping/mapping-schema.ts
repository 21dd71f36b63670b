import type { Resource } from '../../resource/resource.ts';
import { DELIMITER_NAMES } from './mapping-file.ts';
import { DECIMAL_MARKS, HOURS_FORMATS } from './notation.ts';
import { fieldCalled, fieldNames } from './record-members.ts';

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
  hours: { enum: HOURS_FORMATS, description: '7.5, 7:30, 450 minutes or 27000 seconds.' },
  words: {
    type: 'object',
    description: 'Words with what they stand for: true, false, or the number or the name of a code.',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
};

const NOTATION_REFERENCES = Object.fromEntries(Object.keys(NOTATION).map((key) => [key, { $ref: `#/$defs/${key}` }]));

const SOURCES = {
  column: { $ref: '#/$defs/columns' },
  name: { $ref: '#/$defs/columns' },
  row: { const: true },
  value: { type: ['string', 'number', 'boolean'] },
} as const;

/** Builds the JSON Schema of mapping.yaml, for editors. */
export function buildMappingSchema(resources: readonly Resource[]): EditorSchema {
  const names = resources.map(({ name }) => name);
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
      files: { type: 'array', items: { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) } },
    }),
    $defs: {
      columns: COLUMNS,
      ...NOTATION,
      source: sourceOf(['column', 'value']),
      idSource: sourceOf(['column', 'name', 'row', 'value']),
      corrections: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
      ...Object.fromEntries(resources.map((resource) => [resource.name, fileOf(resource)])),
    },
  };
}

function fileOf(resource: Resource): EditorSchema {
  const fields = fieldNames(resource).map((name) => {
    const type = fieldCalled(resource, name)?.type;
    return [name, { $ref: type === 'id' || type === 'key' ? '#/$defs/idSource' : '#/$defs/source' }];
  });
  const members = {
    file: { ...TEXT, description: 'The name of the file; * stands for any characters.' },
    sheet: { ...TEXT, description: 'The sheet of a workbook.' },
    resource: { const: resource.name },
    header_row: { type: 'integer', minimum: 1, description: 'The row with the headers. Default: it is found by them.' },
    delimiter: { enum: Object.keys(DELIMITER_NAMES) },
    ...NOTATION_REFERENCES,
    fields: objectOf(Object.fromEntries(fields)),
  };
  return { ...objectOf(members), required: ['file', 'resource'] };
}

/** Returns the schema of a field's source; only ids are made of names and rows. */
function sourceOf(kinds: readonly (keyof typeof SOURCES)[]): EditorSchema {
  const members = { ...Object.fromEntries(kinds.map((kind) => [kind, SOURCES[kind]])), ...NOTATION_REFERENCES };
  const source = { ...objectOf(members), oneOf: kinds.map((kind) => ({ required: [kind] })) };
  return { anyOf: [{ $ref: '#/$defs/columns' }, source] };
}

function objectOf(properties: Readonly<Record<string, unknown>>): EditorSchema {
  return { type: 'object', additionalProperties: false, properties };
}
