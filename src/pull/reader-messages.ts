import { AppError, type ErrorCode, messageOf, systemCodeOf } from '../error.ts';
import type { OnProgress } from './read-list.ts';
import type { Month, SourceReport } from './scheduled-rows.ts';
import type { PullJob } from './source-reader.ts';

export type ReaderJob =
  | { readonly kind: 'check' }
  | { readonly kind: 'pull'; readonly job: PullJob }
  | { readonly kind: 'confirmGone'; readonly resource: string; readonly ids: readonly string[] }
  | { readonly kind: 'readScheduled'; readonly report: SourceReport; readonly month: Month };

/** The source of a process, sent first. The process fetches the token before each request. */
export interface ReaderSource {
  readonly url: string;
  readonly requestsPerMinute: number;
}

export type ReaderRequest =
  | { readonly source: ReaderSource }
  | { readonly job: ReaderJob }
  | { readonly token: string }
  | { readonly noToken: ReaderError };

/** A message from it: progress, a question for the token, and the result or the error of a job. */
export type ReaderReply =
  | { readonly progress: Parameters<OnProgress>[0] }
  | { readonly asksToken: true }
  | { readonly result: unknown }
  | { readonly error: ReaderError };

export interface ReaderError {
  /** Undefined for an error that isn't written for people. */
  readonly code: ErrorCode | undefined;
  readonly message: string;
  readonly hint: string | undefined;
  /** The code of the system, such as ENOSPC. */
  readonly systemCode: string;
}

export function toSent(error: unknown): ReaderError {
  const { code, hint } = error instanceof AppError ? error : { code: undefined, hint: undefined };
  return { code, hint, message: messageOf(error), systemCode: systemCodeOf(error) };
}

export function fromSent({ code, message, hint, systemCode }: ReaderError): Error {
  if (code === undefined) return Object.assign(new Error(message), systemCode === '' ? {} : { code: systemCode });
  return new AppError(code, message, hint === undefined ? {} : { hint });
}
