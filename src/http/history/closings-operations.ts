import { errors, type Schema } from '../protocol/operations.ts';

const text: Schema = { type: ['string', 'null'] };

/** A kept state, as /v3/closings lists it. */
const state: Schema = {
  type: 'object',
  properties: {
    name: { ...text, description: 'Null for one that a retention keeps; as_of then takes its data version.' },
    number: { type: ['integer', 'null'], description: 'The first state with a name has the number 1.' },
    start_date: { type: 'string', format: 'date', description: 'The period of a closing.' },
    end_date: { type: 'string', format: 'date' },
    kind: { type: 'string', enum: ['kept', 'automatic', 'soft', 'hard'] },
    status: { type: 'string', enum: ['kept', 'closed', 'reopened'] },
    label: text,
    reason: text,
    day: { type: 'string', format: 'date', description: 'The day up to which its records are complete.' },
    data_version: { type: 'string' },
    warnings: {
      type: 'array',
      description: 'What was open when the period was closed. Amounts need the scope rates.',
      items: { type: 'object' },
    },
    files: { type: 'array', description: 'The reports that were filed with it.', items: { type: 'object' } },
  },
  required: ['name', 'number', 'kind', 'status', 'day', 'data_version', 'warnings', 'files'],
};

const states: Schema = { type: 'array', items: state };

/** Describes GET /v3/closings. */
export function describeClosings(): object {
  return {
    tags: ['Reports'],
    operationId: 'closings',
    summary: 'The kept states',
    description: 'The closings of periods, the other kept states, and those that can not be read any more.',
    responses: {
      '200': {
        description: 'The states, in the order of their keeping.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { closings: states, kept: states, damaged: { type: 'array', items: { type: 'object' } } },
              required: ['closings', 'kept', 'damaged'],
            },
          },
        },
      },
      ...errors([401, 403, 429, 500, 503]),
    },
  };
}

/** Describes GET /v3/closings/{name}. */
export function describeClosing(): object {
  return {
    tags: ['Reports'],
    operationId: 'closing',
    summary: 'A kept state',
    description: 'The newest state with a name, or that with a number, such as 2026-03@1.',
    parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '200': {
        description: 'The state.',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { closing: state }, required: ['closing'] },
          },
        },
      },
      ...errors([401, 403, 404, 429, 500, 503]),
    },
  };
}
