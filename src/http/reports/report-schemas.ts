import { aliasesOf, type Catalogue, type Parameter, type Report } from '../../report/catalogue.ts';
import type { Unit } from '../../report/table.ts';
import { pascal, reference, type Schema } from '../protocol/operations.ts';
import { columnsOf, type OfferedColumn } from '../reports/columns.ts';

/** JSON schemas of values by unit; decimals are numbers, or strings of the same digits on request. */
const VALUES: Readonly<Record<Unit, Schema>> = {
  id: { type: ['integer', 'null'] },
  code: { type: ['string', 'null'] },
  text: { type: ['string', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  boolean: { type: ['boolean', 'null'] },
  count: { type: ['integer', 'null'] },
  hours: decimal('decimal hours'),
  money: decimal("the company's currency"),
  rate: decimal("the company's currency, an hour"),
  percent: decimal('percent'),
  budget: decimal('what budget_unit says'),
};

function decimal(unit: string): Schema {
  return { type: ['number', 'string', 'null'], pattern: '^-?[0-9]+([.][0-9]+)?$', 'x-unit': unit };
}

/** Returns the schema of a row with every possible column; parameters and scopes select from these. */
export function rowSchema(catalogue: Catalogue, report: Report): Schema {
  const nested = report.nested
    ? { [report.nested]: { type: 'array', items: reference('schemas', rowName(report.nested)) } }
    : {};
  const columns = columnsOf(catalogue, report);
  return {
    type: 'object',
    description: report.row,
    properties: {
      ...Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)])),
      ...aliasSchemas(catalogue, report),
      ...nested,
    },
    additionalProperties: false,
  };
}

/** Returns the schemas of the aliases of measures, which only JSON has. */
function aliasSchemas(catalogue: Catalogue, report: Report): Schema {
  const schemas = aliasesOf(catalogue, report).map(({ name, measure: { unit, label, description } }) => [
    name,
    { ...VALUES[unit], title: label, description },
  ]);
  return Object.fromEntries(schemas) as Schema;
}

function columnSchema({ label, unit, description, needsRates, when }: OfferedColumn): Schema {
  const notes = [
    ...(needsRates ? ['Needs the scope rates.'] : []),
    ...(when ? [`There when the parameter ${when} asks for it.`] : []),
  ];
  return { ...VALUES[unit], title: label, description: [description, ...notes].join(' ') };
}

export function answerSchema({ name, description, list }: Report): Schema {
  const row = reference('schemas', rowName(name));
  return {
    type: 'object',
    description,
    properties: {
      [name]: { type: 'array', items: row },
      totals: list ? { type: 'null', description: 'A list has no totals.' } : row,
      meta: reference('schemas', 'Meta'),
    },
    required: [name, 'totals', 'meta'],
    additionalProperties: false,
  };
}

export function parameterSchema(parameter: Parameter, report: Report, catalogue: Catalogue): Schema {
  const { type, values, filter, default: standard } = parameter;
  switch (type) {
    case 'date':
      return { type: 'string', format: 'date' };
    case 'choice':
      return { type: 'string', enum: values, ...defaultOf(standard) };
    case 'flag':
      return { type: 'string', enum: ['0', '1'], ...defaultOf(standard) };
    case 'count':
      return { type: 'integer', minimum: 1 };
    case 'list':
      return {
        type: 'array',
        minItems: 1,
        items: itemSchema(values, filter !== undefined),
        ...defaultOf(standard?.split(',')),
      };
    case 'names':
      return { type: 'array', minItems: 1, items: { type: 'string', ...namesOf(parameter, report, catalogue) } };
    case 'text':
      return { type: 'string' };
  }
}

function itemSchema(values: Parameter['values'], hasNone: boolean): Schema {
  const none = hasNone ? ['none'] : [];
  if (Array.isArray(values)) return { type: 'string', enum: [...values, ...none] };
  if (values === 'flags') return { type: 'string', enum: ['0', '1', ...none] };
  if (values === 'ids') return { type: 'string', pattern: hasNone ? '^([0-9]{1,18}|none)$' : '^[0-9]{1,18}$' };
  return { type: 'string', minLength: 1 };
}

function namesOf({ name }: Parameter, report: Report, catalogue: Catalogue): Schema {
  const columns = columnsOf(catalogue, report).map((column) => column.name);
  if (name === 'group_by') return { enum: [...catalogue.dimensions.keys()] };
  if (name === 'measures') return { enum: columns.filter((column) => catalogue.measures.has(column)) };
  if (name === 'sort') return { enum: columns.flatMap((column) => [column, `-${column}`]) };
  return { enum: [...columns, ...Object.keys(report.aliases ?? {})] };
}

function defaultOf(value: unknown): Schema {
  return value === undefined ? {} : { default: value };
}

export function rowName(report: string): string {
  return `${pascal(report)}Row`;
}

export function answerName(report: string): string {
  return `${pascal(report)}Answer`;
}

const text: Schema = { type: 'string' };

/** Data needed to reproduce a report and to trust it. */
export const metaSchema: Schema = {
  type: 'object',
  properties: {
    report: text,
    parameters: { type: 'object', description: 'As understood, defaults filled in.', additionalProperties: text },
    currency: text,
    minor_units: { type: 'integer', description: "Decimals of the currency's minor unit." },
    generated_at: { type: 'string', format: 'date-time' },
    data_version: { type: 'string', description: 'The load that every number is of.' },
    loaded_at: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS, UTC.' },
    notes: { type: 'array', items: text },
    checks: {
      type: 'array',
      description:
        'Numbers that were held against each other. One that holds for the whole company has no numbers in a report of a part of it.',
      items: {
        type: 'object',
        properties: { check: text, left: text, right: text, ok: { type: 'boolean' } },
        required: ['check', 'ok'],
      },
    },
    hidden_columns: {
      type: 'array',
      items: text,
      description: 'Columns left out, because the token has no scope rates.',
    },
    next_cursor: { type: 'string', description: 'Where the next lines begin; absent after the last.' },
    row_count: { type: 'integer', description: 'Rows in all, of which a page shows a part.' },
  },
  required: ['report', 'parameters', 'currency', 'generated_at', 'data_version', 'loaded_at', 'notes', 'checks'],
};
