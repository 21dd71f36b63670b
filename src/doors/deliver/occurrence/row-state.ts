export interface RowState {
  readonly key: string;
  /** True once it was said that the condition holds. */
  readonly is_on: boolean;
  /** Data versions running in which the condition holds although it is off, or doesn't hold although it is on. */
  readonly count: number;
  /** When the row was last named. */
  readonly told_at: string | null;
  /** The values of the condition then, by their labels. */
  readonly values: Readonly<Record<string, string>>;
  /** When the row was first missing; absent while it is there. */
  readonly gone_at?: string;
}

export interface AlertStates {
  /** A digest of its condition: with another one it begins anew. */
  readonly condition: string;
  readonly period: string;
  readonly data_version: string;
  readonly rows: readonly RowState[];
}
