import { declareBody } from '../../base/body/index.ts';
import type { PreviewRequest } from '../../numbers/report/preview/preview.ts';
import { PLANNED_CHANGES, type PlannedChange, parsePlannedChanges } from '../record/planned/planned-change.ts';
import { readParameters } from './sent-parameters.ts';

/** A request for a preview: the changes, and the report to be read before and after them. */
export interface PreviewBody extends PreviewRequest {
  readonly changes: readonly PlannedChange[];
}

/** The body of POST /v3/preview, and the arguments of its tool. */
export const previewBody = declareBody({
  type: 'object',
  properties: {
    changes: PLANNED_CHANGES,
    report: { type: 'string', description: 'The report.', wayOut: 'give the name of a report' },
    parameters: {
      type: 'object',
      description: 'The parameters of the report: start_date, end_date, filters, fields.',
      expected: 'an object of the parameters of the report',
      default: {},
    },
    measures: {
      type: ['string', 'array'],
      items: { type: 'string' },
      description: 'The measures of the differences. Default: forecast_hours, forecast_cost, forecast_fees.',
    },
  },
  required: ['changes', 'report'],
  additionalProperties: false,
});

/**
 * Parses a request for a preview.
 * @throws AppError usage naming each wrong field, limit for too many changes.
 */
export function readPreviewBody(sent: unknown): PreviewBody {
  const { changes, report, parameters, measures } = previewBody.read(sent);
  return {
    changes: parsePlannedChanges(changes),
    report,
    parameters: readParameters(parameters),
    measures: readParameters({ measures })['measures'],
  };
}
