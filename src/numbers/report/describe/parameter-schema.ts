import { PERIOD_PATTERN } from '../../../base/calendar/index.ts';
import type { Catalogue, Parameter, Report } from '../catalogue/catalogue.ts';
import { areIds, typeChoices } from '../catalogue/typed-parameters.ts';
import { LINK_COLUMN } from '../plan/links.ts';
import { columnsOf } from './offered-columns.ts';

export type ParameterSchema = Readonly<Record<string, unknown>>;

const DAY: ParameterSchema = { type: 'string', format: 'date' };

/** Returns the JSON schema of a report's parameter as a request has it; lists are arrays. */
export function parameterSchema(parameter: Parameter, report: Report, catalogue: Catalogue): ParameterSchema {
  const { type, values, default: standard } = parameter;
  switch (type) {
    case 'date':
      return Array.isArray(values) ? { anyOf: [DAY, { type: 'string', enum: values }] } : DAY;
    case 'period':
      return { type: 'string', pattern: PERIOD_PATTERN };
    case 'choice':
      return { type: 'string', enum: values, ...defaultOf(standard) };
    case 'flag':
      return { type: 'integer', enum: [0, 1], ...defaultOf(standard === undefined ? undefined : Number(standard)) };
    case 'count':
      return { type: 'integer', minimum: 1 };
    case 'list':
      return {
        type: 'array',
        minItems: 1,
        items: itemSchema(parameter),
        ...defaultOf(standard?.split(',')),
      };
    case 'names':
      return { type: 'array', minItems: 1, items: { type: 'string', ...namesOf(parameter, report, catalogue) } };
    case 'state':
    case 'text':
      return { type: 'string' };
  }
}

function itemSchema(parameter: Parameter): ParameterSchema {
  const { values, filter } = parameter;
  const choices = typeChoices(parameter);
  if (!choices && values !== 'ids') return { type: 'string', minLength: 1 };
  if (choices?.every((choice) => typeof choice === 'string')) {
    return { type: 'string', enum: filter ? [...choices, 'none'] : choices };
  }
  const number = { type: 'integer', ...(choices ? { enum: choices } : { minimum: 0 }) };
  return filter ? { anyOf: [number, { type: 'string', enum: ['none'] }] } : number;
}

/** Returns the JSON schema of a parameter's value in metadata. */
export function valueSchema(parameter: Parameter): ParameterSchema {
  const { type, values, filter } = parameter;
  const listed = (item: string) => ({ type: 'array', items: { type: filter ? [item, 'null'] : item } });
  if (type === 'date') return DAY;
  if (type === 'count') return { type: 'integer' };
  if (type === 'flag') return { type: 'boolean' };
  if (type !== 'list' && type !== 'names') return { type: 'string' };
  if (values === 'flags') return listed('boolean');
  return listed(areIds(parameter) ? 'integer' : 'string');
}

function namesOf({ name }: Parameter, report: Report, catalogue: Catalogue): ParameterSchema {
  const columns = columnsOf(catalogue, report).map((column) => column.name);
  if (name === 'group_by') return { enum: [...catalogue.dimensions.keys()] };
  // A comparison has a row for each measure, and no column.
  if (name === 'measures' && report.compares) return { enum: [...catalogue.measures.keys()] };
  if (name === 'measures') return { enum: columns.filter((column) => catalogue.measures.has(column)) };
  if (name === 'sort') {
    return {
      enum: columns.filter((column) => column !== LINK_COLUMN.name).flatMap((column) => [column, `-${column}`]),
    };
  }
  return { enum: [...columns, ...Object.keys(report.aliases ?? {})] };
}

function defaultOf(value: unknown): ParameterSchema {
  return value === undefined ? {} : { default: value };
}
