import { ERROR_STATUSES } from './errors.ts';
import { type Schema, TEXT } from './operations.ts';

/** The members of an error answer; all but errors are always there. */
export const errorProperties: Readonly<Record<string, Schema>> = {
  name: {
    type: 'string',
    enum: Object.values(ERROR_STATUSES).map(({ name }) => name),
    description: 'The name of the status.',
  },
  message: { type: 'string', description: 'The problem, with the thing and the value, and the way out.' },
  code: { type: 'string', description: 'The kind of error, the same as on the command line.' },
  status: { type: 'integer' },
  errors: {
    type: 'array',
    description: 'With 400 and 422: the problem of each parameter or field.',
    items: { type: 'object', properties: { field: TEXT, message: TEXT }, required: ['field', 'message'] },
  },
};
