import { batchBody } from '../../odata/batch-body.ts';
import { errors } from '../protocol/operations.ts';

/** Operation of GET /odata/v4/$metadata, which describes the rest of OData in its own language. */
export const metadataOperation = {
  tags: ['OData'],
  operationId: 'odata',
  summary: 'The model of OData v4',
  description:
    'The marts as entity sets (scope sql) and the reports as functions (scope reports) of OData v4, read-only, at /odata/v4. This model describes them all.',
  responses: {
    '200': { description: 'CSDL 4.0.', content: { 'application/xml': { schema: { type: 'string' } } } },
    ...errors([400, 401, 403, 429, 503]),
  },
};

const responses = {
  type: 'object',
  properties: { responses: { type: 'array', items: { type: 'object' } } },
  required: ['responses'],
};

/** Operation of POST /odata/v4/$batch. Its limits are in docs/odata.md. */
export const batchOperation = {
  tags: ['OData'],
  operationId: 'odataBatch',
  summary: 'Several reads of OData in one request',
  description:
    'GETs below /odata/v4, answered one after the other as if each came alone. The body is a batch of OData JSON 4.01, or multipart/mixed.',
  requestBody: { required: true, content: { 'application/json': { schema: batchBody.describe() } } },
  responses: {
    '200': {
      description: 'An answer to each request, with a status of its own.',
      content: { 'application/json': { schema: responses }, 'multipart/mixed': { schema: { type: 'string' } } },
    },
    ...errors([400, 401, 403, 406, 413, 415, 422, 429, 503]),
  },
};
