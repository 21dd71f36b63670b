import type { Period } from '../../../base/calendar/index.ts';
import { AppError, listNames } from '../../../base/index.ts';
import type { WorkbookDefinition } from '../layout/workbook-definition.ts';
import type { InsightRules } from './insight-rule.ts';
import type { Measure } from './measure-kinds.ts';
import type { Unit } from './table.ts';

export interface Attribute {
  readonly label: string;
  readonly unit: Unit;
  readonly description: string;
  readonly needs_rates?: boolean;
  /** True for a column that a statement for clients leaves out. */
  readonly internal?: boolean;
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

export interface Parameter {
  readonly name: string;
  readonly type: 'date' | 'period' | 'state' | 'list' | 'choice' | 'flag' | 'count' | 'names' | 'text';
  readonly label: string;
  readonly description: string;
  /** The parameters that a closing gives if they are left out: the days of its window, and its end as the cutoff. */
  readonly fills?: readonly string[];
  readonly values?: 'ids' | 'texts' | 'flags' | readonly string[];
  readonly default?: string;
  readonly example: string;
  readonly filter?: string;
  /** Alternative name in SQL, used where the name is an SQL keyword. */
  readonly sql_name?: string;
  readonly zero_is_none?: boolean;
}

/** The members of a report, which may be rows without any line. */
interface Population {
  readonly relation: string;
  /** The columns that filters apply to. */
  readonly columns: readonly string[];
  /** The relation of the days on which members are rows even without include_empty. */
  readonly always?: string;
  /** A column that is true for members who may be rows without any line. Default: all. */
  readonly only?: string;
}

/**
 * A report's definition: it sums (lines, measures), lists a relation's rows (relation, list), or compares the sums of two
 * states of the data (compares, lines, measures, list).
 */
export interface Report {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly row: string;
  readonly rows?: readonly string[];
  readonly columns?: Readonly<Record<string, string>>;
  readonly lines?: readonly string[];
  /** The groups of measures shown, or single measures by name. */
  readonly measures?: readonly string[];
  /** The groups of measures shown only when a request names them. */
  readonly named?: readonly string[];
  /** Additional column names in JSON, each with its measure (4.3). */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly active?: string;
  readonly population?: Population;
  readonly nested?: string;
  /** The measure without which a further sheet of a workbook shows no row. */
  readonly only_with?: string;
  /** The sheets of its workbook, as names of reports: that of its own rows, then further ones. */
  readonly sheets?: readonly string[];
  /** True if every period of the window is a row, with lines or without. */
  readonly has_all_periods?: boolean;
  /** The columns that rows are ordered by; `-` before a name means the largest first. */
  readonly sort?: readonly string[];
  readonly table?: readonly string[];
  readonly parameters?: readonly string[];
  /** Defaults of parameters in place of those of the catalogue. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
  readonly compares?: true;
  readonly relation?: string;
  readonly list?: Readonly<Record<string, Attribute>>;
  readonly contributions?: Contributions;
}

/** A list of the lines behind a number: its further parameters and columns, and the columns by kind of measure. */
export interface Contributions {
  readonly parameters: readonly string[];
  readonly columns: Readonly<Record<string, Attribute>>;
  readonly of_sums: readonly string[];
  readonly of_people: readonly string[];
  readonly of_person_days: readonly string[];
  readonly of_timesheets: readonly string[];
  readonly of_cells: readonly string[];
  readonly of_budgets: readonly string[];
  readonly of_earned: readonly string[];
  readonly of_allowances: readonly string[];
}

/** A set of lines: what its lines have in common, in the order of the definition. */
export interface LineSet {
  readonly kind: string;
  /** The plan of scheduled lines: that of the baseline, if there is one; that of the reported state; that of the baseline alone. */
  readonly plan?: 'compared' | 'current' | 'baseline';
  readonly status?: string;
  /** The status is in the parameter `status`. */
  readonly is_asked?: boolean;
  readonly is_billable?: boolean;
  /** The date is on or before the cutoff. */
  readonly is_to_date?: boolean;
  /** The date is after today. */
  readonly is_future?: boolean;
  /** The line is of the baseline; absent from the sets of a query without one. */
  readonly is_baseline?: boolean;
}

export interface Catalogue {
  readonly lines: ReadonlyMap<string, LineSet>;
  readonly measures: ReadonlyMap<string, Measure>;
  readonly dimensions: ReadonlyMap<string, Dimension>;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly reports: ReadonlyMap<string, Report>;
  readonly insights: InsightRules;
  readonly workbook: WorkbookDefinition;
}

/** Amounts of lines that a measure can sum. */
export const AMOUNTS = [
  'hours',
  'cost',
  'fee',
  'hours_without_cost_rate',
  'hours_without_bill_rate',
  'earned_fee',
  'planned_fee',
  'fee_beyond',
  'amount',
] as const;

export type Amount = (typeof AMOUNTS)[number];

/**
 * Returns the report with a name.
 * @throws AppError unknown, listing the known ones.
 */
export function findReport(catalogue: Catalogue, name: string): Report {
  const report = catalogue.reports.get(name);
  if (report) return report;
  throw new AppError('unknown', `There is no report "${name}"`, {
    hint: `The reports are ${listNames(name, [...catalogue.reports.keys()])}.`,
  });
}

export function columnOfOrder(order: string): string {
  return order.replace(/^-/, '');
}

export function reportsOfOneState({ reports }: Catalogue): Report[] {
  return [...reports.values()].filter(({ compares }) => !compares);
}

/** Returns the reports whose rows are sums of lines, or the changes of sums. */
export function groupingReports({ reports }: Catalogue): Report[] {
  return [...reports.values()].filter(({ lines, parameters }) => lines && !parameters?.includes('measure'));
}

/** Returns those of one state that sum lines. */
export function summingReports(catalogue: Catalogue): Report[] {
  return reportsOfOneState(catalogue).filter(({ lines }) => lines);
}

/** Returns the measures that a report shows, in the catalogue's order. @param named Columns that a request names. */
export function measuresOf(catalogue: Catalogue, report: Report, named: readonly string[] = []): Measure[] {
  return offeredMeasures(catalogue, report).filter(
    ({ name, group }) => [group, name].some((each) => report.measures?.includes(each)) || named.includes(name),
  );
}

export function offeredMeasures({ measures: all }: Catalogue, { measures = [], named = [] }: Report): Measure[] {
  const groups = [...measures, ...named];
  return [...all.values()].filter(({ name, group }) => groups.includes(group) || groups.includes(name));
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
