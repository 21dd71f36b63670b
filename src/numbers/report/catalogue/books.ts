import type { Days } from '../../../base/calendar/index.ts';

/** A closing by which days are booked, with the file of what it has kept of all days up to its last one. */
export interface BookedClosing extends Days {
  /** The path of its table. */
  readonly file: string;
  /** The columns of the file: those of a table of what is booked, or of control totals, which earlier versions kept alone. */
  readonly form: 'booked' | 'totals';
}

/** The closings in force by which a state of the data is booked. */
export interface Books {
  /** In the order of their last days, of which each has one. */
  readonly closings: readonly BookedClosing[];
  /** Those that have kept nothing that can be booked. */
  readonly left: readonly string[];
  /** Says why it is not known what is booked; undefined if it is. */
  readonly fault?: string | undefined;
  /** A text that no other books of the same data have, for caches. */
  readonly key: string;
}
