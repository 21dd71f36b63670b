import { type Catalogue, summingReports } from '../../../numbers/report/catalogue/index.ts';
import { previewBody } from '../../../store/ask/index.ts';
import { errors, reference, type Schema } from '../protocol/operations.ts';

/** Describes POST /v3/preview. */
export function describePreviewOperation(catalogue: Catalogue): object {
  const schema = previewBody.describe({ report: { enum: summingReports(catalogue).map(({ name }) => name) } });
  const rows: Schema = { type: 'array', description: 'The rows of the report.', items: { type: 'object' } };
  const preview = {
    type: 'object',
    properties: {
      before: rows,
      after: rows,
      changes: {
        type: 'array',
        description: 'What became of each measure of each row, by cause, as the report changes tells it.',
        items: { type: 'object' },
      },
      totals: { type: 'object', description: 'The totals of the three, by the same names.' },
    },
    required: ['before', 'after', 'changes', 'totals'],
  };
  const meta = {
    type: 'object',
    description: 'As of the report before the changes.',
    properties: { bridge: reference('schemas', 'Meta') },
  };
  return {
    tags: ['Reports'],
    operationId: 'preview',
    summary: 'A report as it would be after some changes',
    description:
      'Answers a report before and after some changes of records, and the differences by cause. The changes are tried in order, with all rules of the service, and undone: nothing is written. If one is refused, the answer is its error with its position. Changes need the scope preview or write.',
    parameters: [reference('parameters', 'decimals')],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '200': {
        description: 'The numbers, as if the changes had been written.',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { preview, meta }, required: ['preview', 'meta'] },
          },
        },
      },
      ...errors([400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]),
    },
  };
}
