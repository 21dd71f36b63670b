import { address } from './address.ts';

/** A column of a report, as /v3/reports describes it. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly description: string;
  readonly better?: 'more' | 'less' | 'none';
  readonly when?: string;
}

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly label: string;
  readonly description: string;
  readonly values?: readonly (string | number)[];
  readonly default?: unknown;
  /** The dimension whose keys are the values. */
  readonly dimension?: string;
}

export interface Dimension {
  readonly name: string;
  readonly label: string;
  readonly key: string;
  readonly columns: readonly string[];
  readonly period?: string;
}

export interface Report {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  readonly formats: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly columns: readonly Column[];
}

/** The server's description of all reports. */
export interface Catalogue {
  readonly reports: readonly Report[];
  readonly dimensions: readonly Dimension[];
}

const NUMBERS = new Set(['hours', 'money', 'rate', 'percent', 'budget', 'count', 'number']);

export function isNumber({ unit }: Pick<Column, 'unit'>): boolean {
  return NUMBERS.has(unit);
}

/** Returns a report; for an unknown name, a report without parameters and columns. */
export function reportOf({ reports }: Catalogue, name: string): Report {
  const found = reports.find((report) => report.name === name);
  return found ?? { name, label: name, path: `/v3/reports/${name}`, formats: [], parameters: [], columns: [] };
}

export function columnsOf(catalogue: Catalogue, report: string, names: readonly string[]): readonly Column[] {
  const { columns } = reportOf(catalogue, report);
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/** Returns the parameters of a report that filter its rows, beside the window. */
export function filtersOf({ parameters }: Report): readonly Parameter[] {
  return parameters.filter(({ type }) => type === 'list');
}

/** The window as parameters of a report: its days, or the name of a period that the server turns into days. */
export type WindowParameters = { readonly start_date: string; readonly end_date: string } | { readonly period: string };

/** Returns the window in the address; by default the present year. */
export function windowOf(from = address.value): WindowParameters {
  const period = from.get('period');
  if (period !== null) return { period };
  const year = new Date().getFullYear();
  return {
    start_date: from.get('start_date') ?? `${year}-01-01`,
    end_date: from.get('end_date') ?? `${year}-12-31`,
  };
}

/**
 * Returns the path of a report with the window and the filters of the address.
 * @param own Parameters of only this request; undefined leaves one out.
 */
export function pathOf(catalogue: Catalogue, name: string, own: Readonly<Record<string, string | undefined>>): string {
  const report = reportOf(catalogue, name);
  const takes = new Set(report.parameters.map((parameter) => parameter.name));
  const query = new URLSearchParams(own['start_date'] === undefined ? { ...windowOf() } : {});
  for (const parameter of ['cutoff_date', ...filtersOf(report).map((filter) => filter.name)]) {
    const value = address.value.get(parameter);
    if (value !== null && takes.has(parameter)) query.set(parameter, value);
  }
  for (const [parameter, value] of Object.entries({ links: takes.has('links') ? '1' : undefined, ...own })) {
    if (value === undefined) query.delete(parameter);
    else query.set(parameter, value);
  }
  return `${report.path}?${query}&decimals=string`;
}

/** A column's unit, and its label where that says the unit already. */
type Measured = Pick<Column, 'unit'> & Partial<Pick<Column, 'label'>>;

/** Returns the unit shown beside a label or a number; empty for texts, and where the label says it. */
export function unitOf({ unit, label = '' }: Measured, currency: string): string {
  if (unit === 'hours') return 'h';
  if (unit === 'money') return currency;
  if (unit === 'rate') return `${currency}/h`;
  return unit === 'percent' && !label.includes('%') ? '%' : '';
}
