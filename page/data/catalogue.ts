import type {
  Aspect,
  OverviewDefinition,
  SubjectDefinition,
} from '../../src/numbers/report/layout/workbook-definition.ts';
import { address } from './address.ts';
import { WHOLE_LIFE } from './days.ts';
import type { Unjudged } from './judgment.ts';

/** A column of a report, as /v3/reports describes it. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly description: string;
  readonly better?: 'more' | 'less' | 'none';
  readonly unjudged?: Unjudged;
  readonly when?: string;
  /** The group of a measure. */
  readonly group?: string;
}

/** A parameter of a report. */
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

/** A dimension of the pivot. */
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

/** An ability of a reader on a server: to see its deliveries, send them, load files, write records, enter progress. */
export type Ability = 'deliveries' | 'deliver' | 'load' | 'write' | 'progress';

/** The server's description of all reports. */
export interface Catalogue {
  readonly reports: readonly Report[];
  readonly dimensions: readonly Dimension[];
  readonly subjects: readonly (Pick<SubjectDefinition, 'label' | 'measures'> & { readonly name: string })[];
  readonly overview: OverviewDefinition;
  /** The abilities of the reader on this server beside reading reports. */
  readonly abilities: readonly Ability[];
}

/** Returns the name of a measure of a subject; empty for one that the reader doesn't see. */
export function measureOf({ subjects }: Catalogue, subject: string, aspect: Aspect): string {
  return subjects.find(({ name }) => name === subject)?.measures[aspect] ?? '';
}

/** Returns the names of some measures of a subject. */
export function measuresOf(catalogue: Catalogue, subject: string, aspects: readonly Aspect[]): string[] {
  return aspects.map((aspect) => measureOf(catalogue, subject, aspect)).filter((name) => name !== '');
}

/** Returns the measures of a subject that are told of since a state: the forecast first, which rows show. */
export function newsOf(catalogue: Catalogue, subject: string): string[] {
  return measuresOf(catalogue, subject, ['forecast', 'scheduled', 'actual']);
}

/** Units of numbers. */
const NUMBERS = new Set(['hours', 'money', 'rate', 'percent', 'budget', 'index', 'count', 'number']);

/** Returns whether a column holds numbers. */
export function isNumber({ unit }: Pick<Column, 'unit'>): boolean {
  return NUMBERS.has(unit);
}

/** Returns a report; one without parameters and columns if there is none of the name. */
export function reportOf({ reports }: Catalogue, name: string): Report {
  const found = reports.find((report) => report.name === name);
  return found
    ? nameBaseline(found)
    : { name, label: name, path: `/v3/reports/${name}`, formats: [], parameters: [], columns: [] };
}

/** Names the baseline of the address in the labels of a report's measures, as its answers do. */
function nameBaseline(report: Report): Report {
  const state = baselineName();
  if (state === undefined || report.name === 'lines') return report;
  const named = ({ name, label }: Column) =>
    // Future hours are always of the present plan.
    name.startsWith('future_') ? label : label.replace(/\bscheduled\b/i, (word) => `${word} (${state})`);
  return { ...report, columns: report.columns.map((column) => ({ ...column, label: named(column) })) };
}

/** Returns the name of the kept state whose plan is compared; undefined for the present plan. */
export function baselineName(from = address.value): string | undefined {
  return from.get('baseline')?.replace(/@\d+$/, '');
}

/** Returns the columns with the names that a report has. */
export function columnsOf(catalogue: Catalogue, report: string, names: readonly string[]): readonly Column[] {
  const { columns } = reportOf(catalogue, report);
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/** Returns the causes of a difference, in the order in which the steps are taken: the columns of the report changes after the difference. */
export function causesOf(catalogue: Catalogue): readonly Column[] {
  const { columns } = reportOf(catalogue, 'changes');
  return columns.slice(columns.findIndex(({ name }) => name === 'difference') + 1);
}

/** Returns the parameters of a report that filter its rows, beside the window. */
export function filtersOf({ parameters }: Report): readonly Parameter[] {
  return parameters.filter(({ type }) => type === 'list');
}

/** The periods of screens where the address names no days, if it isn't the fiscal year. */
const PERIODS: Readonly<Record<string, string>> = {
  people: 'this_and_next_6_weeks',
  person: 'this_and_next_6_weeks',
  timesheets: 'last_4_weeks',
};

/** Returns the period of an address that names no days: that of its screen, or the fiscal year. */
export function defaultPeriod(from = address.value): string {
  return PERIODS[from.get('screen') ?? ''] ?? 'this_year';
}

/** Screens that show the whole life where the address names no days: a project, and balances, which are of all days anyway. */
export const LIVES: readonly string[] = ['project', 'to-bill'];

/** Returns the window in the address: its days, or the name of a period. */
export function windowOf(from = address.value): Readonly<Record<string, string>> {
  const [start, end] = [from.get('start_date'), from.get('end_date')];
  const isOfLives = LIVES.includes(from.get('screen') ?? '') && !from.has('period');
  if (start === null && end === null)
    return isOfLives ? { ...WHOLE_LIFE } : { period: from.get('period') ?? defaultPeriod(from) };
  return { ...(start !== null && { start_date: start }), ...(end !== null && { end_date: end }) };
}

/**
 * Returns the path of a report with the window and the filters of the address.
 * @param own Parameters of this request alone; undefined leaves one out. Days or a period of its own replace the window.
 */
export function pathOf(catalogue: Catalogue, name: string, own: Readonly<Record<string, string | undefined>>): string {
  const report = reportOf(catalogue, name);
  const takes = new Set(report.parameters.map((parameter) => parameter.name));
  const query = new URLSearchParams({
    ...('start_date' in own || 'period' in own ? {} : windowOf()),
    ...asOfParameter(),
  });
  for (const parameter of ['cutoff_date', 'baseline', ...filtersOf(report).map((filter) => filter.name)]) {
    const value = address.value.get(parameter);
    if (value !== null && takes.has(parameter)) query.set(parameter, value);
  }
  for (const [parameter, value] of Object.entries({ ...whenTaken(takes, 'links'), ...own })) {
    if (value === undefined) query.delete(parameter);
    else query.set(parameter, value);
  }
  return `${report.path}?${query}&decimals=string`;
}

/** Returns the parameter with the kept state that other parameters name; none for the present data. */
export function asOfParameter(from = address.value): Readonly<Record<string, string>> {
  return pick(from, 'as_of');
}

/** Returns the parameters with the kept states of a number: the reported one, and the one whose plan is compared. */
export function stateParameters(from: URLSearchParams): Readonly<Record<string, string>> {
  return { ...pick(from, 'as_of'), ...pick(from, 'baseline') };
}

function pick(from: URLSearchParams, name: string): Readonly<Record<string, string>> {
  const value = from.get(name);
  return value === null ? {} : { [name]: value };
}

/** Returns a parameter that is on, where the report has it. */
function whenTaken(takes: ReadonlySet<string>, name: string): Readonly<Record<string, string>> {
  return takes.has(name) ? { [name]: '1' } : {};
}

/** Returns the parameter for sentences about rows, where the report has it. */
export function insightsParameter(catalogue: Catalogue, report: string): Readonly<Record<string, string>> {
  return whenTaken(new Set(reportOf(catalogue, report).parameters.map(({ name }) => name)), 'insights');
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
