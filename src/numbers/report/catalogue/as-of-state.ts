/** A kept state that reports read instead of the present data. */
export interface AsOfState {
  /** Its name, or its data version if it was kept without a name. */
  readonly state: string;
  readonly number: number | null;
  readonly kind: string;
  readonly label?: string;
  /** As YYYY-MM-DDTHH:MM:SSZ. */
  readonly keptAt: string;
  /** The day up to which it is complete: its today. */
  readonly day: string;
  /** The SHA-256 of what each measure was computed from, by name. */
  readonly measures: Readonly<Record<string, string>>;
}

/** Returns the name by which requests find a state, also after later ones of its name. */
export function referenceTo({ state, number }: Pick<AsOfState, 'state' | 'number'>): string {
  return number === null ? state : `${state}@${number}`;
}

/** Returns the parameter by which a link keeps the state of an answer; none for the present data. */
export function stateParameter(asOf: AsOfState | undefined): { readonly as_of?: string } {
  return asOf ? { as_of: referenceTo(asOf) } : {};
}

export interface AsOf {
  readonly state: string;
  readonly number: number | null;
  readonly kind: string;
  readonly kept_at: string;
  /** Says if the measures of the answer are computed now as they were then. */
  readonly definitions: 'same' | 'changed';
  /** Absent if all are the same. */
  readonly changed_measures?: readonly string[];
}
