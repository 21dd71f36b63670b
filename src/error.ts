import { escapeLines, formatForeign } from './foreign-text.ts';
import { maskSecrets } from './secrets.ts';

/** The kind of an error, which sets its exit code and HTTP status. */
export type ErrorCode =
  | 'usage' // wrong usage: an unknown flag, parameter or value
  | 'unknown' // no such thing: an unknown report, path or record
  | 'unauthorized' // no valid token
  | 'forbidden' // a valid token without the required scope
  | 'limit' // a named limit on time, memory or space is exceeded
  | 'input' // wrong data: a missing directory, a file that can't be parsed
  | 'busy' // a resource held by someone else: a second load into one database
  | 'storage' // the disk or the database file: full, missing, not a database
  | 'check' // a failed check: the numbers don't tie out, so none are given
  | 'source' // a service that records are read from: unreachable, unreadable, or not one
  | 'cluster' // an engine that models run on elsewhere: unreachable, lost, or refusing a statement
  | 'definition' // a mistake in the definition of a report, a measure or a model
  | 'internal'; // a bug in the program

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
  source: 1,
  cluster: 1,
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
  source: 502,
  cluster: 502,
  definition: 500,
  internal: 500,
};

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ErrorContext {
  /** The way out, as a sentence. */
  readonly hint?: string;
  readonly fields?: readonly FieldError[];
  /** Rows and numbers behind the message, for the log and the command line only: they may reveal costs. */
  readonly evidence?: string;
  readonly cause?: unknown;
}

/**
 * An error written for people: the thing, the value that is wrong, and the way out.
 * Its texts are safe to print, store and send, whatever they quote: hidden characters are escaped and secrets masked. A foreign
 * message in them goes through formatForeign, which also keeps it short and in one line.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly fields: readonly FieldError[];
  readonly evidence: string | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(toSafeText(message), context.cause === undefined ? {} : { cause: context.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = context.hint === undefined ? undefined : toSafeText(context.hint);
    this.fields = context.fields ?? [];
    this.evidence = context.evidence === undefined ? undefined : toSafeText(context.evidence);
  }
}

function toSafeText(text: string): string {
  return escapeLines(maskSecrets(text));
}

/** Returns the exit code of a process that ends with this error: 1 failed, 2 wrong usage. */
export function exitCode(error: unknown): number {
  return error instanceof AppError ? EXIT_CODES[error.code] : 1;
}

/** Returns the HTTP status of a response that reports this error. */
export function httpStatus(error: unknown): number {
  return HTTP_STATUSES[error instanceof AppError ? error.code : 'internal'];
}

/** Returns the message of any value that was thrown; that of an error made of an answer may be no text. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return typeof error.message === 'string' ? error.message : formatForeign(error.message);
}

/** Returns the code of the deepest cause that has one, such as ECONNREFUSED, or "". */
export function systemCodeOf(error: unknown): string {
  let code = '';
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') code = each.code;
  }
  return code;
}

/** Returns the message and its evidence, for the log and the command line only. */
export function fullMessageOf(error: unknown): string {
  const evidence = error instanceof AppError ? error.evidence : undefined;
  return evidence === undefined ? messageOf(error) : `${messageOf(error)}. ${evidence}`;
}

/** Returns the message shown to clients: engine messages quote data, so they stay in the log. */
export function publicMessageOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The program failed. The log has the details.';
}
