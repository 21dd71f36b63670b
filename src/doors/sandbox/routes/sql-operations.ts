import type { Catalogue } from '../../../numbers/report/catalogue/index.ts';
import { errors, TEXT } from '../../http/protocol/operations.ts';
import { sqlBody } from '../sql-body.ts';

const texts = { type: 'array', items: TEXT };
const objects = { type: 'array', items: { type: 'object' } };

const answer = {
  type: 'object',
  properties: { columns: objects, rows: objects, truncated: { type: 'boolean' }, data_version: TEXT, notes: texts },
  required: ['columns', 'rows', 'truncated', 'data_version'],
};

const models = {
  type: 'object',
  properties: { models: objects, data_version: TEXT },
  required: ['models', 'data_version'],
};

/** Describes POST /v3/sql. Its limits are in docs/sql.md. */
export function describeSqlOperation(catalogue: Catalogue): object {
  const schema = sqlBody.describe(catalogue);
  return {
    tags: ['SQL'],
    operationId: 'sql',
    summary: 'Run one SELECT',
    description:
      'Runs one SELECT in a separate process with limits. truncated is true if there were more rows than the limit; notes name sums that drop lines.',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '200': {
        description: 'The rows.',
        content: {
          'application/json': { schema: answer },
          'text/csv': { schema: TEXT },
          'application/x-ndjson': { schema: TEXT },
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
