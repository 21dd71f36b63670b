/*
 * Descriptions of reports, their parameters and columns, for lists of reports, JSON Schemas, OpenAPI, OData and tools.
 * Other parts import this file.
 */
import type { Catalogue, Parameter, Report } from '../catalogue/catalogue.ts';
import { allParametersOf, isRequired } from '../catalogue/parameters.ts';
import { typeChoices, typeText } from '../catalogue/typed-parameters.ts';
import { columnsOf } from './offered-columns.ts';

export { columnsOf, type OfferedColumn } from './offered-columns.ts';
export { type ParameterSchema, parameterSchema, valueSchema } from './parameter-schema.ts';

/** Describes a report with its parameters and every possible column, as JSON values. */
export function describeReport(catalogue: Catalogue, report: Report) {
  return {
    name: report.name,
    label: report.label,
    description: report.description,
    row: report.row,
    parameters: allParametersOf(catalogue, report).map((parameter) => ({
      ...describeParameter(catalogue, parameter),
      required: isRequired(report, parameter.name),
    })),
    columns: columnsOf(catalogue, report).map(
      ({ name, label, unit, description, needsRates, when, group, better, unjudged }) => ({
        name,
        label,
        unit,
        description,
        needs_rates: needsRates,
        ...(when === undefined ? {} : { when }),
        ...(group === undefined ? {} : { group }),
        ...(better === undefined ? {} : { better }),
        ...(unjudged === undefined ? {} : { unjudged }),
      }),
    ),
  };
}

function describeParameter(catalogue: Catalogue, parameter: Parameter) {
  const { name, type, label, description, filter, default: standard, example } = parameter;
  const values = typeChoices(parameter);
  const dimension = filter && [...catalogue.dimensions.values()].find(({ line }) => line === filter);
  return {
    name,
    type,
    label,
    description,
    ...(values === undefined ? {} : { values }),
    ...(dimension ? { dimension: dimension.name } : {}),
    ...(standard === undefined ? {} : { default: typeText(parameter, standard) }),
    example: typeText(parameter, example),
  };
}

/** Describes the overview of the page, and the subjects with their measures; those of hidden measures are left out. */
export function describeOverview({ workbook, measures }: Catalogue) {
  const subjects = Object.entries(workbook.subjects).flatMap(([name, { label, measures: named, is_rate }]) => {
    const shown = Object.entries(named).filter(([, measure]) => measures.has(measure));
    return is_rate || shown.length === 0 ? [] : [{ name, label, measures: Object.fromEntries(shown) }];
  });
  return { overview: workbook.overview, subjects };
}

/** Lists the values of group_by: each dimension with its key, and the columns that a pivot shows of it. */
export function listDimensions({ dimensions }: Catalogue) {
  return [...dimensions.values()].map(({ name, label, key, shown, period }) => ({
    name,
    label,
    key,
    columns: shown,
    ...(period === undefined ? {} : { period }),
  }));
}
