import type { Catalogue } from '../../../numbers/report/catalogue/index.ts';
import { reference, type Schema, TEXT, TEXT_OR_NULL } from '../protocol/operations.ts';

const STATUSES = ['over', 'at_risk', 'on_plan'];

/** The properties that a row has with the parameter insights. */
export const TOLD_PROPERTIES: Schema = {
  _insights: {
    type: 'array',
    items: reference('schemas', 'Insight'),
    description: 'What is to be said about the row, gravest first. Present if the parameter insights asks for it.',
  },
  _status: {
    type: ['object', 'null'],
    description:
      'The status of the row, and the sentence that decides it; null if nothing decides one. Present if the parameter insights asks for it.',
    properties: { status: { ...TEXT, enum: STATUSES }, rule: TEXT, text: TEXT },
    required: ['status', 'rule', 'text'],
  },
};

/** Returns the schemas of sentences about rows. */
export function insightSchemas({ insights: { rules, overall } }: Catalogue): Record<string, Schema> {
  const number: Schema = {
    type: 'object',
    description: 'A number, a day or a name in the sentence.',
    properties: {
      value: { ...TEXT, description: 'A decimal with all its digits, a day as YYYY-MM-DD, or a name.' },
      unit: { ...TEXT, enum: ['hours', 'money', 'percent', 'count', 'date', 'text'] },
      measure: {
        ...TEXT_OR_NULL,
        description: 'The measure whose number it is; null for an estimate or another fact.',
      },
      query: { ...TEXT_OR_NULL, description: 'The query that lists its lines; those of the part for a percentage.' },
      shown: { ...TEXT, description: 'Its characters in the sentence.' },
      at: { type: 'integer', description: 'The place of the first of them, in UTF-16 units from 0.' },
    },
    required: ['value', 'unit', 'measure', 'query', 'shown', 'at'],
  };
  const properties = {
    rule: { ...TEXT, enum: [...rules.keys(), ...overall.keys()] },
    severity: { ...TEXT, enum: ['over', 'at_risk', 'notice', 'on_plan'] },
    text: TEXT,
    numbers: { type: 'array', items: number },
  };
  const required = Object.keys(properties);
  const row = { type: 'object', additionalProperties: TEXT, description: 'The ids that find the row, by column.' };
  const counts = Object.fromEntries([...STATUSES, 'none'].map((status) => [status, { type: 'integer' }]));
  return {
    Insight: { type: 'object', properties, required },
    Insights: {
      type: 'object',
      description: 'What is to be said about all rows of the report, whatever its page shows.',
      properties: {
        statuses: { type: 'object', properties: counts, description: 'The number of rows of each status.' },
        count: { type: 'integer', description: 'The number of all sentences but those of rows that are on plan.' },
        worst: {
          type: 'array',
          description: 'The worst of them, at most 20.',
          items: {
            type: 'object',
            properties: { row, label: TEXT, ...properties },
            required: ['row', 'label', ...required],
          },
        },
        overall: {
          type: 'array',
          description: 'The sentences about all rows together, such as that of internal work.',
          items: reference('schemas', 'Insight'),
        },
      },
      required: ['statuses', 'count', 'worst', 'overall'],
    },
  };
}
