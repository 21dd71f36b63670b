/** What kind of thing went wrong. Each has one exit code and one HTTP status (below). */
export type ErrorCode =
  | 'usage' // the command line or query is wrong: an unknown flag, parameter or value
  | 'unknown' // there is nothing of the name that was asked for: a report, a path
  | 'unauthorized' // who asks isn't known: no token, or a wrong one
  | 'forbidden' // who asks is known, and may not
  | 'limit' // what was asked takes more time, memory or space than a named limit allows
  | 'input' // the data is wrong: a missing directory, a file that can't be parsed
  | 'busy' // somebody else holds what is needed: a second load of one database
  | 'storage' // the disk or the database file: full, missing, not a database
  | 'check' // a check failed: the numbers would not tie out, so none are given
  | 'definition' // a report, a measure or a model is written wrongly
  | 'internal'; // a fault of the program itself

const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  unknown: 2,
  unauthorized: 1,
  forbidden: 1,
  limit: 1,
  input: 1,
  busy: 1,
  storage: 1,
  check: 1,
  definition: 1,
  internal: 1,
};

const HTTP_STATUSES: Readonly<Record<ErrorCode, number>> = {
  usage: 400,
  unknown: 404,
  unauthorized: 401,
  forbidden: 403,
  limit: 422,
  input: 422,
  busy: 409,
  storage: 503,
  check: 500,
  definition: 500,
  internal: 500,
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
  /** Rows and numbers behind the message, which may be costs: for the log and the command line, never for a client. */
  readonly evidence?: string;
  readonly cause?: unknown;
}

/** Every error that a person is meant to read: what is wrong with which thing and value, and the way out. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly fields: readonly FieldError[];
  readonly evidence: string | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? {} : { cause: context.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = context.hint;
    this.fields = context.fields ?? [];
    this.evidence = context.evidence;
  }
}

/** The exit code of a process that ends with this error: 1 failed, 2 wrong usage. */
export function exitCode(error: unknown): number {
  return error instanceof AppError ? EXIT_CODES[error.code] : 1;
}

/** The HTTP status of an answer that is this error. */
export function httpStatus(error: unknown): number {
  return HTTP_STATUSES[error instanceof AppError ? error.code : 'internal'];
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns all that an error tells, evidence included: for the log and the command line alone. */
export function fullMessageOf(error: unknown): string {
  const evidence = error instanceof AppError ? error.evidence : undefined;
  return evidence === undefined ? messageOf(error) : `${messageOf(error)}. ${evidence}`;
}

/** Returns what everybody may read of an error: an engine's own message quotes values of the data, so it stays in the log. */
export function publicMessageOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The program failed. Its log says how.';
}

/** What systems and DuckDB say of a disk, or a file, that takes no more. */
const FULL = /No space left|ENOSPC|File too large|EFBIG|EDQUOT|Could not write|write file/i;

/** Whether an error, or its cause, says that a disk takes no more. */
export function isDiskFull(error: unknown): boolean {
  return FULL.test(`${messageOf(error)} ${messageOf(error instanceof Error ? error.cause : '')}`);
}

/** An error of a server whose disk takes no more, in words for those who ask it; any other as it is. */
export function diskError(error: unknown): unknown {
  if (error instanceof AppError || !isDiskFull(error)) return error;
  return new AppError('storage', "The disk that holds the data is full or can't be written", {
    hint: 'Free some space, and send it again. What was answered before is kept.',
    cause: error,
  });
}
