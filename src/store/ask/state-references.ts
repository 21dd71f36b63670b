import type { Days } from '../../base/calendar/index.ts';
import type { AsOfState, Books, ClosingInForce } from '../../numbers/report/catalogue/index.ts';

/** The name of the state of this moment. */
export const NOW = 'now';

export type ReportParameters = Readonly<Record<string, string>>;

/** A kept state that may be read: it is as it was kept. */
export interface ReadableState {
  /** The path of its database, beside which its copy without rates is. */
  readonly file: string;
  readonly asOf: AsOfState;
  /** The period of a closing, whose end is the cutoff of its reports; undefined for a state without one. */
  readonly window: Days | undefined;
  /** The closings by which it was booked. */
  readonly books: Books;
}

/** The closings in force of the present data, the newest first. */
export interface ClosingsOfData {
  /** A text that differs after each closing and reopening. */
  readonly signature: string;
  readonly periods: readonly ClosingInForce[];
  /** Those by which the data are booked; undefined without any. */
  readonly books: Books | undefined;
}

/** Kept states that the present data, or a later state, are compared with. */
export interface ComparedStates {
  /** One state of all days, or the closings by their days, in the order of the days. */
  readonly states: readonly StateOfDays[];
  /** Texts that no other states have, for ETags. */
  readonly versions: readonly string[];
  /** The days of the closing, or of all closings. */
  readonly window: Days | undefined;
}

/** A kept state that some days are compared with, or all. */
interface StateOfDays {
  readonly days: Days | undefined;
  /** A name for requests that tells nothing: the one they sent, or its data version. */
  readonly reference: string;
  /**
   * Returns the state as it may be read, verified.
   * @param seesRates False for the file without rates.
   * @throws AppError if it isn't as it was kept.
   */
  read(seesRates: boolean): Promise<FileOfState>;
}

/** The database of a kept state, with the cutoff that it has of itself. */
export type FileOfState = Pick<ReadableState, 'file' | 'asOf' | 'books'> & { readonly cutoffDate: string | undefined };
