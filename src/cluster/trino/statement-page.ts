import { formatForeign, isObject } from '../../base/index.ts';
import { type FailureInfo, wrongAnswer } from './trino-errors.ts';

export interface TrinoColumn {
  readonly name: string;
  readonly type: string;
}

/** The rows of an answer, with values as in JSON. */
export type TrinoRows = readonly (readonly unknown[])[];

/** An answer of the statement protocol. The last one has no `nextUri`. */
export interface StatementPage {
  readonly nextUri: string | undefined;
  readonly columns: readonly TrinoColumn[] | undefined;
  readonly data: TrinoRows | undefined;
  readonly error: FailureInfo | undefined;
}

/** The longest name of an error that is shown. Unit: characters. */
const MAX_NAME_CHARACTERS = 100;

/**
 * Parses an answer, without trust that the server follows the protocol.
 * @param url The address of the server, for the error.
 * @throws AppError cluster for an answer of another shape.
 */
export function parseStatementPage(json: unknown, url: URL): StatementPage {
  if (!isObject(json) || typeof json['id'] !== 'string' || !isObject(json['stats'])) throw wrongAnswer(url);
  const { nextUri, columns, data, error } = json;
  if (!isAbsent(nextUri) && typeof nextUri !== 'string') throw wrongAnswer(url);
  if (!isAbsent(columns) && !(Array.isArray(columns) && columns.every(isColumn))) throw wrongAnswer(url);
  if (!isAbsent(data) && !(Array.isArray(data) && data.every(Array.isArray))) throw wrongAnswer(url);
  return {
    nextUri: nextUri ?? undefined,
    columns: columns ?? undefined,
    data: (data as TrinoRows | null | undefined) ?? undefined,
    error: isAbsent(error) ? undefined : parseFailure(error),
  };
}

/** Parses the error of a statement into texts that can be shown. Its stack traces are left out. */
export function parseFailure(error: unknown): FailureInfo {
  const { message, errorName, errorType } = isObject(error) ? error : { message: error };
  return {
    message: formatForeign(message),
    errorName: formatForeign(errorName, MAX_NAME_CHARACTERS),
    errorType: formatForeign(errorType, MAX_NAME_CHARACTERS),
  };
}

function isColumn(value: unknown): value is TrinoColumn {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['type'] === 'string';
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
