import { MAX_PREVIEW_CHANGES, PREVIEW_METHODS } from '../../record/planned/planned-change.ts';
import { type Catalogue, summingReports } from '../../report/catalogue/definitions.ts';
import { errors, reference, type Schema } from '../protocol/operations.ts';

const change: Schema = {
  type: 'object',
  description: 'A request to the paths of records, as it would be sent.',
  properties: {
    method: { type: 'string', enum: PREVIEW_METHODS },
    path: { type: 'string', example: '/v3/tasks/77' },
    body: {
      type: 'object',
      description:
        'A text such as "$1.project_id", here or in the path, stands for a field of the answer of the first change.',
    },
  },
  required: ['method', 'path'],
  additionalProperties: false,
};

/** Describes POST /v3/preview. */
export function describePreviewOperation(catalogue: Catalogue): object {
  const reports = summingReports(catalogue);
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
      'Answers a report before and after some changes of records, and the differences by cause. The changes are tried in order, with all rules of the service, and undone: nothing is written. If one is refused, the answer is its error with its position. Changes need the scope write.',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              changes: { type: 'array', items: change, minItems: 1, maxItems: MAX_PREVIEW_CHANGES },
              report: { type: 'string', enum: reports.map(({ name }) => name) },
              parameters: { type: 'object', description: 'The parameters of the report.' },
              measures: {
                type: ['string', 'array'],
                items: { type: 'string' },
                description: 'The measures of the differences. Default: forecast_hours, forecast_cost, forecast_fees.',
              },
            },
            required: ['changes', 'report'],
            additionalProperties: false,
          },
        },
      },
    },
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
