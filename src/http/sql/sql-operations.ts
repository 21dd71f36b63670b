import type { Catalogue } from '../../report/catalogue/definitions.ts';
import { MAX_ATTACHED_STATES } from '../../sandbox/sandbox-limits.ts';
import { errors, type Schema } from '../protocol/operations.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const objects = { type: 'array', items: { type: 'object' } };

function describeBody({ parameters }: Catalogue): Schema {
  return {
    type: 'object',
    properties: {
      sql: { ...text, description: 'One SELECT.', example: "FROM reports.projects('2026-01-01', '2026-03-31')" },
      parameters: {
        type: 'object',
        description: 'Values of its $names: texts, numbers, true, false, null, or {type, value}.',
      },
      limit: { type: 'integer', minimum: 1, description: 'The maximum number of rows.' },
      timeout_ms: { type: 'integer', minimum: 1, description: 'The maximum duration. Unit: ms.' },
      as_of: { ...text, description: parameters.get('as_of')?.description },
      states: {
        type: 'object',
        additionalProperties: text,
        maxProperties: MAX_ATTACHED_STATES,
        description:
          'Kept states whose marts the statement reads beside that, by name: {"march": "2026-03"} has march.marts.lines.',
      },
    },
    required: ['sql'],
    additionalProperties: false,
  };
}

const answer = {
  type: 'object',
  properties: { columns: objects, rows: objects, truncated: { type: 'boolean' }, data_version: text, notes: texts },
  required: ['columns', 'rows', 'truncated', 'data_version'],
};

const models = {
  type: 'object',
  properties: { models: objects, data_version: text },
  required: ['models', 'data_version'],
};

/** Describes POST /v3/sql. Its limits are in docs/sql.md. */
export function describeSqlOperation(catalogue: Catalogue): object {
  return {
    tags: ['SQL'],
    operationId: 'sql',
    summary: 'Run one SELECT',
    description:
      'Runs one SELECT in a separate process with limits. truncated is true if there were more rows than the limit; notes name sums that drop lines.',
    requestBody: { required: true, content: { 'application/json': { schema: describeBody(catalogue) } } },
    responses: {
      '200': {
        description: 'The rows.',
        content: {
          'application/json': { schema: answer },
          'text/csv': { schema: text },
          'application/x-ndjson': { schema: text },
        },
      },
      ...errors([400, 401, 403, 404, 406, 413, 415, 422, 429, 500, 503]),
    },
  };
}

export const modelsOperation = {
  tags: ['SQL'],
  operationId: 'models',
  summary: 'All relations',
  description:
    'Every relation that SQL may read: its grain, its columns with types, units and descriptions, and its number of rows.',
  responses: {
    '200': { description: 'The relations.', content: { 'application/json': { schema: models } } },
    ...errors([401, 403, 429, 503]),
  },
};
