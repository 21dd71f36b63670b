import { type BodySchema, type DeclaredBody, declareBody } from '../../base/body/index.ts';
import { AppError, collectFaults, isObject } from '../../base/index.ts';
import type { Catalogue } from '../../numbers/report/catalogue/index.ts';
import { NAMED_STATES, type StatementStates } from './attached-states.ts';
import type { SqlParameter } from './protocol.ts';
import { DEFAULT_ROWS, MAX_ROWS, MAX_TIMEOUT_MS } from './sandbox-limits.ts';
import { parseParameter } from './sql-parameters.ts';

export interface SqlBody {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, SqlParameter>>;
  readonly maxRows: number;
  readonly timeoutMs?: number;
  /** References of the kept states that it reads. */
  readonly named: StatementStates;
}

export interface DeclaredSql {
  /** Returns its schema for OpenAPI and tools. */
  describe({ parameters }: Pick<Catalogue, 'parameters'>): ReturnType<DeclaredBody<BodySchema>['describe']>;
  /** Parses a statement with its parameters and limits. @throws AppError usage naming each wrong field. */
  read(sent: unknown): SqlBody;
}

/** The rows of an answer: the most, those by default, and the way out for more. */
type RowLimit = Readonly<Required<Pick<BodySchema, 'maximum' | 'description'>> & { default: number; wayOut?: string }>;

/** Declares the body of POST /v3/sql, or the arguments of a tool with other limits. */
export function declareSqlBody(rows: RowLimit): DeclaredSql {
  const body = declareBody({
    type: 'object',
    properties: {
      sql: {
        type: 'string',
        description: 'One SELECT.',
        example: "FROM reports.projects('2026-01-01', '2026-03-31')",
        wayOut: 'give one SELECT',
      },
      parameters: {
        type: 'object',
        description:
          'Values of its $names: texts, numbers, true, false, null, or {"type": "date", "value": "2026-01-31"}.',
        expected: 'an object of values by name',
        default: {},
      },
      limit: { type: 'integer', minimum: 1, expected: 'a whole number of rows', ...rows },
      timeout_ms: {
        type: 'integer',
        description: 'The maximum duration. Unit: ms.',
        minimum: 1,
        maximum: MAX_TIMEOUT_MS,
        expected: 'a whole number of milliseconds',
      },
      as_of: { type: 'string', expected: 'a text, the name of a kept state' },
      states: {
        ...NAMED_STATES,
        description:
          'Kept states whose marts the statement reads beside that, by name: {"march": "2026-03"} has march.marts.lines.',
      },
    },
    required: ['sql'],
    additionalProperties: false,
  });
  return {
    describe: ({ parameters }) => body.describe({ as_of: { description: parameters.get('as_of')?.description } }),
    read(sent) {
      const { sql, parameters, limit, timeout_ms: timeoutMs, as_of: main, states } = body.read(sent);
      return {
        sql,
        parameters: readParameterValues(parameters),
        maxRows: limit,
        ...(timeoutMs !== undefined && { timeoutMs }),
        named: { main, states },
      };
    },
  };
}

export const sqlBody = declareSqlBody({
  maximum: MAX_ROWS,
  default: DEFAULT_ROWS,
  description: 'The maximum number of rows.',
});

/** Parses values by name. @throws AppError usage naming each wrong one. */
function readParameterValues(parameters: Readonly<Record<string, unknown>>): Record<string, SqlParameter> {
  const faults = collectFaults();
  const values = Object.entries(parameters).flatMap(([name, value]) => {
    const parameter = faults.collect(`parameters.${name}`, () => readParameter(name, value));
    return parameter ? [[name, parameter] as const] : [];
  });
  faults.throwAll();
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
