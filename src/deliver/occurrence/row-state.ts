/** The state of a row for an alert, found by its keys. */
export interface RowState {
  readonly key: string;
  /** True once it was said that the condition holds. */
  readonly is_on: boolean;
  /** Data versions running in which the condition holds although it is off, or doesn't hold although it is on. */
  readonly count: number;
  /** When the row was last named. */
  readonly told_at: string | null;
  /** The name and the values of the row then. */
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}
