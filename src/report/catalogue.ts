import { definitionError, findLine, listDefinitions, readDefinition } from './definition.ts';
import type { Unit } from './table.ts';

/** A measure. Exactly one of sum, percent, people and budget is given. */
export interface Measure {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly group: string;
  readonly description: string;
  readonly sum?: string;
  readonly percent?: string;
  readonly people?: 'capacity' | 'time_off' | 'overtime' | 'unscheduled' | 'future_overtime';
  readonly budget?: 'total' | 'used' | 'remaining' | 'forecast';
  readonly needs_rates?: boolean;
  readonly better?: 'more' | 'less' | 'none';
}

export interface Attribute {
  readonly label: string;
  readonly unit: Unit;
  readonly description: string;
  readonly needs_rates?: boolean;
}

/** A dimension that rows are grouped by. Exactly one of line and period is given. */
export interface Dimension {
  readonly name: string;
  readonly label: string;
  readonly line?: string;
  readonly period?: Period;
  readonly relation?: string;
  readonly key: string;
  readonly person?: boolean;
  readonly overlaps?: boolean;
  readonly missing?: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly shown: readonly string[];
}

export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

export interface Parameter {
  readonly name: string;
  readonly type: 'date' | 'list' | 'choice' | 'flag' | 'count' | 'names' | 'text';
  readonly label: string;
  readonly description: string;
  readonly values?: 'ids' | 'texts' | 'flags' | readonly string[];
  readonly default?: string;
  readonly example: string;
  readonly filter?: string;
  /** Alternative name in SQL, used where the name is an SQL keyword. */
  readonly sql_name?: string;
  readonly zero_is_none?: boolean;
}

/** A report's definition: it sums (lines, measures) or lists a relation's rows (relation, list). */
export interface Report {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly row: string;
  readonly rows?: readonly string[];
  readonly columns?: Readonly<Record<string, string>>;
  readonly lines?: readonly string[];
  readonly measures?: readonly string[];
  /** Additional column names in JSON, each with its measure (4.3). */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly active?: string;
  readonly population?: { readonly relation: string; readonly columns: readonly string[]; readonly always?: string };
  readonly nested?: string;
  readonly sort?: readonly string[];
  readonly table?: readonly string[];
  readonly parameters?: readonly string[];
  readonly without?: readonly string[];
  readonly relation?: string;
  readonly list?: Readonly<Record<string, Attribute>>;
}

export interface Catalogue {
  readonly lines: ReadonlyMap<string, string>;
  readonly measures: ReadonlyMap<string, Measure>;
  readonly dimensions: ReadonlyMap<string, Dimension>;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly reports: ReadonlyMap<string, Report>;
}

/** Ledger columns that a measure can sum. */
export const AMOUNTS = ['hours', 'cost', 'fee', 'hours_without_cost_rate', 'hours_without_bill_rate'] as const;

export type Amount = (typeof AMOUNTS)[number];

/**
 * Reads and checks every definition in the folder reports/.
 * @throws AppError definition, with file and line, at the first error.
 */
export function loadCatalogue(directory: string): Catalogue {
  const measureFile = readDefinition(directory, 'catalogue/measures.yaml', 'measures') as {
    lines: Record<string, string>;
    measures: Record<string, Omit<Measure, 'name'>>;
  };
  const { dimensions } = readDefinition(directory, 'catalogue/dimensions.yaml', 'dimensions') as {
    dimensions: Record<string, Omit<Dimension, 'name'>>;
  };
  const { parameters } = readDefinition(directory, 'catalogue/parameters.yaml', 'parameters') as {
    parameters: Record<string, Omit<Parameter, 'name'>>;
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
  const catalogue: Catalogue = {
    lines: new Map(Object.entries(measureFile.lines)),
    measures: named(measureFile.measures),
    dimensions: named(dimensions),
    parameters: named(parameters),
    reports: new Map(reports.map((report) => [report.name, report])),
  };
  checkMeasures(directory, catalogue);
  for (const [index, report] of reports.entries()) checkReport(directory, files[index] ?? '', report, catalogue);
  return catalogue;
}

/** Returns the terms of a sum measure: plus or minus an amount over a set of lines. */
export function parseSum(sum: string): { sign: 1 | -1; lines: string; amount: string }[] {
  return [...sum.matchAll(/([+-])?\s*([a-z_]+)\.([a-z_]+)/g)].map(([, sign, lines, amount]) => ({
    sign: sign === '-' ? -1 : 1,
    lines: lines ?? '',
    amount: amount ?? '',
  }));
}

export function parsePercent(percent: string): [part: string, whole: string] {
  const [part = '', whole = ''] = percent.split(' / ');
  return [part, whole];
}

/** Returns the measures of a report's groups, in the catalogue's order. */
export function measuresOf(catalogue: Catalogue, report: Report): Measure[] {
  return [...catalogue.measures.values()].filter((measure) => report.measures?.includes(measure.group));
}

export interface Alias {
  readonly name: string;
  readonly measure: Measure;
}

/** Returns the aliases of a report's columns in JSON, in the definition's order. */
export function aliasesOf({ measures }: Catalogue, { aliases = {} }: Report): Alias[] {
  return Object.entries(aliases).flatMap(([name, target]) => {
    const measure = measures.get(target);
    return measure ? [{ name, measure }] : [];
  });
}

function named<T extends object>(entries: Record<string, T>): Map<string, T & { name: string }> {
  return new Map(Object.entries(entries).map(([name, entry]) => [name, { name, ...entry }]));
}

function checkMeasures(directory: string, { lines, measures }: Catalogue): void {
  const file = 'catalogue/measures.yaml';
  for (const measure of measures.values()) {
    const unknown = [
      ...parseSum(measure.sum ?? '').flatMap((term) => [
        ...(lines.has(term.lines) ? [] : [`lines "${term.lines}"`]),
        ...((AMOUNTS as readonly string[]).includes(term.amount) ? [] : [`amount "${term.amount}"`]),
      ]),
      ...(measure.percent ? parsePercent(measure.percent) : [])
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
    const showsCost =
      parseSum(measure.sum ?? '').some(({ amount }) => amount === 'cost') ||
      (measure.percent ? parsePercent(measure.percent) : []).some((name) => measures.get(name)?.needs_rates);
    if (showsCost && !measure.needs_rates) fail('is made of costs, so it must say needs_rates: true');
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
  for (const name of Object.values(report.aliases ?? {})) if (!catalogue.measures.has(name)) fail(name, 'the measure');
  if (report.nested && !catalogue.reports.has(report.nested)) fail(report.nested, 'the report');
  if (!isWhole(report)) {
    throw definitionError(file, 1, 'must either sum lines (lines and measures) or list rows (relation and list)');
  }
  const columns = columnNames(catalogue, report);
  for (const name of [...(report.sort ?? []), ...(report.table ?? [])])
    if (!columns.has(name)) fail(name, 'the column');
}

/** Checks that a report has the two keys of summing or the two of listing, and no mix. */
function isWhole({ lines, measures, relation, list }: Report): boolean {
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
