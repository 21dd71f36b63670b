import { AppError } from '../../../base/index.ts';

/** An error after which nobody knows whether the message arrived. */
export class UnsureError extends AppError {}

/** Returns an error as one after which nobody knows whether the message arrived. */
export function unsureOf({ code, message, hint, cause }: AppError): UnsureError {
  return new UnsureError(code, message, { ...(hint !== undefined && { hint }), cause });
}
