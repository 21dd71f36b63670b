import { aliasesOf, type Catalogue, type Report, type Unit } from '../../../numbers/report/catalogue/index.ts';
import { columnsOf, type OfferedColumn } from '../../../numbers/report/describe/describe-catalogue.ts';
import { pascal, reference, type Schema } from '../protocol/operations.ts';
import { TOLD_PROPERTIES } from './insight-schemas.ts';

/** JSON schemas of values by unit; decimals are numbers, or strings of the same digits on request. */
const VALUES: Readonly<Record<Unit, Schema>> = {
  id: { type: ['integer', 'null'] },
  code: { type: ['string', 'null'] },
  text: { type: ['string', 'null'] },
  list: { type: ['array', 'null'], items: { type: 'string' } },
  date: { type: ['string', 'null'], format: 'date' },
  boolean: { type: ['boolean', 'null'] },
  count: { type: ['integer', 'null'] },
  number: { type: ['integer', 'null'] },
  hours: decimal('decimal hours'),
  money: decimal("the company's currency"),
  rate: decimal("the company's currency per hour"),
  index: decimal('none: a quotient'),
  percent: decimal('percent'),
  budget: decimal('the unit in budget_unit, or in retainer_unit; of earned value, that of earned_in'),
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
      ...(report.parameters?.includes('insights') && TOLD_PROPERTIES),
      ...nested,
    },
    ...(report.parameters?.includes('columns') && { patternProperties: PERIOD_COLUMNS }),
    additionalProperties: false,
  };
}

/** The schema of the columns of periods, by the pattern of their names. */
const PERIOD_COLUMNS: Schema = {
  '^[a-z_]+_(day|week|month|quarter|year)_[0-9]{4}_[0-9]{2}_[0-9]{2}$': {
    ...decimal('that of the measure'),
    description: 'A measure in one period, by its first day. Present if the parameter columns asks for it.',
  },
};

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
    ...(when ? [`Present if the parameter ${when} asks for it.`] : []),
  ];
  return { ...VALUES[unit], title: label, description: [description, ...notes].join(' ') };
}

export function answerSchema(catalogue: Catalogue, report: Report): Schema {
  const { name, description, list, contributions, parameters = [] } = report;
  const row = reference('schemas', rowName(name));
  return {
    type: 'object',
    description,
    properties: {
      [name]: { type: 'array', items: row },
      ...(parameters.includes('subtotals') && { subtotals: subtotalsSchema(catalogue, report) }),
      totals: report.compares
        ? comparedTotals(report, row)
        : list
          ? listTotals(rowSchema(catalogue, report), contributions)
          : row,
      meta: reference('schemas', 'Meta'),
    },
    required: [name, 'totals'],
    additionalProperties: false,
  };
}

/** Returns the schema of subtotals: rows with their level, apart from the rows that they add up. */
function subtotalsSchema(catalogue: Catalogue, report: Report): Schema {
  const row = rowSchema(catalogue, report);
  const level = {
    type: 'integer',
    minimum: 1,
    description: 'The number of dimensions of group_by that the group has.',
  };
  const properties = { _level: level, ...(row['properties'] as Schema) };
  return {
    type: 'array',
    description: 'The sum of each group of rows. Present if the parameter subtotals asks for it.',
    items: { ...row, description: 'A group of rows; the columns of its other dimensions are null.', properties },
  };
}

/** Returns the schema of the totals of a comparison: those of each measure, or of the one whose lines are listed. */
function comparedTotals({ parameters }: Report, row: Schema): Schema {
  return parameters?.includes('measure') ? row : { type: 'array', items: row };
}

function listTotals(row: Schema, contributions: Report['contributions']): Schema {
  // Generators know no schema of null alone, nor one of null beside a reference.
  if (!contributions) return { type: ['object', 'null'], maxProperties: 0, description: 'Null: a list has no totals.' };
  return { ...row, type: ['object', 'null'], description: 'With the parameter measure: the sum of all contributions.' };
}

export function rowName(report: string): string {
  return `${pascal(report)}Row`;
}

export function answerName(report: string): string {
  return `${pascal(report)}Answer`;
}
