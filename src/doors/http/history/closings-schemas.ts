import { DAY, type Schema, TEXT_OR_NULL } from '../protocol/operations.ts';

/** A kept state, as /v3/closings lists it. */
export const state: Schema = {
  type: 'object',
  properties: {
    name: { ...TEXT_OR_NULL, description: 'Null for one that a retention keeps; as_of then takes its data version.' },
    number: { type: ['integer', 'null'], description: 'The first state with a name has the number 1.' },
    start_date: { type: 'string', format: 'date', description: 'The period of a closing.' },
    end_date: { type: 'string', format: 'date' },
    kind: { type: 'string', enum: ['kept', 'automatic', 'soft', 'hard'] },
    status: { type: 'string', enum: ['kept', 'closed', 'reopened'] },
    label: TEXT_OR_NULL,
    reason: TEXT_OR_NULL,
    day: { ...DAY, description: 'The day up to which its records are complete.' },
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

/** The content of an answer that is one kept state. */
export const oneState: Schema = {
  'application/json': { schema: { type: 'object', properties: { closing: state }, required: ['closing'] } },
};

const decimal: Schema = { type: ['string', 'null'], example: '-2.5000' };

/** A closing beside the present data. */
const since: Schema = {
  type: ['object', 'null'],
  description:
    'What has come into the period of a closing since: the present data less those of the closing. Null where that is not known.',
  properties: {
    data_version: { type: 'string', description: 'The version of the present data.' },
    cutoffs: {
      type: 'object',
      description:
        'The last days on which actuals count: of the closing, the end of its period; now, the default cutoff of today.',
      properties: { closing: { type: 'string', format: 'date' }, now: { type: 'string', format: 'date' } },
    },
    differences: {
      type: 'object',
      description: 'Null where a value is not known. Costs need the scope rates.',
      properties: {
        actual_hours: decimal,
        actual_cost: decimal,
        actual_fees: decimal,
        expense_cost: decimal,
        expense_fees: decimal,
        actual_revenue: decimal,
        invoiced: { ...decimal, description: 'Absent in a company without invoices and write-offs.' },
        written_off: { ...decimal, description: 'As invoiced.' },
      },
    },
    causes: {
      type: 'object',
      description: 'What each cause contributes to the differences, other than 0, as in the report changes.',
      additionalProperties: { type: 'object', additionalProperties: decimal },
    },
    lines: {
      type: 'object',
      description: 'The number of changed lines by cause, as in the report changed-lines.',
      additionalProperties: { type: 'integer' },
    },
  },
};

/** The content of an answer that is one kept state, beside the present data. */
export const describedState: Schema = {
  'application/json': {
    schema: {
      type: 'object',
      properties: {
        closing: {
          ...state,
          properties: {
            ...(state['properties'] as object),
            since,
            since_unknown: { type: 'string', description: 'Why it is not known what has come since.' },
          },
        },
      },
      required: ['closing'],
    },
  },
};
