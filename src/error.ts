/** What kind of thing went wrong. Each has one exit code (below) and, over HTTP, one status. */
export type ErrorCode =
  | 'usage' // the command line or query is wrong: an unknown flag, report, parameter or value
  | 'input' // the data is wrong: a missing directory, a file that can't be parsed
  | 'busy' // somebody else holds what is needed: a second load of one database
  | 'storage' // the disk or the database file: full, missing, not a database
  | 'check' // a check failed: the numbers would not tie out, so none are given
  | 'definition' // a report, a measure or a model is written wrongly
  | 'internal'; // a fault of the program itself

const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  input: 1,
  busy: 1,
  storage: 1,
  check: 1,
  definition: 1,
  internal: 1,
};

/** One field of a request that is wrong. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** What an error carries beside its sentence. */
export interface ErrorContext {
  /** The way out, as a sentence. */
  readonly hint?: string;
  readonly fields?: readonly FieldError[];
  readonly cause?: unknown;
}

/** Every error that a person is meant to read: what is wrong with which thing and value, and the way out. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly fields: readonly FieldError[];

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? {} : { cause: context.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = context.hint;
    this.fields = context.fields ?? [];
  }
}

/** The exit code of a process that ends with this error: 1 failed, 2 wrong usage. */
export function exitCode(error: unknown): number {
  return error instanceof AppError ? EXIT_CODES[error.code] : 1;
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
