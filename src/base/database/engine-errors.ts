import { AppError, fileReasonOf, messageOf } from '../error.ts';

/*
 * The engine and the operating system report most failures by a message alone, without a code. Every such
 * message that the program tells from others stands here, so that an update of the engine is checked in one place.
 */
const MESSAGES = {
  /** A full disk, or a file that has become as large as it may. */
  diskFull: /No space left|ENOSPC|File too large|EFBIG|EDQUOT|Could not write|write file/i,
  /** The same in the system's own words; the engine's words may also stand in quoted data. */
  noSpace: /No space left|ENOSPC|EDQUOT/,
  forbidden: /Read-only file system|Permission denied|Operation not permitted/i,
  /** A folder for temporary files that is full, missing or read-only. */
  noTemporaryFiles: /No space left|ENOSPC|EDQUOT|Could not write|EROFS|EACCES|ENOENT/i,
  lock: /Could not set lock|Conflicting lock/,
  otherFile:
    /not a valid DuckDB database|newer version|older version|corrupt|Could not read enough bytes|Is a directory|in-memory database in read-only/i,
  noRelation: /does not exist/,
  conflict: /Conflict on|write-write conflict|transaction conflict/i,
  /** A refused allocation, by the engine, C++ or JavaScript. */
  noMemory:
    /bad_alloc|Out of Memory|failed to allocate|could not allocate|Invalid string length|Array buffer allocation/i,
  /** The same in the engine's words at their start; later words may be quoted data. */
  outOfMemory: /^Out of Memory Error/,
  /** A value that a type can't hold, or a function can't take. */
  wrongValue: /^(?:Conversion|Out of Range|Invalid Input) Error/,
  malformedJson: /malformed json/i,
  largeJson: /maximum_object_size/,
  notSelect: /^Only SELECT statements/,
} as const;

export type Failure = keyof typeof MESSAGES;

/** Tells whether an error's message, or a message, reports a failure. */
export function isFailure(error: unknown, failure: Failure): boolean {
  return MESSAGES[failure].test(messageOf(error));
}

/** Returns the words of an error's cause that report a failure. */
export function findInCause(error: unknown, failure: Failure): string | undefined {
  return MESSAGES[failure].exec(messageOf(error instanceof Error ? error.cause : ''))?.[0];
}

/** Tells whether an error, or its cause, reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  return isFailure(error, 'diskFull') || findInCause(error, 'diskFull') !== undefined;
}

/** Tells whether an error, or its cause, reports that the engine needs more memory than it may use. */
export function isOutOfMemory(error: unknown): boolean {
  return isFailure(error, 'noMemory') || findInCause(error, 'noMemory') !== undefined;
}

/** Returns why a file can't be used, in the system's own words and without the paths of unfinished files. */
export function describeFileFailure(error: unknown): string {
  const reason = fileReasonOf(error);
  return MESSAGES.forbidden.exec(reason)?.[0] ?? reason;
}

/**
 * Returns the error of a place that can't be written.
 * @param elsewhere The other way out, such as "name another file with --output".
 */
export function writeError(path: string, cause: unknown, elsewhere: string): AppError {
  return new AppError('storage', `Can't write ${path}: ${describeFileFailure(cause)}`, {
    hint: `Check that its folder is there, that you may write in it, and that the disk has space; or ${elsewhere}.`,
    cause,
  });
}

/** Turns Node's error of a file or folder into one with its path and a way out; returns any other unchanged. */
export function fileError(error: unknown): unknown {
  const { syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof syscall !== 'string' || typeof path !== 'string') return error;
  return new AppError('storage', `Can't use ${path}: ${describeFileFailure(error)}`, {
    hint: 'Check the path, and that you may read and write there.',
    cause: error,
  });
}

/** Turns a full disk into an error that clients can read; returns any other error unchanged. */
export function diskError(error: unknown): unknown {
  if (error instanceof AppError || !isDiskFull(error)) return error;
  return new AppError('storage', "The disk that holds the data is full or can't be written", {
    hint: 'Free some space, then send the request again. Confirmed changes are kept.',
    cause: error,
  });
}

/** Turns a statement that needs more memory than the engine may use into an error with a way out; returns any other unchanged. */
export function outOfMemoryError(error: unknown): unknown {
  if (error instanceof AppError || !isFailure(error, 'outOfMemory')) return error;
  const used = /\(([^()]*) used\)/.exec(messageOf(error))?.[1];
  return new AppError('limit', `The database engine needs more memory than it may use${used ? ` (${used})` : ''}`, {
    hint: 'Raise --memory-limit (PLUMBLINE_MEMORY_LIMIT), or ask for less at once, such as a shorter window. Nothing was changed.',
    cause: error,
  });
}

export interface EngineError {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly position?: string;
}

/** Errors after which an engine can't run another statement. */
const BROKEN = new Set(['FATAL', 'INTERNAL', 'IO', 'Fatal', 'Internal']);

/** Tells whether an error leaves the engine unable to run another statement. */
export function breaksEngine({ exception_type }: EngineError): boolean {
  return BROKEN.has(exception_type);
}

/** Parses the message of an error in JSON form; undefined if it is not of the engine. */
export function parseEngineError(message: string): EngineError | undefined {
  const start = message.indexOf('{');
  if (start < 0) return undefined;
  try {
    const found = JSON.parse(message.slice(start)) as Partial<EngineError>;
    return typeof found.exception_message === 'string' ? (found as EngineError) : undefined;
  } catch {
    return undefined;
  }
}
