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
  /** A page of data that are no longer there. */
  gone: { exitCode: 1, status: 410 },
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

/** The longest text of an error: a message, an item of its list, a field, a hint. Unit: characters. */
export const MAX_ERROR_CHARACTERS = 10_000;

export interface ErrorContext {
  /** Lines below the message, which are part of it. */
  readonly items?: readonly string[];
  /** The way out, as a sentence. */
  readonly hint?: string;
  readonly fields?: readonly FieldError[];
  /** Rows and numbers behind the message, for the log and the command line only: they may reveal costs. */
  readonly evidence?: string;
  readonly cause?: unknown;
}

/**
 * An error written for people: the thing, the value that is wrong, and the way out.
 * Its texts are safe to print, store and send, whatever they quote: hidden characters are escaped, secrets masked and long texts
 * cut off. Each is one line, so that no quoted line break begins a line of its own; only items and evidence add lines, which
 * are printed indented. A foreign message in them goes through formatForeign, which cuts it off much earlier.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly fields: readonly FieldError[];
  readonly evidence: string | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    const lines = [message, ...(context.items ?? [])].map(toShortLine);
    super(lines.join('\n  '), context.cause === undefined ? {} : { cause: context.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = context.hint === undefined ? undefined : toShortLine(context.hint);
    this.fields = (context.fields ?? []).map((each) => ({
      field: toShortLine(each.field),
      message: toShortLine(each.message),
    }));
    this.evidence = context.evidence === undefined ? undefined : escapeLines(maskSecrets(context.evidence));
  }
}

function toShortLine(text: string): string {
  return formatForeign(text, MAX_ERROR_CHARACTERS);
}

/** Returns the exit code of a process that ends with this error: 1 failed, 2 wrong usage. */
export function exitCode(error: unknown): number {
  return error instanceof AppError ? ERROR_OUTCOMES[error.code].exitCode : 1;
}

export function httpStatus(error: unknown): ErrorCodeStatus {
  return ERROR_OUTCOMES[error instanceof AppError ? error.code : 'internal'].status;
}

/** Returns the message of any value that was thrown; that of an error made of an answer may be no text. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return typeof error.message === 'string' ? error.message : formatForeign(error.message);
}

/** Matches Node's words about a file: "EROFS: read-only file system, mkdir '/data'". */
const NODE_REASON = /^E[A-Z0-9]+: ([^,]+), .*/s;

/** Returns why a file can't be used, in the system's own words. */
export function fileReasonOf(error: unknown): string {
  const message = messageOf(error);
  return NODE_REASON.exec(message)?.[1] ?? message;
}

/** Returns the message of any value that was thrown, safe to print, store and send. */
export function safeMessageOf(error: unknown): string {
  return error instanceof AppError ? error.message : toShortLine(messageOf(error));
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
export function evidencedMessageOf(error: unknown): string {
  const evidence = error instanceof AppError ? error.evidence : undefined;
  return evidence === undefined ? messageOf(error) : `${messageOf(error)}. ${evidence}`;
}

/** Returns the message, its evidence and the way out, for the log. */
export function fullMessageOf(error: unknown): string {
  return withHint(evidencedMessageOf(error), error);
}

/** Returns the message and the way out, safe to print, store and send. */
export function advisedMessageOf(error: unknown): string {
  return withHint(safeMessageOf(error), error);
}

function withHint(message: string, error: unknown): string {
  const hint = error instanceof AppError ? error.hint : undefined;
  return hint === undefined ? message : `${message.replace(/\.$/, '')}. ${hint}`;
}

/** Returns the message shown to clients: engine messages quote data, so they stay in the log. */
export function publicMessageOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The program failed. The log has the details.';
}
