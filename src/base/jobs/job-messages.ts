import { AppError, type ErrorCode, type FieldError, messageOf, systemCodeOf } from '../error.ts';

/** A message from a process about its job: progress, its result, or its error. */
export type JobReply = { readonly progress: unknown } | { readonly result: unknown } | { readonly error: SentFailure };

export interface SentFailure {
  /** Undefined for an error that isn't written for people. */
  readonly code: ErrorCode | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  readonly fields: readonly FieldError[];
  /** The code of the system, such as ENOSPC. */
  readonly systemCode: string;
}

/** Separates the lines of an error's message, which are parts of it. */
const ITEM_BREAK = '\n  ';

export function toSent(error: unknown): SentFailure {
  const { code, hint, fields = [] } = error instanceof AppError ? error : { code: undefined, hint: undefined };
  return { code, hint, fields, message: messageOf(error), systemCode: systemCodeOf(error) };
}

export function fromSent({ code, message, hint, fields, systemCode }: SentFailure): Error {
  if (code === undefined) return Object.assign(new Error(message), systemCode === '' ? {} : { code: systemCode });
  const [first = '', ...items] = message.split(ITEM_BREAK);
  const cause = systemCode === '' ? {} : { cause: Object.assign(new Error(message), { code: systemCode }) };
  return new AppError(code, first, { items, fields, ...cause, ...(hint === undefined ? {} : { hint }) });
}
