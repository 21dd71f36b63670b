import { AppError, type FieldError } from '../../error.ts';
import { isObject } from '../../json-object.ts';
import { readParameters } from '../../mcp/tool-arguments.ts';
import { type PlannedChange, readPlannedChanges } from '../../record/planned/planned-change.ts';
import type { PreviewRequest } from '../../report/preview/preview.ts';

/** A request for a preview: the changes, and the report to be read before and after them. */
export interface PreviewBody extends PreviewRequest {
  readonly changes: readonly PlannedChange[];
}

const FIELDS = ['changes', 'report', 'parameters', 'measures'];

/**
 * Parses {changes, report, parameters?, measures?}.
 * @throws AppError usage naming each wrong field, limit for too many changes.
 */
export function readPreviewBody(body: unknown): PreviewBody {
  if (!isObject(body)) {
    const message = `The body is not a JSON object with the fields ${FIELDS.join(', ')}`;
    throw new AppError('usage', message, { fields: [{ field: 'body', message }] });
  }
  const { changes, report, parameters = {}, measures } = body;
  const faults: FieldError[] = Object.keys(body)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => ({ field, message: `${field}: there is no such field. The fields are ${FIELDS.join(', ')}` }));
  const check = (field: string, isRight: boolean, fault: string) => {
    if (!isRight) faults.push({ field, message: `${field}: ${fault}` });
  };
  check('report', typeof report === 'string', report === undefined ? 'is missing; give its name' : 'is not a text');
  check('parameters', isObject(parameters), 'is not an object of the parameters of the report');
  if (faults.length > 0)
    throw new AppError('usage', faults.map(({ message }) => message).join('; '), { fields: faults });
  return {
    changes: readPlannedChanges(changes),
    report: report as string,
    parameters: readParameters(parameters as Record<string, unknown>),
    measures: readParameters({ measures })['measures'],
  };
}
