import { diskError } from '../../base/database/index.ts';
import { AppError, messageOf } from '../../base/index.ts';
import type { RecordName } from './cause.ts';

const CANNOT = "The numbers can't be brought up to date";

/** Returns the error of a refresh that exceeds its time limit. */
export function lateError(timeoutMs: number): AppError {
  return new AppError('storage', `${CANNOT} within ${timeoutMs / 1000} s`);
}

/** Returns the public error of a failed refresh, without the database's message, which may quote costs. */
export function refreshError(cause: unknown): AppError {
  const error = diskError(cause);
  return error instanceof AppError ? error : new AppError('storage', CANNOT, { evidence: messageOf(error), cause });
}

/** Returns the error with the record that causes it, if known. */
export function nameCause(
  { code, message, hint, evidence = '', cause }: AppError,
  record: RecordName | undefined,
): AppError {
  if (!record) {
    const unknown = 'The record that causes this is unknown. The log has the details.';
    return new AppError(code, message, { hint: hint ?? unknown, evidence, cause });
  }
  const path = `/v3/${record.resource.replaceAll('_', '-')}/${record.id}`;
  return new AppError(code, `${message}. The cause is the record ${path}`, {
    hint: 'Change or delete it. Reports are answered again when the numbers are up to date.',
    evidence,
    cause,
  });
}
