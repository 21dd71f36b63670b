import { errors } from '../http/protocol/operations.ts';

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
