import { AppError } from '../../base/index.ts';

/** The status of a request for a part of OData that isn't implemented. */
const NOT_IMPLEMENTED = 501;

/** Makes an error on a part of a request: a query option, a property or a parameter. */
export function wrongPart(target: string, message: string): AppError {
  return new AppError('usage', message, { fields: [{ field: target, message }] });
}

/** Makes an error on a part of OData that isn't implemented. */
export function notImplemented(message: string): Error {
  return Object.assign(new Error(message), { statusCode: NOT_IMPLEMENTED });
}
