import { AppError, type FieldError, messageOf } from '../error.ts';
import { isObject } from '../json-object.ts';
import { checkStates, type NamedStates } from './attached-states.ts';
import type { SqlParameter } from './protocol.ts';
import { DEFAULT_ROWS } from './sandbox-limits.ts';
import { parseParameter } from './sql-parameters.ts';

export interface SqlBody {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, SqlParameter>>;
  readonly maxRows: number;
  readonly timeoutMs?: number;
  /** The kept state that the whole statement reads. Default: the present data. */
  readonly asOf?: string;
  /** The kept states whose marts it reads beside that, by name. */
  readonly states?: NamedStates;
}

const FIELDS = ['sql', 'parameters', 'limit', 'timeout_ms', 'as_of', 'states'];

/** Parses {sql, parameters?, limit?, timeout_ms?, as_of?, states?}. @throws AppError usage naming each wrong field. */
export function readSqlBody(body: unknown): SqlBody {
  if (!isObject(body)) {
    const message = 'The body is not a JSON object such as {"sql": "SELECT 1"}';
    throw new AppError('usage', message, { fields: [{ field: 'body', message }] });
  }
  const { sql, parameters = {}, limit = DEFAULT_ROWS, timeout_ms: timeoutMs, as_of: asOf, states } = body;
  const faults: FieldError[] = Object.keys(body)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => ({ field, message: `There is no such field. The fields are ${FIELDS.join(', ')}` }));
  const check = (field: string, isRight: boolean, message: string) => isRight || faults.push({ field, message });
  check('sql', typeof sql === 'string', sql === undefined ? 'Is missing; give one SELECT' : 'Must be a text');
  check('parameters', isObject(parameters), 'Must be an object of values by name');
  check('limit', Number.isInteger(limit), 'Must be a whole number of rows');
  check('timeout_ms', timeoutMs === undefined || Number.isInteger(timeoutMs), 'Must be a whole number of milliseconds');
  check('as_of', asOf === undefined || typeof asOf === 'string', 'Must be a text, the name of a kept state');
  if (states !== undefined) faults.push(...checkStates(states));
  const values = isObject(parameters) ? readParameters(parameters, faults) : {};
  const [fault] = faults;
  if (fault) throw new AppError('usage', `${fault.field}: ${fault.message}`, { fields: faults });
  return {
    sql: sql as string,
    parameters: values,
    maxRows: limit as number,
    ...(timeoutMs === undefined ? {} : { timeoutMs: timeoutMs as number }),
    ...(asOf === undefined ? {} : { asOf: asOf as string }),
    ...(states === undefined ? {} : { states: states as NamedStates }),
  };
}

function readParameters(parameters: Record<string, unknown>, faults: FieldError[]): Record<string, SqlParameter> {
  const values: [string, SqlParameter][] = [];
  for (const [name, value] of Object.entries(parameters)) {
    try {
      values.push([name, readParameter(name, value)]);
    } catch (error) {
      faults.push({ field: `parameters.${name}`, message: messageOf(error) });
    }
  }
  return Object.fromEntries(values);
}

/** Parses a parameter: a JSON value, or {type, value} for days and numbers beyond JSON's precision. */
function readParameter(name: string, value: unknown): SqlParameter {
  if (value === null) return parseParameter(name, 'null', '');
  if (typeof value === 'string') return parseParameter(name, 'text', value);
  if (typeof value === 'number' || typeof value === 'boolean') return parseParameter(name, typeof value, String(value));
  if (isObject(value) && typeof value['type'] === 'string' && typeof value['value'] === 'string') {
    return parseParameter(name, value['type'], value['value']);
  }
  throw new AppError(
    'usage',
    'Must be a text, a number, true, false, null, or {"type": "date", "value": "2026-01-31"}',
  );
}
