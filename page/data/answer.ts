/** A value of an answer; decimals are texts, and lists have words. */
export type Value = string | number | boolean | readonly string[] | null;

/** The key of a row's counterpart in the window that the screen is compared with, null for none; a copy of the row keeps it. */
export const BEFORE = Symbol('before');

/** A row of a report, with the path of the lines behind its numbers. */
export type Row = Readonly<Record<string, Value>> & { readonly [BEFORE]?: Row | null };

/** A check of an answer's numbers. */
export interface Check {
  readonly check: string;
  readonly left?: string;
  readonly right?: string;
  readonly ok: boolean;
}

/** The kept state that an answer is of. */
interface AsOf {
  readonly state: string;
  readonly number: number | null;
  readonly kept_at: string;
}

/** A state of a comparison: a kept one, or "now". */
interface ComparedMeta {
  readonly state: string;
  readonly cutoff_date: string;
}

/** The metadata of an answer. */
export interface Meta {
  readonly report: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly cutoff?: { readonly date: string; readonly reason: string };
  readonly as_of?: AsOf;
  /** The kept state whose plan is compared; null for the present plan. */
  readonly baseline?: Pick<AsOf, 'state' | 'number' | 'kept_at'> | null;
  /** The two states of a comparison. */
  readonly from?: ComparedMeta;
  readonly to?: ComparedMeta;
  readonly currency: string;
  readonly data_version: string;
  readonly loaded_at: string;
  readonly source?: string;
  readonly synced_at?: string;
  readonly notes: readonly string[];
  readonly checks: readonly Check[];
  readonly hidden_columns?: readonly string[];
  /** The names of what the reader's part is limited to. */
  readonly part?: readonly string[];
  readonly next_cursor?: string;
  readonly row_count?: number;
  /** The window that the rows are compared with, once its answer has come. */
  readonly compared?: ComparedWindow;
}

/** A window that answers are compared with. */
export interface ComparedWindow {
  readonly start_date: string;
  readonly end_date: string;
  readonly cutoff_date: string | undefined;
  /** The number of its rows that have no counterpart. */
  readonly unmatched: number;
}

/** An answer of the server. */
export interface Answer {
  readonly meta: Meta;
  readonly totals?: Row | null;
}

/** Returns the rows of a report's answer. */
export function rowsOf(answer: Answer): readonly Row[] {
  return (answer as unknown as Record<string, readonly Row[]>)[answer.meta.report] ?? [];
}

/** Tests for a number other than 0. */
export function isNonZero(row: Row | null | undefined, column: string): boolean {
  return /[1-9]/.test(textOf(row, column) ?? '');
}

/** Returns a value as text; null for an empty one. */
export function textOf(row: Row | null | undefined, column: string): string | null {
  const value = row?.[column];
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? value.join('; ') : String(value);
}
