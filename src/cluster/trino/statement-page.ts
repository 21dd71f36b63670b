import { formatForeign } from '../../foreign-text.ts';
import { isObject } from '../../json-object.ts';
import { type FailureInfo, wrongAnswer } from './trino-errors.ts';

export interface TrinoColumn {
  readonly name: string;
  readonly type: string;
}

/** The rows of an answer, with values as in JSON. */
export type TrinoRows = readonly (readonly unknown[])[];

/** An answer of the statement protocol. The last one has no `nextUri`. */
export interface StatementPage {
  readonly id: string;
  readonly nextUri: string | undefined;
  readonly columns: readonly TrinoColumn[] | undefined;
  readonly data: TrinoRows | undefined;
  readonly state: string;
  /** The number of splits of its work that are done, and of all splits. */
  readonly done: number;
  readonly total: number;
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
  const stats = isObject(json) ? json['stats'] : undefined;
  if (!isObject(json) || typeof json['id'] !== 'string' || !isObject(stats)) throw wrongAnswer(url);
  const { id, nextUri, columns, data, error } = json;
  if (!isAbsent(nextUri) && typeof nextUri !== 'string') throw wrongAnswer(url);
  if (!isAbsent(columns) && !(Array.isArray(columns) && columns.every(isColumn))) throw wrongAnswer(url);
  if (!isAbsent(data) && !(Array.isArray(data) && data.every(Array.isArray))) throw wrongAnswer(url);
  return {
    id,
    nextUri: nextUri ?? undefined,
    columns: columns ?? undefined,
    data: (data as TrinoRows | null | undefined) ?? undefined,
    state: typeof stats['state'] === 'string' ? stats['state'] : '',
    done: toCount(stats['completedSplits']),
    total: toCount(stats['totalSplits']),
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

function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
