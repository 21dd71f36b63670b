import type { Database, Value } from '../../../base/database/index.ts';
import type { AsOf } from './as-of-state.ts';
import type { Loading } from './company-settings.ts';
import type { Cutoff } from './cutoff.ts';
import type { PortfolioInsights, RowInsights } from './insight.ts';

export type { InsightNumber, PortfolioInsights, RowInsights } from './insight.ts';

/** The unit of a value, which decides its type, digits and format in every file. */
export type Unit =
  | 'id'
  | 'code'
  | 'text'
  /** Words with LIST_SEPARATOR between them, in JSON an array. */
  | 'list'
  | 'date'
  | 'boolean'
  | 'hours'
  | 'money'
  | 'rate'
  /** A quotient of two amounts in one unit. */
  | 'index'
  | 'percent'
  | 'budget'
  | 'count'
  /** A whole number that counts nothing, such as a year. */
  | 'number';

/** The rows in which the favorable direction of a variance is no gain. */
export interface Unjudged {
  /** The column that is below 0 there. */
  readonly below_zero?: string;
  /** The column that is 0 there. */
  readonly zero?: string;
  /** The columns, each with a value that it doesn't have there. */
  readonly except?: Readonly<Record<string, string>>;
  readonly because: string;
}

export interface Column {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly description: string;
  /** True if the column reveals a cost, which needs the scope rates. */
  readonly needsRates: boolean;
  readonly better: 'more' | 'less' | 'none' | undefined;
  readonly unjudged?: Unjudged | undefined;
  /** The measure of which the column shows one period; absent from other columns. */
  readonly measure?: string;
}

export interface TieWords {
  /** The subject: a column, or numbers in words. */
  readonly subject: string;
  /** Names of the two numbers. */
  readonly sides: readonly [left: string, right: string];
  /** True for an effect of rounding, which is reported and never fails. */
  readonly isRounding?: boolean;
}

/** A comparison of two numbers that must be equal, or that differ by rounding alone. */
export interface Tie {
  /** The subject and the sides in one sentence. */
  readonly check: string;
  readonly words: TieWords;
  /** Absent, like right, from a check of the whole company in a filtered report. */
  readonly left?: string;
  readonly right?: string;
  readonly ok: boolean;
}

export type ParameterValue = string | number | boolean | readonly ParameterItem[];

/** An item of a parameter's list; null stands for a missing value, which a request calls none. */
export type ParameterItem = string | number | boolean | null;

/** Findings about the data with one cause: their check, and the person who has no rate. */
export interface FindingCause {
  readonly check: string;
  readonly severity: string;
  readonly cause: string;
  /** The person whose record is to be mended; null if the check is about another record. */
  readonly people_id: string | null;
  /** The person's name; the id of one without a record. */
  readonly person: string | null;
  /** False if the person has no record. */
  readonly is_known: boolean;
  readonly findings: number;
  /** Findings about scheduled time: its days, where the check is about days. */
  readonly scheduled_days: number;
  readonly first_date: string | null;
  readonly hours: string | null;
  /** Those of scheduled time among them: no actual amount lacks them. */
  readonly scheduled_hours: string | null;
  /** The sum of the amounts at risk, as far as they are known and the reader sees them. */
  readonly amount_at_risk: string | null;
  /** The way out. */
  readonly remedy: string;
}

/** A state of a comparison: a kept one, or the present data, which is called now. */
export interface ComparedMeta extends Partial<AsOf> {
  readonly state: string;
  /** Absent if it has none. */
  readonly label?: string;
  readonly data_version: string;
  /** Its today: of a kept state, the day up to which it is complete. */
  readonly day: string;
  readonly cutoff_date: string;
}

/** All closings together, as the earlier state of a comparison, each with the days that are compared with it. */
export interface ComparedClosings {
  readonly state: 'closings';
  readonly closings: readonly (ComparedMeta & { readonly start_date: string; readonly end_date: string })[];
}

/** The kept state whose plan is compared. */
export interface BaselineMeta extends Pick<AsOf, 'state' | 'number' | 'kind' | 'kept_at'> {
  readonly data_version: string;
  /** The projects in the answer that it doesn't have: they were planned with 0. */
  readonly missing_projects: number;
  /** Their actual hours in the answer, with all digits. */
  readonly missing_actual_hours: string;
}

/** The metadata that make a report reproducible. */
export interface Meta extends Loading {
  readonly report: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Absent from reports without a cutoff. */
  readonly cutoff?: Cutoff;
  readonly currency: string;
  readonly minor_units: number;
  readonly generated_at: string;
  readonly data_version: string;
  /** Absent from answers about the present data. */
  readonly as_of?: AsOf;
  /** Null if the plan is that of the data; absent from reports that take no baseline. */
  readonly baseline?: BaselineMeta | null;
  /** The states of a comparison; absent from answers about one state. */
  readonly from?: ComparedMeta | ComparedClosings;
  readonly to?: ComparedMeta;
  readonly notes: readonly string[];
  readonly checks: readonly Tie[];
  /** Columns left out because they reveal a cost; absent when there are none. */
  readonly hidden_columns?: readonly string[];
  /** The names of what the reader's part is limited to; absent for readers of everything. */
  readonly part?: readonly string[];
  /** The cursor of the next page of lines; absent after the last. */
  readonly next_cursor?: string;
  /** The sentences about all rows; absent unless requested. */
  readonly insights?: PortfolioInsights;
  /** The causes of all findings; absent unless requested. */
  readonly causes?: readonly FindingCause[];
  /** The number of rows on all pages; absent where they are counted as they are written, or not at all. */
  readonly row_count?: number;
}

/** Rows nested in the rows that have the same values in the columns `by`. */
export interface Nested {
  readonly name: string;
  readonly by: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

/** The sum of consecutive rows that have the same first dimensions. */
export interface Subtotal {
  /** The number of those dimensions: 1 for the outermost groups. */
  readonly level: number;
  /** The names of the columns of those dimensions; the columns of the others are null. */
  readonly by: readonly string[];
  /** The index of its first row among all rows. */
  readonly first: number;
  /** Unit: rows. */
  readonly count: number;
  readonly values: readonly Value[];
}

/**
 * The SQL of a table's rows, used by formats that the database writes faster than JavaScript.
 * Columns are the table's, with the ledger's types.
 */
export interface RowStatements {
  readonly database: Database;
  /**
   * Returns at least one statement; their rows in order are the table's.
   * @param maxRows The most rows of each, though a day is never split. Default: the fastest size.
   */
  readonly slice: (maxRows?: number) => readonly string[];
  /** An upper bound of the rows in all, if known. */
  readonly maxRows?: number | undefined;
}

/** A table as reports return it and formats write it. Decimals are text, never floats. */
export interface Table {
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly (readonly Value[])[]>;
  /** The SQL of the rows, if the report lists; a writer reads either this or `rows`. */
  readonly statements?: RowStatements;
  readonly totals: readonly Value[] | undefined;
  /** The totals of a report with a row for each measure, whose `totals` is undefined. */
  readonly totalRows?: readonly (readonly Value[])[];
  readonly nested: Nested | undefined;
  /** In the order in which they follow rows; absent unless asked for. */
  readonly subtotals?: readonly Subtotal[];
  /** Returns what is said about a row of `rows`; absent unless asked for. */
  readonly insightsOf?: (row: readonly Value[]) => RowInsights;
  readonly meta: Meta;
}
