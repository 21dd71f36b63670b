import { readKindNames } from '../../relation/line-kinds.ts';
import {
  AMOUNTS,
  type Catalogue,
  columnOfOrder,
  type Dimension,
  type LineSet,
  measuresOf,
  type Parameter,
  type Report,
} from './catalogue.ts';
import { definitionError, findLine, listDefinitions, readDefinition } from './definition.ts';
import { loadInsightRules } from './load-insights.ts';
import { loadWorkbook } from './load-workbook.ts';
import { defineMeasure, type MeasureDefinition } from './measure-kinds.ts';
import { operandsOf, showsCost, termsOf } from './measure-meaning.ts';
import { type Catalogues, hideRates } from './rates.ts';

/**
 * Reads and checks every definition in the folder reports/.
 * @throws AppError definition, with file and line, at the first error.
 */
export function loadCatalogue(directory: string): Catalogue {
  const measureFile = readDefinition(directory, 'catalogue/measures.yaml', 'measures') as {
    lines: Record<string, LineSet>;
    measures: Record<string, MeasureDefinition>;
  };
  const { dimensions } = readDefinition(directory, 'catalogue/dimensions.yaml', 'dimensions') as {
    dimensions: Record<string, Omit<Dimension, 'name'>>;
  };
  const { parameters } = readDefinition(directory, 'catalogue/parameters.yaml', 'parameters') as {
    parameters: Record<string, ParameterDefinition>;
  };
  const files = listDefinitions(directory);
  const reports = files.map((file) => readDefinition(directory, file, 'report') as Report);
  for (const [index, { name }] of reports.entries()) {
    const first = reports.findIndex((report) => report.name === name);
    if (first < index) {
      const file = files[index] ?? '';
      throw definitionError(
        file,
        findLine(directory, file, 'name:'),
        `the report ${name} is defined in ${files[first]} already`,
      );
    }
  }
  const measures = new Map(
    Object.entries(measureFile.measures).map(([name, definition]) => [name, defineMeasure(name, definition)]),
  );
  const insights = loadInsightRules(directory, measures);
  const catalogue: Catalogue = {
    lines: new Map(Object.entries(measureFile.lines)),
    measures,
    dimensions: named(dimensions),
    parameters: named(withKinds(parameters)),
    reports: new Map(reports.map((report) => [report.name, report])),
    insights,
    workbook: loadWorkbook(directory, { measures, insights, reports: new Set(reports.map(({ name }) => name)) }),
  };
  checkMeasures(directory, catalogue);
  for (const [index, report] of reports.entries()) checkReport(directory, files[index] ?? '', report, catalogue);
  return catalogue;
}

/**
 * Loads both catalogues from the folder reports/.
 * @throws AppError definition, with file and line, at the first error.
 */
export function loadCatalogues(directory: string): Catalogues {
  const full = loadCatalogue(directory);
  return { full, withoutRates: hideRates(full) };
}

/** A parameter as its file has it: kinds stands for the names of all kinds of lines. */
type ParameterDefinition = Omit<Parameter, 'name' | 'values'> & { readonly values?: Parameter['values'] | 'kinds' };

function withKinds(parameters: Record<string, ParameterDefinition>): Record<string, Omit<Parameter, 'name'>> {
  const read = ({ values, ...parameter }: ParameterDefinition): Omit<Parameter, 'name'> => {
    if (values === undefined) return parameter;
    return { ...parameter, values: values === 'kinds' ? readKindNames() : values };
  };
  return Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, read(parameter)]));
}

function named<T extends object>(entries: Record<string, T>): Map<string, T & { name: string }> {
  return new Map(Object.entries(entries).map(([name, entry]) => [name, { name, ...entry }]));
}

function checkMeasures(directory: string, catalogue: Catalogue): void {
  const { lines, measures } = catalogue;
  const file = 'catalogue/measures.yaml';
  for (const measure of measures.values()) {
    const unknown = [
      ...termsOf(measure).flatMap((term) => [
        ...(lines.has(term.lines) ? [] : [`lines "${term.lines}"`]),
        ...((AMOUNTS as readonly string[]).includes(term.amount) ? [] : [`amount "${term.amount}"`]),
      ]),
      ...operandsOf(measure)
        .filter((name) => !measures.has(name))
        .map((name) => `measure "${name}"`),
    ];
    const fail = (message: string): never => {
      throw definitionError(
        file,
        findLine(directory, file, `  ${measure.name}:`),
        `measure ${measure.name} ${message}`,
      );
    };
    if (unknown[0]) fail(`names ${unknown[0]}, which doesn't exist`);
    if (showsCost(catalogue, measure) && !measure.needs_rates)
      fail('is made of costs, so it must say needs_rates: true');
  }
}

function checkReport(directory: string, file: string, report: Report, catalogue: Catalogue): void {
  const fail = (name: string, kind: string): never => {
    throw definitionError(file, findLine(directory, file, name), `names ${kind} "${name}", which doesn't exist`);
  };
  for (const name of report.rows ?? []) if (!catalogue.dimensions.has(name)) fail(name, 'the dimension');
  for (const name of [...(report.parameters ?? []), ...(report.without ?? [])])
    if (!catalogue.parameters.has(name)) fail(name, 'the parameter');
  for (const target of Object.values(report.columns ?? {})) {
    const [dimension = '', attribute = ''] = target.split('.');
    if (!catalogue.dimensions.get(dimension)?.attributes[attribute]) fail(target, 'the attribute');
  }
  const groups = new Set([...catalogue.measures.values()].map(({ group }) => group));
  for (const name of [...(report.measures ?? []), ...(report.named ?? [])])
    if (!groups.has(name) && !catalogue.measures.has(name)) fail(name, 'the measure, or group of measures,');
  for (const name of Object.values(report.aliases ?? {})) if (!catalogue.measures.has(name)) fail(name, 'the measure');
  for (const name of [...(report.nested ? [report.nested] : []), ...(report.sheets ?? [])])
    if (!catalogue.reports.has(name)) fail(name, 'the report');
  if (!isWhole(report)) {
    throw definitionError(
      file,
      1,
      'must either sum lines (lines and measures), list rows (relation and list) or compare (compares, lines, measures and list)',
    );
  }
  const columns = columnNames(catalogue, report);
  for (const name of [
    ...(report.sort ?? []).map(columnOfOrder),
    ...(report.table ?? []),
    ...(report.only_with ? [report.only_with] : []),
  ])
    if (!columns.has(name)) fail(name, 'the column');
}

/** Checks that a report has the two keys of summing or the two of listing, and no mix unless it compares. */
function isWhole({ lines, measures, relation, list, compares }: Report): boolean {
  if (compares) return lines !== undefined && measures !== undefined && relation === undefined && list !== undefined;
  const [sums, lists] = [
    [lines, measures],
    [relation, list],
  ].map((parts) => parts.filter((part) => part !== undefined).length);
  return (sums === 2 && lists === 0) || (sums === 0 && lists === 2);
}

function columnNames(catalogue: Catalogue, report: Report): Set<string> {
  return new Set([
    ...Object.keys(report.columns ?? {}),
    ...Object.keys(report.list ?? {}),
    ...measuresOf(catalogue, report).map(({ name }) => name),
  ]);
}
