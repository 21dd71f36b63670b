import type { Database, Value } from '../database/database.ts';

/** What a value is. It decides its type, its digits and its format, in every file that is written. */
export type Unit =
  | 'id'
  | 'code'
  | 'text'
  | 'date'
  | 'boolean'
  | 'hours'
  | 'money'
  | 'rate'
  | 'percent'
  | 'budget'
  | 'count';

/** A column as a reader sees it. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly unit: Unit;
  readonly description: string;
  /** A cost can be read from it: shown only to those who may see rates. */
  readonly needsRates: boolean;
  /** Of a variance: which sign is good. */
  readonly better: 'more' | 'less' | 'none' | undefined;
}

/** Two numbers that must be the same, or (rounding) the same but for what rounding moved. */
export interface Tie {
  readonly check: string;
  /** Absent, as right is, from a check of the whole company in a report of a part of it. */
  readonly left?: string;
  readonly right?: string;
  readonly ok: boolean;
}

/** What a reader needs to make the same report again, and to trust it. */
export interface Meta {
  readonly report: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly currency: string;
  readonly minor_units: number;
  readonly generated_at: string;
  readonly data_version: string;
  readonly loaded_at: string;
  readonly notes: readonly string[];
  readonly checks: readonly Tie[];
  /** Columns left out, because a cost could be read from them and the reader may not see any; absent when there are none. */
  readonly hidden_columns?: readonly string[];
  /** Where the next page of lines begins; absent after the last. */
  readonly next_cursor?: string;
  /** Rows in all, of which a page shows a part. */
  readonly row_count?: number;
}

/** Rows inside rows: of the row with the same values in the columns `by`. */
export interface Nested {
  readonly name: string;
  readonly by: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

/**
 * Where a table's rows come from: for formats that the database writes faster than JavaScript could. The columns are the table's, with the types
 * of the ledger.
 */
export interface Selection {
  readonly database: Database;
  /**
   * The statements, at least one, whose rows one after the other are the table's.
   * @param maxRows The most that each should give: a day is never cut. Default: what takes the least time.
   */
  readonly slice: (maxRows?: number) => readonly string[];
  /** The most rows that there can be in all, if that is known. */
  readonly maxRows?: number | undefined;
}

/** What a report gives and every writer takes: columns, rows in chunks, and totals below them. Decimals are text, never floats. */
export interface Table {
  readonly name: string;
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly (readonly Value[])[]>;
  /** Where the rows come from, if a report lists them as they are; who reads it leaves `rows` alone. */
  readonly selection?: Selection;
  readonly totals: readonly Value[] | undefined;
  readonly nested: Nested | undefined;
  readonly meta: Meta;
}
