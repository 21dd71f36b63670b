import { escapeLines, formatForeign } from './foreign-text.ts';
import { maskSecrets } from './secrets.ts';

/** The meaning of an error outside the program. */
interface ErrorOutcome {
  /** Exit code of a process that ends with the error: 1 failed, 2 wrong usage. */
  readonly exitCode: 1 | 2;
  /** Status of an HTTP answer, whose name and meaning are in the table of HTTP's errors. */
  readonly status: number;
}

const ERROR_OUTCOMES = {
  /** Wrong usage: an unknown flag, parameter or value. */
  usage: { exitCode: 2, status: 400 },
  /** No such thing: an unknown report, path or record. */
  unknown: { exitCode: 2, status: 404 },
  /** No valid token. */
  unauthorized: { exitCode: 1, status: 401 },
  /** A valid token without the required scope. */
  forbidden: { exitCode: 1, status: 403 },
  /** A named limit on time, memory or space is exceeded. */
  limit: { exitCode: 1, status: 422 },
  /** Wrong data: a missing directory, a file that can't be parsed. */
  input: { exitCode: 1, status: 422 },
  /** A resource held by someone else: a second load into one database. */
  busy: { exitCode: 1, status: 409 },
  /** The disk or the database file: full, missing, not a database. */
  storage: { exitCode: 1, status: 503 },
  /** A failed check: the numbers don't tie out, so none are given. */
  check: { exitCode: 1, status: 500 },
  /** A service that records are read from: unreachable, unreadable, or not one. */
  source: { exitCode: 1, status: 502 },
  /** An engine that models run on elsewhere: unreachable, lost, or refusing a statement. */
  cluster: { exitCode: 1, status: 502 },
  /** A mistake in the definition of a report, a measure or a model. */
  definition: { exitCode: 1, status: 500 },
  /** A bug in the program. */
  internal: { exitCode: 1, status: 500 },
} as const satisfies Record<string, ErrorOutcome>;

/** The kind of an error, which sets its exit code and HTTP status. */
export type ErrorCode = keyof typeof ERROR_OUTCOMES;

/** Every HTTP status that the kind of an error sets. */
export type ErrorCodeStatus = (typeof ERROR_OUTCOMES)[ErrorCode]['status'];

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
  return error instanceof AppError ? ERROR_OUTCOMES[error.code].exitCode : 1;
}

/** Returns the HTTP status of a response that reports this error. */
export function httpStatus(error: unknown): ErrorCodeStatus {
  return ERROR_OUTCOMES[error instanceof AppError ? error.code : 'internal'].status;
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
